import type { FastifyRequest } from 'fastify'
import { type CookieJar, type CookieKind, readCookie } from '../audience/visitors/cookies.ts'
import type { Located } from '../audience/audience.ts'
import type { Resolution } from '../audience/resolve.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import { type Presented, lockedLink, opens } from '../audience/visitors/visitor.ts'
import type { App } from '../http/routes.ts'
import { isObject } from '../objects.ts'
import { type ClaimValues, declaredUnsigned, unsignedFromText } from '../sites/adaptive/claims.ts'

/** One request of a reader: which site, what of it, and what they bring along. */
export interface Visit {
  snapshot: SiteSnapshot
  /** Where the site is on this host, for a browser: with a slash at its end. */
  basePath: string
  /** Below it, as it was asked for. */
  path: string
  query: URLSearchParams
  jar: CookieJar
  cookie(kind: CookieKind): string | undefined
  presented: Presented
  /** Of a share link: a program came by it, keeps no cookie, and needs it in all that leads on. */
  key?: string
  /** Whether claims came in the address: then they are kept. */
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

/** Where a password was asked for, the cookie has the key and, behind a dot, what was got for the password. */
export const shareCookie = (key: string, opened: string) => `${key}.${opened}`

/** The one of the two that opens the site: the password may have been taken away since, or another one set. */
function keyIn(snapshot: SiteSnapshot, kept: string | undefined): string | undefined {
  return kept?.split('.', 2).find((key) => opens(snapshot, key)) ?? kept
}

const queryOf = ({ url }: FastifyRequest) => new URLSearchParams(url.split('?').slice(1).join('?'))

/** Where cookies travel over TLS only. A proxy in front of us may speak plain HTTP to us. */
const isSecure = (app: App, request: FastifyRequest) => request.protocol === 'https' || app.url.startsWith('https:')

/** What was kept, and what came now in its place. */
function unsignedClaims(
  { claims }: SiteSnapshot,
  kept: string | undefined,
  given: (readonly [string, string])[],
): ClaimValues {
  return merged(declaredUnsigned(claims, readClaims(kept)), unsignedFromText(claims, given))
}

/** Claims within claims come one by one as well: what is not said now stays. */
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

/** A share key that stands where the path begins, and what of the path is behind it. */
export function keyInPath({ snapshot, path }: Visit): { key: string; path: string } | undefined {
  const [, key, rest = ''] = /^([\w-]{16,128})(?:\/(.*))?$/s.exec(path) ?? []
  return key !== undefined && (opens(snapshot, key) || lockedLink(snapshot, key)) ? { key, path: rest } : undefined
}

/** Where links and redirects of a visit lead: a proxy shows the site under its own address. */
export function publicBase({ snapshot, basePath, key }: Visit, isPreview: boolean): string {
  const { proxy } = snapshot.site
  return behindKey(proxy === null || isPreview ? basePath : `https://${proxy}/`, key)
}

/** An address of a site, with a slash at its end, as those need it who have nothing but the key of a share link. */
export const behindKey = (address: string, key: string | undefined): string =>
  key === undefined ? address : `${address}${key}/`

/** Where something is now, below the site: what a redirect asks for there comes before what the reader asked for here. */
export function movedTo({ path, behind }: Extract<Resolution, { kind: 'moved' }>, visit: Pick<Visit, 'query'>): string {
  if (!behind) return path + queryWithout(visit)
  const query = new URLSearchParams([...new URLSearchParams(behind.search), ...visit.query])
  return path + queryWithout({ query }) + behind.hash
}

/** The query without these. With its question mark, or nothing. */
export function queryWithout({ query }: Pick<Visit, 'query'>, ...names: string[]): string {
  const left = new URLSearchParams([...query].filter(([name]) => !names.includes(name)))
  return left.size === 0 ? '' : `?${left.toString()}`
}
