import pg from 'pg'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId, nilId } from '../ids.ts'
import { type Revision, type RevisionRow, type RevisionType, asRevision, movedAway } from './revision.ts'
import type { Row } from './entries.ts'

export interface Line {
  organizationId: string
  id: string
  spaceId: string
  head: Revision
}

export interface LineRow {
  organization_id: string
  id: string
  space_id: string
  main_id: string | null
  base_seq: number | null
  head_seq: number
  head_id: string
}

export const lineColumns = sql`l.organization_id, l.id, l.space_id, l.main_id, l.base_seq, l.head_seq, l.head_id`

export async function findMainLine(db: Db, organizationId: string, spaceId: string): Promise<Line> {
  return asLine(
    await db.find(sql<LineRow>`
    select ${lineColumns} from lines l
    where l.organization_id = ${organizationId} and l.space_id = ${spaceId} and l.main_id is null`),
  )
}

export async function findLine(db: Db, organizationId: string, id: string): Promise<Line> {
  return asLine(
    await db.find(sql<LineRow>`
    select ${lineColumns} from lines l where l.organization_id = ${organizationId} and l.id = ${id}`),
  )
}

/**
 * Locks a line until the transaction ends. Anything that writes to it, or changes what may be written, does this first.
 * The lock order everywhere: a branch, then its main line, then counters.
 */
export async function lockLine(tx: Transaction, organizationId: string, id: string): Promise<Line> {
  return asLine(
    await tx.find(sql<LineRow>`
    select ${lineColumns} from lines l where l.organization_id = ${organizationId} and l.id = ${id} for update`),
  )
}

export function asLine(row: LineRow | undefined): Line {
  if (!row) throw movedAway()
  const { organization_id: organizationId, id, space_id: spaceId, head_seq: seq, head_id } = row
  return { organizationId, id, spaceId, head: asRevision({ ...row, line_id: id, seq, id: head_id }) }
}

/** Creates a main line with its first revision. */
export async function startMainLine(
  tx: Transaction,
  organizationId: string,
  spaceId: string,
  rows: Row[],
  bodies: Bodies,
): Promise<Line> {
  const id = newId()
  const before: Line = {
    organizationId,
    id,
    spaceId,
    head: { organizationId, lineId: id, seq: 0, id: nilId, base: undefined },
  }
  await tx.run(sql`
    insert into lines (organization_id, id, space_id, head_seq, head_id)
    values (${organizationId}, ${id}, ${spaceId}, 0, ${before.head.id})`)
  return commit(tx, before, { type: 'edits', parents: [], rows, bodies })
}

/**
 * Creates a branch off the current main. It has no revision of its own yet: until the first write, its head is that of
 * main.
 */
export async function startBranch(tx: Transaction, main: Line): Promise<Line> {
  const { organizationId, spaceId, head } = main
  const id = newId()
  await tx.run(sql`
    insert into lines (organization_id, id, space_id, main_id, base_seq, head_seq, head_id)
    values (${organizationId}, ${id}, ${spaceId}, ${main.id}, ${head.seq}, 0, ${head.id})`)
  return {
    organizationId,
    id,
    spaceId,
    head: { organizationId, lineId: id, seq: 0, id: head.id, base: { lineId: main.id, seq: head.seq } },
  }
}

/** New bodies by their hash. */
export type Bodies = ReadonlyMap<string, string>

export interface Write {
  type: RevisionType
  parents: string[]
  rows: Row[]
  bodies: Bodies
  /** On an update: the main revision that the branch is based on from then on. */
  baseSeq?: number
  mergedFrom?: string
  /** The head of another line that this write depends on: that line must not have moved either. */
  branch?: Revision
  git?: unknown
}

/** The line was written to since it was read, or the write is no longer allowed. Nothing was written. */
export class LineMoved extends Error {}

/** Adds one revision to a line: the changed rows, also as the new `heads`. */
export async function commit(tx: Transaction, line: Line, write: Write): Promise<Line> {
  const { line: next, written } = sendCommit(tx, line, write)
  await written
  return next
}

/**
 * The same without waiting, so that more can be sent right behind it. It is one statement and needs no lock: it writes
 * if the head of the line is still the one that was read, and if `allowed`, a statement that builds on the table
 * `line`, returns a row. Otherwise the revision would get no id. The database refuses that, and with it the whole
 * transaction, including everything sent behind it: `written` and the commit fail with `LineMoved`.
 */
export function sendCommit<Answer>(
  tx: Transaction,
  line: Line,
  write: Write,
  allowed: Statement<Answer> = sql<Answer>`select 1 from line`,
): { line: Line; written: Promise<Answer> } {
  const { organizationId, id: lineId, head } = line
  const id = newId()
  const seq = head.seq + 1
  const baseSeq = write.baseSeq ?? head.base?.seq ?? null
  const hashes = [...write.bodies.keys()]
  const written = tx
    .one(
      sql<Answer>`
    with ${write.branch ? sql`branch as (${heldAt(write.branch)}),` : nothing}
    line as (
      update lines set head_seq = ${seq}, head_id = ${id}, base_seq = ${baseSeq}
      where organization_id = ${organizationId} and id = ${lineId} and head_seq = ${head.seq}
        ${write.branch ? sql`and exists (select from branch)` : nothing} returning head_id),
    allowed as (${allowed}),
    revision as (
      insert into revisions (organization_id, line_id, seq, id, base_seq, parents, type, author_id, merged_from, git)
      values (${organizationId}, ${lineId}, ${seq}, (select ${id}::uuid from allowed), ${baseSeq},
        ${write.parents}::uuid[], ${write.type}, ${tx.by.actorId}, ${write.mergedFrom ?? null}, ${write.git ?? null}::jsonb)),
    body as (
      insert into documents (organization_id, hash, markdown)
      select ${organizationId}, b.hash, b.markdown from allowed,
        unnest(${hashes}::text[], ${[...write.bodies.values()]}::text[]) b (hash, markdown)
      on conflict do nothing),
    written as (
      insert into entries (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data)
      select ${organizationId}, ${lineId}, r.entry, ${seq}::int, r.kind, r.state, r.parent, r.slug, r.position, r.doc,
        r.refs, r.data
      from allowed, jsonb_to_recordset(${JSON.stringify(write.rows)}::jsonb) r (entry uuid, kind int2, state int2,
        parent uuid, slug text, position text, doc text, refs jsonb, data jsonb)
      returning *),
    head as (
      insert into heads (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data)
      select organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data from written
      on conflict (organization_id, line_id, entry) do update set from_seq = excluded.from_seq, state = excluded.state,
        parent = excluded.parent, slug = excluded.slug, position = excluded.position, doc = excluded.doc,
        refs = excluded.refs, data = excluded.data)
    select * from allowed`,
    )
    .catch(nameMove)
  tx.later(written)
  if (!head.base) tx.tell({ kind: 'line', id: lineId, seq })
  const base = head.base && { lineId: head.base.lineId, seq: baseSeq! }
  return { line: { ...line, head: { organizationId, lineId, seq, id, base } }, written }
}

/** Locked first, because the order everywhere is a branch, then its main line. */
const heldAt = ({ organizationId, lineId, seq }: Revision) => sql`
  select 1 from lines where organization_id = ${organizationId} and id = ${lineId} and head_seq = ${seq} for update`

function nameMove(error: unknown): never {
  const isMove = error instanceof pg.DatabaseError && error.table === 'revisions' && error.column === 'id'
  throw isMove ? new LineMoved('The line has moved', { cause: error }) : error
}

/**
 * Returns a revision of a space by its id, with its metadata. Looks up the line from the revision, because a space may
 * have thousands of lines.
 */
export async function findRevision(
  db: Db,
  organizationId: string,
  spaceId: string,
  id: string,
): Promise<RevisionRow | undefined> {
  return db.find(sql<RevisionRow>`
    select r.organization_id, r.line_id, r.seq, r.id, r.base_seq, l.main_id, l.space_id, r.parents, r.type, r.author_id,
      r.merged_from, r.git, r.created_at
    from revisions r cross join lateral (
      select main_id, space_id from lines where organization_id = r.organization_id and id = r.line_id limit 1) l
    where r.organization_id = ${organizationId} and r.id = ${id} and l.space_id = ${spaceId}`)
}
