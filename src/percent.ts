/** What a text of an address spells, `%20` and all. Undefined where it is not properly encoded. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** What is neither a letter nor a sign of an address, as addresses have it: not every program does it by itself. */
export const asAddress = (address: string) => address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)
