import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { SitePlace } from './addresses.ts'

/** Finds the site to show to visitors who name no organization: the default site of the oldest organization. */
export async function findFrontSite(db: Db): Promise<SitePlace | undefined> {
  return db.find(sql<SitePlace>`
    select o.hostname as organization_hostname, s.basename, s.hostname, s.proxy
    from (select id, hostname, default_site_id from organizations order by created_at, id limit 1) o
    join sites s on s.organization_id = o.id and s.id = o.default_site_id
    where s.published and s.visibility = 'public'`)
}
