/** Decodes part of an address, such as `%20`. Undefined if it is not properly encoded. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Percent-encodes all characters that addresses cannot contain, because not every program does so. */
export const asAddress = (address: string) => address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)
