/** A number of bytes as people read it: as browsers and file managers count, a thousand is a KB. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`
  return `${(bytes / 1_000_000).toFixed(1).replace('.0', '')} MB`
}
