import { type Caller, findCallerOfToken } from '../../access/caller.ts'
import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { type SiteAccess, accessSite, accessSiteToChange } from '../access.ts'

/** The site with this host, for somebody who may change it. For everybody else, nobody has this host. */
export async function accessHostname(db: Db, caller: Caller, hostname: string): Promise<SiteAccess> {
  return accessAs(db, caller, hostname, (member, id) => accessSite(db, member, id, 'edit'))
}

/** The same, locked. Somebody may have taken the host away while that was waited for. */
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
  // The path names no organization: what the caller is in the one of the site is asked now.
  const member = site && (await findCallerOfToken(db, caller.token.id, site.organization_id))
  if (!member) throw nobodys()
  return access(member, site.id).catch((error: unknown) => {
    throw error instanceof ApiError && (error.status === 403 || error.status === 404) ? nobodys() : error
  })
}

const nobodys = () => notFound('custom hostname')
