import type { Db } from '../db/connect.ts'
import { type Statement, join, sql } from '../db/sql.ts'
import { nilId } from '../ids.ts'
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

/**
 * Resets the age of bytes that are stored already, so that the sweep leaves them to the caller that is about to use
 * them.
 */
export async function upsertBlob(db: Db, organizationId: string, blob: Inspected): Promise<void> {
  const { hash, size, contentType, width = null, height = null } = blob
  await db.run(sql`
    insert into blobs (organization_id, hash, size, content_type, width, height)
    values (${organizationId}, ${hash}, ${size}, ${contentType}, ${width}, ${height})
    on conflict (organization_id, hash) do update set created_at = now()`)
}

const uses = [
  sql`select from entries e where e.organization_id = x.organization_id and e.blob = x.hash`,
  sql`select from uploads u where u.organization_id = x.organization_id and u.blob = x.hash`,
  sql`select from site_pictures p where p.organization_id = x.organization_id and p.blob = x.hash`,
  sql`select from font_faces c where c.organization_id = x.organization_id and c.blob = x.hash`,
  sql`select from git_files f where f.organization_id = x.organization_id and f.blob = x.hash`,
  sql`select from openapi_specs s where s.organization_id = x.organization_id and s.source_blob = x.hash`,
  sql`select from openapi_spec_versions v where v.organization_id = x.organization_id and v.document_blob = x.hash`,
  sql`select from openapi_spec_versions v where v.organization_id = x.organization_id and v.externals_blob = x.hash`,
  sql`select from openapi_spec_versions v where v.organization_id = x.organization_id and v.source_blob = x.hash`,
]

const isUsed = join(
  uses.map((use) => sql`exists (${use})`),
  sql` or `,
)

/** Not written as the negation of `isUsed`: in this form, the database can use joins. */
const isUnused = join(
  uses.map((use) => sql`not exists (${use})`),
  sql` and `,
)

export type BlobKey = Pick<BlobRow, 'organization_id' | 'hash'>
type SizedBlob = BlobKey & Pick<BlobRow, 'size'>

/** Those after `after`, in the order of their keys. */
export function usedBlobs(after: BlobKey | undefined, limit: number): Statement<SizedBlob> {
  const { organization_id = nilId, hash = '' } = after ?? {}
  return sql<SizedBlob>`
    select x.organization_id, x.hash, x.size from blobs x
    where (x.organization_id, x.hash) > (${organization_id}::uuid, ${hash}) and (${isUsed})
    order by x.organization_id, x.hash limit ${limit}`.asSlow()
}

export async function listUsedBlobs(db: Db, after: BlobKey | undefined, limit: number): Promise<SizedBlob[]> {
  return db.all(usedBlobs(after, limit))
}

/** Describes for people what has these bytes: a file of a space, a specification, a picture of a site or a font. */
export async function findNameOfBlob(db: Db, { organization_id, hash }: BlobKey): Promise<string | undefined> {
  const found = await db.find(
    sql<{ name: string }>`
    (select format('"%s" of the space "%s" (%s)', e.data ->> 'name', s.title, s.id) as name from entries e
      join lines l on l.organization_id = e.organization_id and l.id = e.line_id
      join spaces s on s.organization_id = l.organization_id and s.id = l.space_id
      where e.organization_id = ${organization_id} and e.blob = ${hash} limit 1)
    union all
    (select format('the specification "%s"', s.slug) from openapi_spec_versions v
      join openapi_specs s on s.organization_id = v.organization_id and s.id = v.spec_id
      where v.organization_id = ${organization_id} and ${hash} in (v.document_blob, v.externals_blob, v.source_blob) limit 1)
    union all
    (select format('the picture "%s" of the site "%s"', p.name, s.title) from site_pictures p
      join sites s on s.organization_id = p.organization_id and s.id = p.site_id
      where p.organization_id = ${organization_id} and p.blob = ${hash} limit 1)
    union all
    (select format('"%s" of the font "%s"', c.name, f.family) from font_faces c
      join fonts f on f.organization_id = c.organization_id and f.id = c.font_id
      where c.organization_id = ${organization_id} and c.blob = ${hash} limit 1)
    limit 1`.asSlow(),
  )
  return found?.name
}

/** The position of a walk through all blobs, the oldest first. */
export type BlobPlace = BlobKey & { created_at: string }

export const firstBlob: BlobPlace = { created_at: '-infinity', organization_id: nilId, hash: '' }

export interface BlobsLooked {
  removed: BlobKey[]
  /** Null at the end. */
  last: BlobPlace | null
}

const byAge = (blob: Statement) => sql`${blob}.created_at, ${blob}.organization_id, ${blob}.hash`
const hadADay = sql`x.created_at < now() - interval '1 day'`

/**
 * Examines the next blobs that have had a day to be used, and deletes the rows of those that nothing uses, at most
 * `limit` of them. Not all blobs each time: there may be millions, and nearly all of them are used. If the statement
 * were planned anew, it would read everything that could use them for every few thousand.
 */
export async function deleteUnusedBlobs(
  db: Db,
  after: BlobPlace,
  { look, limit }: { look: number; limit: number },
): Promise<BlobsLooked> {
  const newest = (blobs: Statement) => sql`(
      select to_jsonb(${blobs}) from ${blobs} order by created_at desc, organization_id desc, hash desc limit 1)`
  return db.one(
    sql<BlobsLooked>`
    with next as materialized (
      select ${byAge(sql`x`)} from blobs x
      where ${hadADay} and x.created_at >= ${after.created_at}::timestamptz
        and (${byAge(sql`x`)}) > (${after.created_at}::timestamptz, ${after.organization_id}::uuid, ${after.hash})
      order by ${byAge(sql`x`)} limit ${look}),
    unused as materialized (
      select ${byAge(sql`x`)} from next x where ${isUnused} order by ${byAge(sql`x`)} limit ${limit}),
    locked as materialized (
      select x.organization_id, x.hash from unused join blobs x on x.organization_id = unused.organization_id
        and x.hash = unused.hash where ${hadADay} for update of x skip locked),
    removed as (
      delete from blobs b using locked where b.organization_id = locked.organization_id and b.hash = locked.hash
      returning b.organization_id, b.hash)
    select (select coalesce(jsonb_agg(to_jsonb(removed)), '[]') from removed) as removed,
      case when (select count(*) from unused) = ${limit} then ${newest(sql`unused`)} else ${newest(sql`next`)} end as last`.asLong(),
  )
}
