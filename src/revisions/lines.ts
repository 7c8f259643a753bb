import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { type Revision, type RevisionRow, type RevisionType, asRevision } from './revision.ts'
import type { Row } from './entries.ts'

export interface Line {
  organizationId: string
  id: string
  spaceId: string
  head: Revision
}

interface LineRow {
  organization_id: string
  id: string
  space_id: string
  main_id: string | null
  base_seq: number | null
  head_seq: number
  head_id: string
}

const columns = sql`l.organization_id, l.id, l.space_id, l.main_id, l.base_seq, l.head_seq, l.head_id`

export async function findMainLine(db: Db, organizationId: string, spaceId: string): Promise<Line> {
  return asLine(
    await db.find(sql<LineRow>`
    select ${columns} from lines l
    where l.organization_id = ${organizationId} and l.space_id = ${spaceId} and l.main_id is null`),
  )
}

export async function findLine(db: Db, organizationId: string, id: string): Promise<Line> {
  return asLine(
    await db.find(sql<LineRow>`
    select ${columns} from lines l where l.organization_id = ${organizationId} and l.id = ${id}`),
  )
}

/**
 * Holds a line until the transaction ends: whoever writes to it, or changes what may be written, comes here first. The
 * order everywhere: a branch, then its main line, then counters.
 */
export async function lockLine(tx: Transaction, organizationId: string, id: string): Promise<Line> {
  return asLine(
    await tx.find(sql<LineRow>`
    select ${columns} from lines l where l.organization_id = ${organizationId} and l.id = ${id} for update`),
  )
}

function asLine(row: LineRow | undefined): Line {
  // It was there a moment ago: the space went to another organization, or for good, since the caller's rights were checked.
  if (!row) throw conflict('This space was moved or removed in this moment. Try again.')
  const { organization_id: organizationId, id, space_id: spaceId, head_seq: seq, head_id } = row
  return { organizationId, id, spaceId, head: asRevision({ ...row, line_id: id, seq, id: head_id }) }
}

/** A new main line, with its first revision. */
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
    head: { organizationId, lineId: id, seq: 0, id: '00000000-0000-0000-0000-000000000000', base: undefined },
  }
  await tx.run(sql`
    insert into lines (organization_id, id, space_id, head_seq, head_id)
    values (${organizationId}, ${id}, ${spaceId}, 0, ${before.head.id})`)
  return commit(tx, before, { type: 'edits', parents: [], rows, bodies })
}

/** A branch off main as it is now. It has no revision of its own yet: until the first write it is that of main. */
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
  /** On an update: the main revision that the branch stands on from now on. */
  baseSeq?: number
  mergedFrom?: string
  git?: unknown
}

/** Adds one revision to a line that is locked: the rows that changed, and their place among the heads. One statement. */
export async function commit(tx: Transaction, line: Line, write: Write): Promise<Line> {
  const { organizationId, id: lineId, head } = line
  const id = newId()
  const seq = head.seq + 1
  const baseSeq = write.baseSeq ?? head.base?.seq ?? null
  const hashes = [...write.bodies.keys()]
  await tx.run(sql`
    with line as (
      update lines set head_seq = ${seq}, head_id = ${id}, base_seq = ${baseSeq}
      where organization_id = ${organizationId} and id = ${lineId} and head_seq = ${head.seq} returning 1),
    revision as (
      insert into revisions (organization_id, line_id, seq, id, base_seq, parents, type, author_id, merged_from, git)
      select ${organizationId}, ${lineId}, ${seq}::int, ${id}, ${baseSeq}::int, ${write.parents}::uuid[], ${write.type},
        ${tx.by.actorId}, ${write.mergedFrom ?? null}, ${write.git ?? null}::jsonb from line),
    body as (
      insert into documents (organization_id, hash, markdown)
      select ${organizationId}, b.hash, b.markdown from line,
        unnest(${hashes}::text[], ${[...write.bodies.values()]}::text[]) b (hash, markdown)
      on conflict do nothing),
    written as (
      insert into entries (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data)
      select ${organizationId}, ${lineId}, r.entry, ${seq}::int, r.kind, r.state, r.parent, r.slug, r.position, r.doc,
        r.refs, r.data
      from line, jsonb_to_recordset(${JSON.stringify(write.rows)}::jsonb) r (entry uuid, kind int2, state int2, parent uuid,
        slug text, position text, doc text, refs jsonb, data jsonb)
      returning *)
    insert into heads (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data)
    select organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data from written
    on conflict (organization_id, line_id, entry) do update set from_seq = excluded.from_seq, state = excluded.state,
      parent = excluded.parent, slug = excluded.slug, position = excluded.position, doc = excluded.doc,
      refs = excluded.refs, data = excluded.data`)
  const base = head.base && { lineId: head.base.lineId, seq: baseSeq! }
  return { ...line, head: { organizationId, lineId, seq, id, base } }
}

/** A revision of a space by its id, with what is told about it. */
export async function findRevision(
  db: Db,
  organizationId: string,
  spaceId: string,
  id: string,
): Promise<RevisionRow | undefined> {
  return db.find(sql<RevisionRow>`
    select r.organization_id, r.line_id, r.seq, r.id, r.base_seq, l.main_id, l.space_id, r.parents, r.type, r.author_id,
      r.merged_from, r.git, r.created_at
    from revisions r join lines l on l.organization_id = r.organization_id and l.id = r.line_id
    where r.organization_id = ${organizationId} and r.id = ${id} and l.space_id = ${spaceId}`)
}
