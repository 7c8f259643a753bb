/** Formats a number of bytes for people. A KB is 1,000 bytes, as in browsers and file managers. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`
  return `${(bytes / 1_000_000).toFixed(1).replace('.0', '')} MB`
}
