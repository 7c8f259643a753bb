import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { SiteRow } from '../../db/tables.ts'
import { hashOf } from '../../secrets.ts'

/** How the key of a share link is found again. */
export const shareKeyHash = (key: string) => hashOf(key).toString('base64url')

/** The key, if it opens this site now. It gives no rights: whoever has it may be shown addresses that hold it. */
export async function findActiveKey(
  db: Db,
  { organization_id, id, visibility }: Pick<SiteRow, 'organization_id' | 'id' | 'visibility'>,
  key: string | undefined,
): Promise<string | undefined> {
  if (key === undefined || visibility !== 'share-link') return undefined
  const found = await db.find(sql`
    select from share_links where key_hash = ${shareKeyHash(key)} and active
      and organization_id = ${organization_id} and site_id = ${id}`)
  return found === undefined ? undefined : key
}
