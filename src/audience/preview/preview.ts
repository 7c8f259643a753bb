import { type Caller, findCallerOfToken } from '../../access/caller.ts'
import { accessChangeRequest } from '../../change-requests/access.ts'
import { presentChangeRequest } from '../../change-requests/present.ts'
import { branchHeadOf } from '../../change-requests/queries.ts'
import { asNone, invalid } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { accessSite } from '../../sites/access.ts'
import type { ClaimValues } from '../../sites/adaptive/claims.ts'
import { listRolesIn } from '../../sites/queries.ts'
import { encodePath } from '../../sites/redirects/match.ts'
import { findCallerOfSession } from '../../sessions/caller.ts'
import { readSigned, writeSigned } from '../../signed.ts'
import { readPath } from '../addresses.ts'
import { type SiteSnapshot, withDraft } from '../snapshots/snapshot.ts'
import { sectionOf, segmentsTo } from '../snapshots/structure.ts'
import { type Visitor, visitorWith } from '../visitors/visitor.ts'

const purpose = 'site preview'
export const previewSeconds = 3_600
/** The query parameter that carries a preview. */
export const previewParameter = 'preview_token'

/**
 * Permission to see a site as a certain visitor would, published or not. It is valid as long as the token or session of
 * its creator.
 */
export interface Preview {
  site: string
  organization: string
  token: string
  /** Set if `token` is the id of a session. */
  bySession?: true
  claims: ClaimValues
  draft: boolean
  /**
   * If set, a space is shown as in this change request. A caller who may read the change request may see how it will
   * look.
   */
  change?: { space: string; id: string }
  /** Seconds since 1970. */
  expires: number
}

export interface Previewed {
  visitor: Visitor
  snapshot: SiteSnapshot
}

export type PreviewDraft = Omit<Preview, 'expires' | 'token' | 'bySession'>

/** Returns the address that opens a preview at a path of the site. */
export function previewAddress(
  app: App,
  snapshot: SiteSnapshot,
  path: string,
  preview: PreviewDraft,
  { token, session }: Caller,
): string {
  const expires = Math.floor(Date.now() / 1000) + previewSeconds
  const whole = { ...preview, token: token.id, ...(session && { bySession: true }), expires }
  const signed = writeSigned(app.secrets, purpose, whole)
  return `${app.audience.mainAddress(snapshot)}${path}?${previewParameter}=${signed}`
}

/**
 * Returns the path where a preview opens: a page of a site space, or of the site. `roles` are the roles of its creator
 * on the spaces.
 */
export function pathOfPreview(
  snapshot: SiteSnapshot,
  siteSpace: string | undefined,
  target: string,
  roles: ReadonlyMap<string, unknown>,
): string {
  const asked = readPath(target.replace(/^\//, ''))
  if (!asked) throw invalid('query.target', 'path', 'must be the path of a page')
  if (siteSpace === undefined) return encodePath(asked.segments)
  const variant = snapshot.variants.get(siteSpace)
  if (!variant || !roles.has(variant.space.id))
    throw invalid('query.siteSpace', 'exists', 'is not a site space of this site')
  const place = { section: sectionOf(snapshot, variant), variant }
  const segments = segmentsTo(snapshot, { seesDrafts: true }, place, asked.segments)
  return encodePath(segments) + (asked.segments.length === 0 && segments.length > 0 ? '/' : '')
}

/**
 * Returns what a preview shows, and as which visitor. Checks the rights of its creator each time, so what they have
 * lost is not shown.
 */
export async function findPreview(
  app: App,
  snapshot: SiteSnapshot,
  signed: string | undefined,
): Promise<Previewed | undefined> {
  const preview = signed === undefined ? undefined : readSigned<Preview>(app.secrets, purpose, signed)
  const { site } = snapshot
  if (!preview || preview.site !== site.id || preview.expires * 1000 <= Date.now()) return undefined
  const findMaker = preview.bySession ? findCallerOfSession : findCallerOfToken
  const caller = await findMaker(app.db, preview.token, preview.organization)
  return caller && previewFor(app, caller, snapshot, preview).catch(asNone)
}

/** Throws if the caller may not see it. */
export async function previewFor(
  app: App,
  caller: Caller,
  snapshot: SiteSnapshot,
  { claims, draft, change }: Pick<Preview, 'claims' | 'draft' | 'change'>,
): Promise<Previewed> {
  const { site } = snapshot
  const { membership } = await accessSite(app.db, caller, site.id, change ? 'view' : 'secrets')
  const { unsigned, ...signedClaims } = claims
  const spaces = new Set((await listRolesIn(app.db, membership, site.id)).keys())
  const visitor = { ...visitorWith(snapshot, signedClaims, unsigned), isKnown: true, spaces, seesDrafts: draft }
  return { visitor, snapshot: change ? await drafted(app, caller, snapshot, change) : snapshot }
}

async function drafted(
  app: App,
  caller: Caller,
  snapshot: SiteSnapshot,
  change: { space: string; id: string },
): Promise<SiteSnapshot> {
  const names = { spaceId: change.space, changeRequestId: change.id }
  const { changeRequest } = await accessChangeRequest(app.db, caller, names, 'view')
  const { number, subject } = changeRequest
  const renew = (newer: SiteSnapshot) => drafted(app, caller, newer, change)
  const shown = { spaceId: change.space, head: branchHeadOf(changeRequest), number, subject, renew }
  // Only for previews created in a browser session: the page of a change request requires an account, which a person
  // who was sent the address need not have.
  const reviewUrl = caller.session && presentChangeRequest(changeRequest, app.url).urls.app
  return withDraft(snapshot, { ...shown, ...(reviewUrl !== undefined && { reviewUrl }) })
}
