import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { KnownRow } from '../../search/indexing/index.queries.ts'

/** Incremented when rows are generated in a different way: all of them are then written again. */
const method = 5

/** A space whose generated pages are not up to date in the search index. */
export interface BehindSpace {
  organization_id: string
  space_id: string
  stamp: string
}

/**
 * Lists the spaces to index. Lines that ever had a computed page are few, and found by an index. What counts is when
 * these pages last changed or were deleted, and the specifications they are computed from. Changes to other pages do
 * not matter.
 */
export async function listBehindGenerated(db: Db, limit: number): Promise<BehindSpace[]> {
  return db.all(
    sql<BehindSpace>`
    select s.organization_id, s.id as space_id, now.stamp
    from (
      select organization_id, line_id, array_agg(distinct entry) as pages,
        array_agg(distinct data #>> '{computed,dependencies,spec,ref,spec}') as specs
      from entries where kind = 1 and data ->> 'type' = 'computed' group by organization_id, line_id) c
    join lines l on l.organization_id = c.organization_id and l.id = c.line_id and l.main_id is null
    join spaces s on s.organization_id = l.organization_id and s.id = l.space_id and s.deleted_at is null
    cross join lateral (
      select max(e.from_seq) as seq from entries e
      where e.organization_id = c.organization_id and e.line_id = c.line_id and e.entry = any (c.pages)) changed
    cross join lateral (
      select concat_ws(' ', ${method}::text, changed.seq, s.language,
        md5(string_agg(o.slug || coalesce(o.last_version::text, ''), ' ' order by o.slug))) as stamp
      from openapi_specs o where o.organization_id = s.organization_id and o.slug = any (c.specs)) now
    left join search_generated x on x.organization_id = s.organization_id and x.space_id = s.id
    where x.stamp is distinct from now.stamp
    order by s.id limit ${limit}`.asSlow(),
  )
}

/** The lock is held until the transaction ends. */
export async function lockGenerated(tx: Transaction, { organization_id, space_id, stamp }: BehindSpace): Promise<void> {
  await tx.run(sql`
    insert into search_generated (organization_id, space_id, stamp) values (${organization_id}, ${space_id}, ${stamp})
    on conflict (organization_id, space_id) do update set stamp = excluded.stamp`)
}

/** Lists the index rows of generated pages: only their ids are of version 8. */
export async function listIndexedGenerated(db: Db, { organization_id, space_id }: BehindSpace): Promise<KnownRow[]> {
  return db.all(
    sql<KnownRow>`
    select page_id, anchor, part, hash from search_sections
    where organization_id = ${organization_id} and space_id = ${space_id}
      and substr(page_id::text, 15, 1) = '8'`.asSlow(),
  )
}
