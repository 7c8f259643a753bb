import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import { type Entry, columns as entryColumns, page, reusable } from '../revisions/entries.ts'
import { type LinkRow, columns, ofLine } from './queries.ts'

/** A space that others link to, and that has changed since its links were last followed. */
export interface LinkedSpace {
  organization_id: string
  target_space: string
  seen_seq: number
  line_id: string
  head_seq: number
  head_id: string
}

export async function listChangedTargets(db: Db): Promise<LinkedSpace[]> {
  return db.all(
    sql<LinkedSpace>`
    select t.organization_id, t.target_space, t.seen_seq, l.id as line_id, l.head_seq, l.head_id
    from linked_spaces t join lines l
      on l.organization_id = t.organization_id and l.space_id = t.target_space and l.main_id is null
    where l.head_seq > t.seen_seq
    order by t.target_space`.asSlow(),
  )
}

/** Has no effect if another update was requested meanwhile. */
export async function markSeen(db: Db, space: LinkedSpace): Promise<void> {
  await db.run(sql`
    update linked_spaces set seen_seq = ${space.head_seq}
    where organization_id = ${space.organization_id} and target_space = ${space.target_space}
      and seen_seq = ${space.seen_seq}`)
}

/** Lists the main lines with links to a space. */
export async function listLinesInto(db: Db, { organization_id, target_space }: LinkedSpace): Promise<string[]> {
  const rows = await db.all(
    sql<{ line_id: string }>`
    select distinct line_id from links where organization_id = ${organization_id} and target_space = ${target_space}`.asSlow(),
  )
  return rows.map(({ line_id }) => line_id)
}

/** Lists the links of a line to another space, by source and position. */
export async function listLinksInto(
  db: Db,
  lineId: string,
  { organization_id: organizationId, target_space }: LinkedSpace,
  limit: number,
  after: Pick<LinkRow, 'source' | 'ord'> | undefined,
): Promise<LinkRow[]> {
  const behind = after ? sql`and (l.source, l.ord) > (${after.source}::uuid, ${after.ord}::int)` : nothing
  return db.all(
    sql<LinkRow>`
    select ${columns} from links l where ${ofLine({ organizationId, lineId })} and l.target_space = ${target_space} ${behind}
    order by l.source, l.ord limit ${limit}`.asSlow(),
  )
}

/** A space whose links have not all been found yet. */
export interface Backlog {
  organization_id: string
  space_id: string
  up_to: string
}

export async function listBacklog(db: Db): Promise<Backlog[]> {
  return db.all(sql<Backlog>`select organization_id, space_id, up_to from link_backlog order by space_id`.asSlow())
}

/** Lists the next entries that may have links. */
export async function listNextEntries(db: Db, { organization_id, up_to }: Backlog, lineId: string, limit: number) {
  return db.all(
    sql<Entry>`
    select ${entryColumns} from heads e where e.organization_id = ${organization_id} and e.line_id = ${lineId}
      and e.entry > ${up_to} and e.kind in (${page}, ${reusable}) and e.state = 0
    order by e.entry limit ${limit}`.asSlow(),
  )
}

export async function moveBacklog(db: Db, { organization_id, space_id }: Backlog, upTo: string): Promise<void> {
  await db.run(sql`
    update link_backlog set up_to = greatest(up_to, ${upTo})
    where organization_id = ${organization_id} and space_id = ${space_id}`)
}

export async function endBacklog(db: Db, { organization_id, space_id }: Backlog): Promise<void> {
  await db.run(sql`delete from link_backlog where organization_id = ${organization_id} and space_id = ${space_id}`)
}
