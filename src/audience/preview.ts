import { findCallerOfToken } from '../access/caller.ts'
import type { Caller } from '../access/caller.ts'
import { ApiError } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { accessSite } from '../sites/access.ts'
import type { ClaimValues } from '../sites/adaptive/claims.ts'
import { listRolesIn } from '../sites/queries.ts'
import { readSigned, writeSigned } from '../signed.ts'
import type { SiteSnapshot } from './snapshot.ts'
import { type Visitor, visitorWith } from './visitor.ts'

const purpose = 'site preview'
export const previewSeconds = 3_600
/** How it comes along in an address. */
export const previewParameter = 'preview_token'

/** Leave to see a site as somebody would, published or not. It is worth what its maker's token is worth. */
export interface Preview {
  site: string
  organization: string
  token: string
  claims: ClaimValues
  draft: boolean
  /** Seconds since 1970. */
  expires: number
}

export function writePreview(app: App, preview: Omit<Preview, 'expires' | 'token'>, { token }: Caller): string {
  const expires = Math.floor(Date.now() / 1000) + previewSeconds
  return writeSigned(app.secrets, purpose, { ...preview, token: token.id, expires })
}

/** Whom a preview shows a site as. Its maker's rights are asked for anew each time: what they lost, it does not show. */
export async function findPreviewVisitor(
  app: App,
  snapshot: SiteSnapshot,
  signed: string | undefined,
): Promise<Visitor | undefined> {
  const preview = signed === undefined ? undefined : readSigned<Preview>(app.secrets, purpose, signed)
  const { site } = snapshot
  if (!preview || preview.site !== site.id || preview.expires * 1000 <= Date.now()) return undefined
  const caller = await findCallerOfToken(app.db, preview.token, preview.organization)
  const access = caller && (await accessSite(app.db, caller, site.id, 'secrets').catch(asNone))
  if (!access) return undefined

  const { unsigned, ...signedClaims } = preview.claims
  const spaces = new Set((await listRolesIn(app.db, access.membership, site.id)).keys())
  return { ...visitorWith(snapshot, signedClaims, unsigned), isKnown: true, spaces, seesDrafts: preview.draft }
}

function asNone(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
