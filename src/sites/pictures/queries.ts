import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { BlobRow } from '../../files/blobs.queries.ts'
import { type Page, behind } from '../../http/paging.ts'
import type { SiteKey } from '../queries.ts'

export interface PictureRow {
  organization_id: string
  site_id: string
  id: string
  name: string
  created_at: Date
  bytes: BlobRow
}

const columns = sql`p.organization_id, p.site_id, p.id, p.name, p.created_at, to_jsonb(b) as bytes`
const kept = sql`site_pictures p join blobs b on b.organization_id = p.organization_id and b.hash = p.blob`

const ofSite = (site: SiteKey) => sql`p.organization_id = ${site.organization_id} and p.site_id = ${site.id}`

/** Lists the pictures, newest first. */
export async function listPictures(db: Db, site: SiteKey, page: Page) {
  const [rows, count] = await Promise.all([
    db.all(sql<PictureRow>`
      select ${columns} from ${kept} where ${ofSite(site)} ${behind(page, sql`p.created_at, p.id`, 'desc')}
      order by p.created_at desc, p.id desc limit ${page.limit + 1}`),
    countPictures(db, site),
  ])
  return { rows, count }
}

export async function countPictures(db: Db, site: SiteKey): Promise<number> {
  return (await db.one(sql<{ count: number }>`select count(*) from site_pictures p where ${ofSite(site)}`)).count
}

export async function findPicture(db: Db, site: SiteKey, id: string): Promise<PictureRow | undefined> {
  return db.find(sql<PictureRow>`select ${columns} from ${kept} where ${ofSite(site)} and p.id = ${id}`)
}

/** Finds a picture by its address, without checking access. */
export async function findPictureByAddress(db: Db, id: string, name: string): Promise<PictureRow | undefined> {
  return db.find(sql<PictureRow>`select ${columns} from ${kept} where p.id = ${id} and p.name = ${name}`)
}

export async function insertPicture(
  tx: Transaction,
  { organization_id, id: siteId }: SiteKey,
  { id, name, blob }: { id: string; name: string; blob: string },
): Promise<void> {
  await tx.run(sql`
    insert into site_pictures (organization_id, site_id, id, name, blob, created_by)
    values (${organization_id}, ${siteId}, ${id}, ${name}, ${blob}, ${tx.by.actorId})`)
}

export async function deletePicture(tx: Transaction, { organization_id, site_id, id }: PictureRow): Promise<void> {
  await tx.run(sql`
    delete from site_pictures where organization_id = ${organization_id} and site_id = ${site_id} and id = ${id}`)
}
