import { named } from '../change-requests/queries.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Page } from '../http/paging.ts'
import { type Entry, columns, page as pageKind } from '../revisions/entries.ts'
import { findLine } from '../revisions/lines.ts'
import type { RevisionRow } from '../revisions/revision.ts'
import type { Person } from '../users/present.ts'
import { asPerson } from '../users/queries.ts'

type Head = Pick<RevisionRow, 'organization_id' | 'line_id' | 'seq' | 'id' | 'base_seq' | 'main_id'>

/** Finds it by id, or by its number in the space. */
export async function findHeadOfChangeRequest(
  db: Db,
  space: SpaceRow,
  idOrNumber: string,
): Promise<(Head & { number: number }) | undefined> {
  return db.find(sql<Head & { number: number }>`
    select r.number, l.organization_id, l.id as line_id, l.head_seq as seq, l.head_id as id, l.base_seq, l.main_id
    from change_requests r join lines l on l.organization_id = r.organization_id and l.id = r.line_id
    where r.organization_id = ${space.organization_id} and r.space_id = ${space.id} and ${named(idOrNumber)}`)
}

/** Returns a body that some entry of the space has, or had. */
export async function findDocument(db: Db, space: SpaceRow, hash: string): Promise<string | undefined> {
  const found = await db.find(sql<{ markdown: string }>`
    select d.markdown from documents d
    where d.organization_id = ${space.organization_id} and d.hash = ${hash} and exists (
      select from entries e join lines l on l.organization_id = e.organization_id and l.id = e.line_id
      where e.organization_id = d.organization_id and e.doc = d.hash and l.space_id = ${space.id})`)
  return found?.markdown
}

export type RevisionWithCounts = RevisionRow & {
  author: Person | null
  number: number | null
  subject: string | null
  pages: number
  files: number
  reusable_contents: number
  variables: number
}

/** Lists the revisions of the main line of a space, newest first. */
export async function listRevisions(db: Db, lineId: string, space: SpaceRow, page: Page) {
  const behind = page.after ? sql`and r.seq < ${page.after[0]}` : nothing
  const [rows, { head }] = await Promise.all([
    db.all(withCounts(space, lineId, sql`${behind} order by r.seq desc limit ${page.limit + 1}`).asSlow()),
    findLine(db, space.organization_id, lineId),
  ])
  // Revisions of a line are numbered without gaps.
  return { rows, count: head.seq }
}

/** Lists the revisions in which a page was created, changed or deleted. */
export async function listRevisionsOfPage(db: Db, lineId: string, space: SpaceRow, pageId: string, page: Page) {
  const versions = sql`
    from entries e where e.organization_id = ${space.organization_id} and e.line_id = ${lineId} and e.entry = ${pageId}`
  const behind = page.after ? sql`and r.seq < ${page.after[0]}` : nothing
  const which = sql`and r.seq in (select e.from_seq ${versions}) ${behind} order by r.seq desc limit ${page.limit + 1}`
  const [rows, { count }] = await Promise.all([
    db.all(withCounts(space, lineId, which).asSlow()),
    db.one(sql<{ count: number }>`select count(*) ${versions}`),
  ])
  return { rows, count }
}

/** Returns a page as it is on a line, or as it was before it was deleted. */
export async function findPageOnceThere(db: Db, lineId: string, space: SpaceRow, pageId: string) {
  return db.find(sql<Entry>`
    select ${columns} from entries e
    where e.organization_id = ${space.organization_id} and e.line_id = ${lineId} and e.entry = ${pageId}
      and e.kind = ${pageKind} and e.state = 0
    order by e.from_seq desc limit 1`)
}

/** Returns one revision of the line. */
export async function findRevisionShown(db: Db, lineId: string, space: SpaceRow, id: string) {
  return db.find(withCounts(space, lineId, sql`and r.id = ${id}`))
}

/** Selects revisions of a line. `which` is the condition. */
const withCounts = (space: SpaceRow, lineId: string, which: Statement) => sql<RevisionWithCounts>`
  select r.*, l.space_id, l.main_id, changed.*, c.number, c.subject, ${asPerson(sql`u`)} as author
  from (select organization_id, line_id, seq, id, base_seq, parents, type, author_id, merged_from, git, created_at
    from revisions r where r.organization_id = ${space.organization_id} and r.line_id = ${lineId} ${which}) r
  join lines l on l.organization_id = r.organization_id and l.id = r.line_id
  left join users u on u.id = r.author_id
  left join change_requests c on c.organization_id = r.organization_id and c.id = r.merged_from
  cross join lateral (
    select count(*) filter (where e.kind = 1) as pages, count(*) filter (where e.kind = 2) as files,
      count(*) filter (where e.kind = 3) as reusable_contents, count(*) filter (where e.kind = 4) as variables
    from entries e
    where e.organization_id = r.organization_id and e.line_id = r.line_id and e.from_seq = r.seq) changed
  order by r.seq desc`
