/** What a text of an address spells, `%20` and all. Undefined where it is not properly encoded. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
