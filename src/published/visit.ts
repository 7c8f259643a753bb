import type { FastifyRequest } from 'fastify'
import { type CookieJar, type CookieKind, readCookie } from '../audience/visitors/cookies.ts'
import type { Located } from '../audience/audience.ts'
import type { Resolution } from '../audience/resolve.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import { type Presented, lockedLink, opens } from '../audience/visitors/visitor.ts'
import type { App } from '../http/routes.ts'
import { isObject } from '../objects.ts'
import { type ClaimValues, declaredUnsigned, unsignedFromText } from '../sites/adaptive/claims.ts'

/** One request of a reader: which site, what of it, and what they present. */
export interface Visit {
  snapshot: SiteSnapshot
  /** The path of the site on this host, as a browser sees it, with a slash at its end. */
  basePath: string
  /** The path below it, as it was requested. */
  path: string
  query: URLSearchParams
  jar: CookieJar
  cookie(kind: CookieKind): string | undefined
  presented: Presented
  /**
   * The key of a share link that a program used. It keeps no cookies, so all addresses that lead on must contain the
   * key.
   */
  key?: string
  /** Whether the address contained claims: then they are stored. */
  bringsClaims: boolean
}

const maxCookieClaims = 2_000
const claimPrefix = 'visitor.'

export function readVisit(app: App, request: FastifyRequest, { snapshot, basePath, rest = '' }: Located): Visit {
  const query = queryOf(request)
  const jar = { siteId: snapshot.site.id, isSecure: isSecure(app, request) }
  const cookie = (kind: CookieKind) => readCookie(request.headers.cookie, jar, kind)
  const inAddress = [...query].filter(([name]) => name.startsWith(claimPrefix))
  const given = inAddress.map(([name, value]) => [name.slice(claimPrefix.length), value] as const)
  return {
    snapshot,
    basePath,
    path: rest,
    query,
    jar,
    cookie,
    presented: {
      shareKey: keyIn(snapshot, cookie('share')),
      token: cookie('visitor'),
      unsigned: unsignedClaims(snapshot, cookie('claims'), given),
    },
    bringsClaims: given.length > 0 && snapshot.site.adaptive_enabled,
  }
}

/** If a password was required, the cookie contains the key and, after a dot, what was issued for the password. */
export const shareCookie = (key: string, opened: string) => `${key}.${opened}`

/** Returns the one of the two that opens the site: the password may have been removed or changed in the meantime. */
function keyIn(snapshot: SiteSnapshot, kept: string | undefined): string | undefined {
  return kept?.split('.', 2).find((key) => opens(snapshot, key)) ?? kept
}

const queryOf = ({ url }: FastifyRequest) => new URLSearchParams(url.split('?').slice(1).join('?'))

/** Whether cookies are sent over TLS only. A proxy in front of us may use plain HTTP to us. */
const isSecure = (app: App, request: FastifyRequest) => request.protocol === 'https' || app.url.startsWith('https:')

/** Returns the stored claims, overridden by those of this request. */
function unsignedClaims(
  { claims }: SiteSnapshot,
  kept: string | undefined,
  given: (readonly [string, string])[],
): ClaimValues {
  return merged(declaredUnsigned(claims, readClaims(kept)), unsignedFromText(claims, given))
}

/** Claims within claims are merged one by one as well: those that are not given this time stay. */
function merged(kept: ClaimValues, given: ClaimValues): ClaimValues {
  const both = { ...kept }
  for (const [name, value] of Object.entries(given)) {
    both[name] = isObject(value) && isObject(kept[name]) ? merged(kept[name], value) : value
  }
  return both
}

export function writeClaims(claims: unknown): string | undefined {
  const text = Buffer.from(JSON.stringify(claims ?? {})).toString('base64url')
  return text.length > maxCookieClaims ? undefined : text
}

function readClaims(text: string | undefined): unknown {
  if (text === undefined || text.length > maxCookieClaims) return undefined
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Returns the share key at the beginning of the path, and the rest of the path after it. */
export function keyInPath({ snapshot, path }: Visit): { key: string; path: string } | undefined {
  const [, key, rest = ''] = /^([\w-]{16,128})(?:\/(.*))?$/s.exec(path) ?? []
  return key !== undefined && (opens(snapshot, key) || lockedLink(snapshot, key)) ? { key, path: rest } : undefined
}

/** Returns where links and redirects of a visit lead: a proxy shows the site under its own address. */
export function publicBase({ snapshot, basePath, key }: Visit, isPreview: boolean): string {
  const { proxy } = snapshot.site
  return behindKey(proxy === null || isPreview ? basePath : `https://${proxy}/`, key)
}

/** Returns an address of a site, with a slash at its end, for readers who have nothing but the key of a share link. */
export const behindKey = (address: string, key: string | undefined): string =>
  key === undefined ? address : `${address}${key}/`

/**
 * Returns the new address of something, below the site. The query of the redirect comes before the query of this
 * request.
 */
export function movedTo({ path, behind }: Extract<Resolution, { kind: 'moved' }>, visit: Pick<Visit, 'query'>): string {
  if (!behind) return path + queryWithout(visit)
  const query = new URLSearchParams([...new URLSearchParams(behind.search), ...visit.query])
  return path + queryWithout({ query }) + behind.hash
}

/** Returns the query without these parameters. It starts with its question mark, or is empty. */
export function queryWithout({ query }: Pick<Visit, 'query'>, ...names: string[]): string {
  const left = new URLSearchParams([...query].filter(([name]) => !names.includes(name)))
  return left.size === 0 ? '' : `?${left.toString()}`
}
