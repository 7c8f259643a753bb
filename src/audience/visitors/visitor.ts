import type { SiteRow } from '../../db/tables.ts'
import type { Scope } from '../../expressions/compile.ts'
import type { Secrets } from '../../secrets.ts'
import { type ClaimValues, declaredUnsigned, withLists } from '../../sites/adaptive/claims.ts'
import { shareKeyHash } from '../../sites/share-links/keys.ts'
import { signingKeyOf } from '../../sites/publishing-auth/signing-key.ts'
import type { SiteSnapshot } from '../snapshots/snapshot.ts'
import { type VisitorToken, readVisitorToken } from './visitor-token.ts'

/** What a visitor brings along. None of it is believed before it was checked. */
export interface Presented {
  shareKey?: string | undefined
  /** Signed by the site's own sign-in. */
  token?: string | undefined
  /** Claims that nobody vouches for. */
  unsigned?: unknown
}

/** Somebody who may read a site, and what is known of them. */
export interface Visitor {
  /** What conditions are about. Without it, whatever has a condition is hidden. */
  scope: Scope | undefined
  /** Whether others may see something else: then nothing may be kept for them. */
  isKnown: boolean
  /** Spaces that are shown; undefined: all there are. */
  spaces?: ReadonlySet<string>
  /** Whether sections, versions and links that are only drafts are shown already, and redirects that are lead on. */
  seesDrafts?: boolean
  /** Revisions of which conditions hide every page from them: a variant that shows one is not there. */
  emptied?: ReadonlySet<string>
}

export type Admission = { visitor: Visitor } | { refused: 'hidden' | 'sign-in' }

/** Whether a site lets somebody in, and as whom. */
export function admit(secrets: Secrets, snapshot: SiteSnapshot, presented: Presented): Admission {
  const { site } = snapshot
  if (!site.published) return { refused: 'hidden' }
  if (site.visibility === 'share-link' && !opens(snapshot, presented.shareKey)) return { refused: 'hidden' }
  const token = tokenOf(secrets, snapshot, presented.token)
  if (site.visibility === 'visitor-auth' && !token) return { refused: 'sign-in' }
  return { visitor: visitorWith(snapshot, token?.claims ?? {}, presented.unsigned) }
}

/** Somebody of whom this is claimed. */
export function visitorWith(snapshot: SiteSnapshot, signed: ClaimValues, unsigned: unknown): Visitor {
  if (!snapshot.site.adaptive_enabled) return { scope: undefined, isKnown: false }
  const declared = declaredUnsigned(snapshot.claims, unsigned)
  // Whatever was signed under this name must not pass for what was not, nor the other way round.
  const claims = { ...withLists(snapshot.claims, signed), unsigned: declared }
  return {
    scope: { visitor: { claims } },
    isKnown: Object.keys(signed).length > 0 || Object.keys(declared).length > 0,
  }
}

/** Whether a key opens the site now: a link that was switched off or deleted does not, from the next request on. */
export function opens({ shareKeys }: SiteSnapshot, key: string | undefined): key is string {
  return key !== undefined && shareKeys.size > 0 && shareKeys.has(shareKeyHash(key))
}

/** The link that this is the key of, where it asks for a password: until then it opens nothing. */
export function lockedLink({ lockedKeys }: SiteSnapshot, key: string | undefined): string | undefined {
  return key === undefined || lockedKeys.size === 0 ? undefined : lockedKeys.get(shareKeyHash(key))
}

export function tokenOf(secrets: Secrets, { site }: SiteSnapshot, token: string | undefined): VisitorToken | undefined {
  return token === undefined ? undefined : readVisitorToken(token, keyOf(secrets, site))
}

const keys = new WeakMap<SiteRow, string>()

/** Opened once a snapshot: a new key comes with a new one. */
function keyOf(secrets: Secrets, site: SiteRow): string {
  let key = keys.get(site)
  if (key === undefined) keys.set(site, (key = signingKeyOf(secrets, site)))
  return key
}
