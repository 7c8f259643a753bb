/** Links may lead to the web, to a mail or phone program, or to a relative address, but to nothing that could run. */
export const isSafeLink = (href: string): boolean => hasProtocolOf(href, ['http', 'https', 'mailto', 'tel'])

export const isSafeImage = (src: string): boolean => hasProtocolOf(src, ['http', 'https'])

function hasProtocolOf(address: string, protocols: readonly string[]): boolean {
  // Browsers drop blanks and control characters before they look for a protocol.
  const bare = address.replace(/[\s\p{Cc}\p{Cf}]/gu, '')
  const protocol = /^([^/?#:]*):/.exec(bare)?.[1]
  return protocol === undefined || protocols.includes(protocol.toLowerCase())
}
