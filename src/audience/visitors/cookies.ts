/**
 * What a site stores about a visitor. The name contains the site's id: sites may share a host, and must not share
 * visitors.
 */
export type CookieKind = 'share' | 'visitor' | 'claims' | 'preview' | 'asked'

export interface CookieJar {
  siteId: string
  isSecure: boolean
}

/** Over TLS, a name that only this host itself can set. */
const nameOf = ({ siteId, isSecure }: CookieJar, kind: CookieKind) =>
  `${isSecure ? '__Host-' : ''}lectern-${kind}-${siteId}`

/** Returns the value of a cookie, or undefined if there is none. Our values never need quotes. */
export function readCookie(header: string | undefined, jar: CookieJar, kind: CookieKind): string | undefined {
  if (header === undefined) return undefined
  const name = nameOf(jar, kind)
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** Scripts cannot read it, and other sites can only have it sent by linking here. */
export function writeCookie(jar: CookieJar, kind: CookieKind, value: string, maxAgeSeconds: number): string {
  const age = Math.max(0, Math.floor(maxAgeSeconds))
  return `${nameOf(jar, kind)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${jar.isSecure ? '; Secure' : ''}`
}

export const clearCookie = (jar: CookieJar, kind: CookieKind) => writeCookie(jar, kind, '', 0)
