import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import { type Kind, type MainAt, childrenOf, newest, occupant, page, top } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'

/** A possible target of a link. */
export interface Target {
  entry: string
  kind: Kind
  doc: string | null
  title: string | null
}

/** Returns those of the entries that a revision contains. */
export async function listTargets(db: Db, at: Revision, ids: readonly string[]): Promise<Target[]> {
  if (ids.length === 0) return []
  return db.all(sql<Target>`
    select e.entry, e.kind, e.doc, e.data ->> 'title' as title
    from unnest(${ids}::uuid[]) wanted (id) cross join lateral ${newest(at, sql`wanted.id`)} e
    where e.state = 0`)
}

/**
 * Finds the pages that these paths refer to in a revision: the page that is at the path, otherwise the page that was
 * there last, if it still exists anywhere. So no rename and no move breaks a link, not even a link that was written
 * before the page existed.
 */
export async function findPagesByPath(
  db: Db,
  at: Revision,
  paths: readonly string[],
): Promise<(Target & { path: string })[]> {
  if (paths.length === 0) return []
  const slug = sql`split_part(walk.path, '/', walk.depth + 1)`
  return db.all(sql<Target & { path: string }>`
    with recursive walk (path, steps, depth, entry) as (
      select path, array_length(string_to_array(path, '/'), 1), 0, ${top}::uuid from unnest(${paths}::text[]) path
      union all
      select walk.path, walk.steps, walk.depth + 1, next.entry from walk
      cross join lateral (
        select candidates.entry from (
          select 0 as turn, entry from ${occupant(at, sql`walk.entry`, slug)} standing
          union all ${stoodThere(at, sql`walk.entry`, slug)}) candidates
        order by turn limit 1) next
      where walk.depth < walk.steps
    )
    select walk.path, e.entry, e.kind, e.doc, e.data ->> 'title' as title
    from walk cross join lateral ${newest(at, sql`walk.entry`)} e
    where walk.depth = walk.steps and e.state = 0`)
}

/** The page that was last at this address, first on the branch, then on main, and is elsewhere by now. */
function stoodThere(at: Revision, parent: Statement, slug: Statement): Statement {
  const own = lastAt(at, 1, parent, slug, at)
  if (!at.base) return own
  return sql`${own} union all ${lastAt({ organizationId: at.organizationId, ...at.base }, 2, parent, slug, at)}`
}

function lastAt(line: MainAt, turn: number, parent: Statement, slug: Statement, at: Revision): Statement {
  return sql`select ${turn}::int, last.entry from (
      select e.entry from entries e
      where e.organization_id = ${line.organizationId} and e.line_id = ${line.lineId} and e.parent = ${parent}
        and e.kind = ${page} and e.slug = ${slug} and e.state = 0 and e.from_seq <= ${line.seq}
      order by e.from_seq desc limit 1) last
    where exists (select from ${newest(at, sql`last.entry`)} now where now.state = 0)`
}

/** The first page of a revision. */
export async function findFirstPage(db: Db, at: Revision): Promise<Target | undefined> {
  return db.find(
    sql<Target>`select e.entry, e.kind, e.doc, e.data ->> 'title' as title from ${childrenOf(at, sql`${top}::uuid`)} e
    order by e.position, e.entry limit 1`.asSlow(),
  )
}

export interface MainLine {
  spaceId: string
  head: Revision
}

/** Lists the main lines of these spaces, as far as they belong to this organization. */
export async function listMainLines(db: Db, organizationId: string, spaceIds: readonly string[]): Promise<MainLine[]> {
  if (spaceIds.length === 0) return []
  const rows = await db.all(sql<{ space_id: string; id: string; head_seq: number; head_id: string }>`
    select space_id, id, head_seq, head_id from lines
    where organization_id = ${organizationId} and space_id = any (${spaceIds}::uuid[]) and main_id is null`)
  return rows.map(({ space_id: spaceId, id: lineId, head_seq: seq, head_id: id }) => ({
    spaceId,
    head: { organizationId, lineId, seq, id, base: undefined },
  }))
}
