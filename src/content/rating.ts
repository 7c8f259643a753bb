/** The highest number of stars that a column shows. */
const mostStars = 10

/**
 * Reads a cell of a rating column as a number of stars out of a maximum. Returns undefined if the cell contains
 * anything else.
 */
export function ratingIn(said: string, max: string | boolean | undefined): { stars: string; most: number } | undefined {
  const most = Math.min(Number(max) || 5, mostStars)
  if (!/^\d+$/.test(said) || Number(said) > most) return undefined
  return { stars: '★'.repeat(Number(said)) + '☆'.repeat(most - Number(said)), most }
}
