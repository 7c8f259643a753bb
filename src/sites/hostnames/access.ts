import { type Caller, findCallerOfToken } from '../../access/caller.ts'
import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { type SiteAccess, accessSite, accessSiteToChange } from '../access.ts'

/**
 * Returns the site with this hostname if the caller may change it. To all other callers, the hostname appears to be
 * unused.
 */
export async function accessHostname(db: Db, caller: Caller, hostname: string): Promise<SiteAccess> {
  return accessAs(db, caller, hostname, (member, id) => accessSite(db, member, id, 'edit'))
}

/** The same, locked. The hostname may have been removed while waiting for the lock. */
export async function accessHostnameToChange(tx: Transaction, caller: Caller, hostname: string): Promise<SiteAccess> {
  return accessAs(tx, caller, hostname, async (member, id) => {
    const access = await accessSiteToChange(tx, member, id)
    if (access.site.hostname !== hostname) throw nobodys()
    return access
  })
}

async function accessAs(
  db: Db,
  caller: Caller,
  hostname: string,
  access: (member: Caller, siteId: string) => Promise<SiteAccess>,
): Promise<SiteAccess> {
  const site = await db.find(sql<Pick<SiteRow, 'organization_id' | 'id'>>`
    select organization_id, id from sites where hostname = ${hostname}`)
  // The path names no organization, so the caller's membership in the organization of the site is looked up here.
  const member = site && (await findCallerOfToken(db, caller.token.id, site.organization_id))
  if (!member) throw nobodys()
  return access(member, site.id).catch((error: unknown) => {
    throw error instanceof ApiError && (error.status === 403 || error.status === 404) ? nobodys() : error
  })
}

const nobodys = () => notFound('custom hostname')
