/** Links lead to the web, to a mail or phone program, or somewhere relative; nothing that could run. */
export const isSafeLink = (href: string): boolean => hasProtocolOf(href, ['http', 'https', 'mailto', 'tel'])

export const isSafeImage = (src: string): boolean => hasProtocolOf(src, ['http', 'https'])

/** What a browser would run where it stands, and not lead to. Addresses of other programs are none. */
export const wouldRun = (href: string): boolean => ['javascript', 'vbscript', 'data'].includes(protocolOf(href) ?? '')

function hasProtocolOf(address: string, protocols: readonly string[]): boolean {
  const protocol = protocolOf(address)
  return protocol === undefined || protocols.includes(protocol)
}

function protocolOf(address: string): string | undefined {
  // Browsers drop blanks and control characters before they look for a protocol.
  const bare = address.replace(/[\s\p{Cc}\p{Cf}]/gu, '')
  return /^([^/?#:]*):/.exec(bare)?.[1]?.toLowerCase()
}
