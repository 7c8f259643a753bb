import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Inspected } from './inspect.ts'

export interface BlobRow {
  organization_id: string
  hash: string
  size: number
  content_type: string
  width: number | null
  height: number | null
}

const columns = sql`b.organization_id, b.hash, b.size, b.content_type, b.width, b.height`

export async function findBlob(db: Db, organizationId: string, hash: string): Promise<BlobRow | undefined> {
  return db.find(sql<BlobRow>`
    select ${columns} from blobs b where b.organization_id = ${organizationId} and b.hash = ${hash}`)
}

/** Bytes that are kept already become young again: the sweep leaves them to whoever is about to use them. */
export async function upsertBlob(db: Db, organizationId: string, blob: Inspected): Promise<void> {
  const { hash, size, contentType, width = null, height = null } = blob
  await db.run(sql`
    insert into blobs (organization_id, hash, size, content_type, width, height)
    values (${organizationId}, ${hash}, ${size}, ${contentType}, ${width}, ${height})
    on conflict (organization_id, hash) do update set created_at = now()`)
}

/** Of blobs that have had a day to be used, those that nothing uses; they are gone from the table with this. */
export async function deleteUnusedBlobs(db: Db, limit: number): Promise<{ organization_id: string; hash: string }[]> {
  return db.all(
    sql<{ organization_id: string; hash: string }>`
    delete from blobs b where (b.organization_id, b.hash) in (
      select x.organization_id, x.hash from blobs x
      where x.created_at < now() - interval '1 day'
        and not exists (select from entries e where e.organization_id = x.organization_id and e.blob = x.hash)
        and not exists (select from uploads u where u.organization_id = x.organization_id and u.blob = x.hash)
        and not exists (select from git_files f where f.organization_id = x.organization_id and f.blob = x.hash)
        and not exists (select from openapi_specs s where s.organization_id = x.organization_id and s.source_blob = x.hash)
        and not exists (select from openapi_spec_versions v where v.organization_id = x.organization_id and v.document_blob = x.hash)
        and not exists (select from openapi_spec_versions v where v.organization_id = x.organization_id and v.externals_blob = x.hash)
        and not exists (select from openapi_spec_versions v where v.organization_id = x.organization_id and v.source_blob = x.hash)
      order by x.created_at limit ${limit} for update skip locked)
    returning b.organization_id, b.hash`.asSlow(),
  )
}
