import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { SiteRow } from '../../db/tables.ts'
import { hashOf } from '../../secrets.ts'

/** The hash by which the key of a share link is looked up. */
export const shareKeyHash = (key: string) => hashOf(key).toString('base64url')

/** Whether a link `l` opens its site: it is active and has not expired, by the clock of the database. */
export const opensNow = sql`l.active and (l.expires_at is null or l.expires_at > clock_timestamp())`

/**
 * Returns the key if it currently opens this site. It gives the caller no rights, but they may be shown addresses that
 * contain it.
 */
export async function findActiveKey(
  db: Db,
  { organization_id, id, visibility }: Pick<SiteRow, 'organization_id' | 'id' | 'visibility'>,
  key: string | undefined,
): Promise<string | undefined> {
  if (key === undefined || visibility !== 'share-link') return undefined
  const found = await db.find(sql`
    select from share_links l where l.key_hash = ${shareKeyHash(key)} and ${opensNow}
      and l.organization_id = ${organization_id} and l.site_id = ${id}`)
  return found === undefined ? undefined : key
}
