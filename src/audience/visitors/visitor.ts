import type { SiteRow } from '../../db/tables.ts'
import type { Scope } from '../../expressions/compile.ts'
import type { Secrets } from '../../secrets.ts'
import { type ClaimValues, declaredUnsigned, withLists } from '../../sites/adaptive/claims.ts'
import { shareKeyHash } from '../../sites/share-links/keys.ts'
import { signingKeyOf } from '../../sites/publishing-auth/signing-key.ts'
import { type SiteSnapshot, answersReaders } from '../snapshots/snapshot.ts'
import { type VisitorToken, readVisitorToken } from './visitor-token.ts'

/** What a visitor sends along. None of it is trusted until it has been checked. */
export interface Presented {
  shareKey?: string | undefined
  /** Signed by the site's own sign-in. */
  token?: string | undefined
  /** Claims that nobody vouches for. */
  unsigned?: unknown
}

/** A person who may read a site, and what is known about them. */
export interface Visitor {
  /** What conditions are evaluated against. Without it, everything that has a condition is hidden. */
  scope: Scope | undefined
  /**
   * Whether there are claims about the visitor, so that others may see something else. If so, nothing may be cached for
   * others.
   */
  isKnown: boolean
  /** The spaces that are shown; undefined: all of them. */
  spaces?: ReadonlySet<string>
  /** Whether draft sections, variants and links are shown, and draft redirects are followed. */
  seesDrafts?: boolean
  /** Revisions in which conditions hide every page from this visitor. A variant that shows one of them is hidden. */
  emptied?: ReadonlySet<string>
}

export type Admission = { visitor: Visitor } | { refused: 'hidden' | 'sign-in' }

/** Decides whether a site admits the visitor, and with which claims. */
export function admit(secrets: Secrets, snapshot: SiteSnapshot, presented: Presented): Admission {
  const { site } = snapshot
  if (!answersReaders(snapshot)) return { refused: 'hidden' }
  if (site.visibility === 'share-link' && !opens(snapshot, presented.shareKey)) return { refused: 'hidden' }
  const token = tokenOf(secrets, snapshot, presented.token)
  if (site.visibility === 'visitor-auth' && !token) return { refused: 'sign-in' }
  return { visitor: visitorWith(snapshot, token?.claims ?? {}, presented.unsigned) }
}

/** Returns a visitor with these claims. */
export function visitorWith(snapshot: SiteSnapshot, signed: ClaimValues, unsigned: unknown): Visitor {
  if (!snapshot.site.adaptive_enabled) return { scope: undefined, isKnown: false }
  const declared = declaredUnsigned(snapshot.claims, unsigned)
  // A signed claim named `unsigned` must not pass for an unsigned one, nor the other way round.
  const claims = { ...withLists(snapshot.claims, signed), unsigned: declared }
  return {
    scope: { visitor: { claims } },
    isKnown: Object.keys(signed).length > 0 || Object.keys(declared).length > 0,
  }
}

/** Whether a key opens the site. A link that was switched off or deleted stops working with the next request. */
export function opens({ shareKeys }: SiteSnapshot, key: string | undefined): key is string {
  return key !== undefined && shareKeys.size > 0 && shareKeys.has(shareKeyHash(key))
}

/** Returns the share link of this key if the link asks for a password: until it is entered, the key opens nothing. */
export function lockedLink({ lockedKeys }: SiteSnapshot, key: string | undefined): string | undefined {
  return key === undefined || lockedKeys.size === 0 ? undefined : lockedKeys.get(shareKeyHash(key))
}

export function tokenOf(secrets: Secrets, { site }: SiteSnapshot, token: string | undefined): VisitorToken | undefined {
  return token === undefined ? undefined : readVisitorToken(token, keyOf(secrets, site))
}

const keys = new WeakMap<SiteRow, string>()

/** Decrypted once per snapshot: a new key comes with a new snapshot. */
function keyOf(secrets: Secrets, site: SiteRow): string {
  let key = keys.get(site)
  if (key === undefined) keys.set(site, (key = signingKeyOf(secrets, site)))
  return key
}
