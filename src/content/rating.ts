/** Most stars that a column shows. */
const mostStars = 10

/** What a cell of a column of ratings says: so many stars of so many. Undefined where it says something else. */
export function ratingIn(said: string, max: string | boolean | undefined): { stars: string; most: number } | undefined {
  const most = Math.min(Number(max) || 5, mostStars)
  if (!/^\d+$/.test(said) || Number(said) > most) return undefined
  return { stars: '★'.repeat(Number(said)) + '☆'.repeat(most - Number(said)), most }
}
