import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import { type Entry, childrenOf, columns, newest, page, top, walkTo } from './entries.ts'
import type { Revision } from './revision.ts'

/** A page with everything its response shows: its body, the pages above it (nearest first), and everything below it. */
export interface Kin {
  self: Entry
  markdown: string
  above: Entry[]
  below: Entry[]
}

export async function findPage(db: Db, at: Revision, id: string): Promise<Kin | undefined> {
  return findKin(db, at, sql`wanted as (select ${id}::uuid as entry)`)
}

/** Returns the page at a path of slugs, from the top. */
export async function findPageByPath(db: Db, at: Revision, slugs: string[]): Promise<Kin | undefined> {
  return findKin(db, at, walkTo(at, slugs))
}

type KinRow = Entry & { depth: number; markdown: string | null }

/**
 * One statement with one round trip: negative depths are above the page, positive ones below. The body is not joined: a
 * planner that expects many rows below would read all documents for it.
 */
async function findKin(db: Db, at: Revision, wanted: Statement): Promise<Kin | undefined> {
  const rows = await db.all(sql<KinRow>`
    with recursive ${wanted},
    self as (
      select ${columns} from wanted cross join lateral ${newest(at, sql`wanted.entry`)} e
      where e.state = 0 and e.kind = ${page}),
    up as (
      select 0 as depth, ${columns} from self e
      union all
      select up.depth - 1, ${columns} from up cross join lateral ${newest(at, sql`up.parent`)} e
      where up.parent <> ${top} and e.state = 0),
    down as (
      select 0 as depth, ${columns} from self e
      union all
      select down.depth + 1, ${columns} from down cross join lateral ${childrenOf(at, sql`down.entry`)} e)
    select e.*, case when e.depth = 0 then (
      select d.markdown from documents d where d.organization_id = ${at.organizationId} and d.hash = e.doc) end as markdown
    from (select * from up union all select * from down where depth > 0) e`)
  const self = rows.find(({ depth }) => depth === 0)
  if (!self) return undefined
  return {
    self,
    markdown: self.markdown ?? '',
    above: rows.filter(({ depth }) => depth < 0).toSorted((a, b) => b.depth - a.depth),
    below: rows.filter(({ depth }) => depth > 0),
  }
}
