import type { Caller, Membership } from '../access/caller.ts'
import { type SiteRight, siteRights } from '../access/rights.ts'
import type { Role } from '../access/roles.ts'
import { roleOnSite } from '../access/site-roles.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { SiteRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { forbidden, notFound } from '../http/errors.ts'

/** A site, and the caller's role on it. */
export interface SiteAccess {
  site: SiteRow
  role: Role
  organizationRole: Role | null
  /** The caller's membership in the organization that the path names. */
  membership: Membership
}

/** Returns a site that the caller may see and has `right` on. Requests can only get a site this way. */
export async function accessSite(db: Db, caller: Caller, siteId: string, right: SiteRight): Promise<SiteAccess> {
  const found = await findSiteFor(db, caller, siteId)
  if (!found) throw notFound('site')
  if (!siteRights(found.role)[right]) throw forbidden(verbs[right])
  return found
}

/** The same, locked. All changes to a site begin here, so changes to the same site happen one after the other. */
export async function accessSiteToChange(
  tx: Transaction,
  caller: Caller,
  siteId: string,
  right: SiteRight = 'edit',
): Promise<SiteAccess> {
  // Two statements, sent together: the second sees what was committed while the first waited for the lock.
  const [, access] = await Promise.all([lockSite(tx, caller, siteId), accessSite(tx, caller, siteId, right)])
  return access
}

async function lockSite(tx: Transaction, { membership }: Caller, siteId: string): Promise<void> {
  const organizationId = membership?.organization.id ?? null
  await tx.run(sql`
    select from sites where organization_id = ${organizationId} and id = ${siteId} for no key update`)
}

async function findSiteFor(db: Db, { membership }: Caller, siteId: string): Promise<SiteAccess | undefined> {
  if (!membership) return undefined
  const { organization, userId, role: organizationRole } = membership
  const row = await db.find(sql<SiteRow & { role: Role | null }>`
    select ${siteColumns}, ${roleOnSite(sql`s`, userId, organizationRole)} as role
    from sites s where s.organization_id = ${organization.id} and s.id = ${siteId}`)
  if (!row?.role) return undefined
  const { role, ...site } = row
  return { site, role, organizationRole, membership }
}

/** A condition for the sites (`s`) that a member may see, for statements about many sites. */
export function mayView({ organization, userId, role }: Membership): Statement {
  return role === 'admin' ? sql`true` : sql`(${roleOnSite(sql`s`, userId, role, organization.id)}) is not null`
}

export const siteColumns = sql`s.organization_id, s.id, s.type, s.title, s.visibility, s.published, s.published_at,
  s.basename, s.hostname, s.proxy, s.agents_context, s.adaptive_enabled, s.adaptive_schema,
  s.adaptive_updated_at, s.auth_backend, s.auth_key, s.auth_fallback_url, s.auth_logout_url, s.customization,
  s.customization_updated_at, s.version, s.created_by, s.created_at, s.updated_at`

const verbs: Record<SiteRight, string> = {
  view: 'see this site',
  edit: 'change this site',
  publish: 'publish this site',
  secrets: 'see what opens this site',
  admin: 'administer this site',
}
