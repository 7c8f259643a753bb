import type { Db } from '../../db/connect.ts'
import { contains, nothing, sql } from '../../db/sql.ts'
import type { ShareLinkRow } from '../../db/tables.ts'
import { type Page, behind } from '../../http/paging.ts'
import type { SiteKey } from '../queries.ts'
import { opensNow } from './keys.ts'
import type { Lock } from './password.ts'

const columns = sql`l.organization_id, l.site_id, l.id, l.name, l.active, l.expires_at, l.key_sealed,
  l.password_hash is not null as has_password, l.created_at`

/** Lists the share links, oldest first. */
export async function listShareLinks(db: Db, site: SiteKey, search: string | undefined, page: Page) {
  const named = search ? sql`and ${contains(sql`l.name`, search)}` : nothing
  const matching = sql`from share_links l where l.organization_id = ${site.organization_id} and l.site_id = ${site.id} ${named}`
  const after = behind(page, sql`l.created_at, l.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<ShareLinkRow>`
        select ${columns} ${matching} ${after} order by l.created_at, l.id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

export async function countShareLinks(db: Db, site: SiteKey): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from share_links where organization_id = ${site.organization_id} and site_id = ${site.id}`)
  return count
}

export async function findShareLink(db: Db, site: SiteKey, id: string): Promise<ShareLinkRow | undefined> {
  return db.find(sql<ShareLinkRow>`
    select ${columns} from share_links l
    where l.organization_id = ${site.organization_id} and l.site_id = ${site.id} and l.id = ${id}`)
}

export async function insertShareLink(
  db: Db,
  row: Omit<ShareLinkRow, 'created_at' | 'active' | 'has_password'> & { key_hash: string },
  lock: Lock | undefined,
): Promise<ShareLinkRow> {
  return db.one(sql<ShareLinkRow>`
    insert into share_links as l (organization_id, site_id, id, name, expires_at, key_hash, key_sealed,
      password_hash, opened_hash, opened_sealed)
    values (${row.organization_id}, ${row.site_id}, ${row.id}, ${row.name}, ${row.expires_at}, ${row.key_hash},
      ${row.key_sealed}, ${lock?.password_hash ?? null}, ${lock?.opened_hash ?? null}, ${lock?.opened_sealed ?? null})
    returning ${columns}`)
}

export async function updateShareLink(db: Db, row: ShareLinkRow): Promise<void> {
  await db.run(sql`
    update share_links set name = ${row.name}, active = ${row.active}, expires_at = ${row.expires_at}
    where organization_id = ${row.organization_id} and site_id = ${row.site_id} and id = ${row.id}`)
}

/** null removes the password. */
export async function updateLock(db: Db, row: ShareLinkRow, lock: Lock | null): Promise<void> {
  await db.run(sql`
    update share_links set password_hash = ${lock?.password_hash ?? null}, opened_hash = ${lock?.opened_hash ?? null},
      opened_sealed = ${lock?.opened_sealed ?? null}
    where organization_id = ${row.organization_id} and site_id = ${row.site_id} and id = ${row.id}`)
}

/** Returns the lock of a link that opens its site. Undefined if the link opens nothing or has no password. */
export async function findLock(db: Db, site: SiteKey, id: string): Promise<Lock | undefined> {
  return db.find(sql<Lock>`
    select l.password_hash, l.opened_hash, l.opened_sealed from share_links l
    where l.organization_id = ${site.organization_id} and l.site_id = ${site.id} and l.id = ${id}
      and l.password_hash is not null and ${opensNow}`)
}

export async function deleteShareLink(db: Db, row: ShareLinkRow): Promise<void> {
  await db.run(sql`
    delete from share_links
    where organization_id = ${row.organization_id} and site_id = ${row.site_id} and id = ${row.id}`)
}
