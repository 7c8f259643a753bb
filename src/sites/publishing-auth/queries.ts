import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { SiteRow } from '../../db/tables.ts'

export async function updatePublishingAuth(db: Db, site: SiteRow): Promise<void> {
  await db.run(sql`
    update sites set auth_key = ${site.auth_key}, auth_fallback_url = ${site.auth_fallback_url},
      auth_logout_url = ${site.auth_logout_url}
    where organization_id = ${site.organization_id} and id = ${site.id}`)
}
