/** What a site remembers of a visitor. Its id is in the name: sites may share a host, and must not share visitors. */
export type CookieKind = 'share' | 'visitor' | 'claims' | 'preview' | 'asked'

export interface CookieJar {
  siteId: string
  isSecure: boolean
}

/** Over TLS, a name that only this host itself can have set. */
const nameOf = ({ siteId, isSecure }: CookieJar, kind: CookieKind) =>
  `${isSecure ? '__Host-' : ''}lectern-${kind}-${siteId}`

/** Its value, of characters that need no quotes; undefined where there is none. */
export function readCookie(header: string | undefined, jar: CookieJar, kind: CookieKind): string | undefined {
  if (header === undefined) return undefined
  const name = nameOf(jar, kind)
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** Scripts cannot read it, and other sites cannot send it along with more than a link. */
export function writeCookie(jar: CookieJar, kind: CookieKind, value: string, maxAgeSeconds: number): string {
  const age = Math.max(0, Math.floor(maxAgeSeconds))
  return `${nameOf(jar, kind)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${jar.isSecure ? '; Secure' : ''}`
}

export const clearCookie = (jar: CookieJar, kind: CookieKind) => writeCookie(jar, kind, '', 0)
