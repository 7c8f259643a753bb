import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/**
 * Removes those of these bodies that nothing refers to any more. Reference counts would be another row that all writers
 * wait for, and they would drift. If a writer starts to use a body at the same moment, the foreign key makes either
 * that writer or this statement fail, and the one that fails tries again.
 */
export async function sweepBodies(db: Db, organizationId: string, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return
  await db.run(
    sql`
    delete from documents d where d.organization_id = ${organizationId} and d.hash = any (${hashes}::text[])
      and not exists (select from entries e where e.organization_id = d.organization_id and e.doc = d.hash)`.asSlow(),
  )
}

/** Lists the hashes of all bodies and files that any line of these spaces, or their repositories, ever referred to. */
export async function listUsed(db: Db, organizationId: string, spaceIds: string[]) {
  const { docs, blobs } = await db.one(
    sql<{ docs: string[] | null; blobs: string[] | null }>`
    select array_agg(distinct e.doc) filter (where e.doc is not null) as docs,
      array_agg(distinct e.blob) filter (where e.blob is not null) || (select array_agg(distinct f.blob) from git_files f
        where f.organization_id = ${organizationId} and f.space_id = any (${spaceIds}::uuid[])) as blobs
    from lines l join entries e on e.organization_id = l.organization_id and e.line_id = l.id
    where l.organization_id = ${organizationId} and l.space_id = any (${spaceIds}::uuid[])`.asSlow(),
  )
  return { docs: docs ?? [], blobs: [...new Set(blobs ?? [])] }
}

/** Copies bodies for another organization. */
export async function copyBodies(db: Db, from: string, to: string, hashes: string[]): Promise<void> {
  await db.run(
    sql`
    insert into documents (organization_id, hash, markdown)
    select ${to}, hash, markdown from documents where organization_id = ${from} and hash = any (${hashes}::text[])
    on conflict do nothing`.asSlow(),
  )
}
