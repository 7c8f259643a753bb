import { type Entry, type Kind, type Row, isHere, top } from '../content/merge/entry.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { Revision } from './revision.ts'

export { type Entry, type Kind, type Row, isHere, top }

export const page = 1 satisfies Kind
export const file = 2 satisfies Kind
export const reusable = 3 satisfies Kind
export const variable = 4 satisfies Kind

export const columns = sql`e.entry, e.kind, e.state, e.parent, e.slug, e.position, e.doc, e.refs, e.data`

/** Returns an entry as it is in a revision. */
export async function findEntry(db: Db, at: Revision, entry: string): Promise<Entry | undefined> {
  return (await listEntries(db, at, [entry]))[0]
}

/**
 * Whether an entry existed and was deleted. If a branch both created and deleted it, only a row on the branch is left.
 */
export async function isDeletedIn(db: Db, at: Revision, entry: string): Promise<boolean> {
  const { deleted } = await db.one(sql<{ deleted: boolean }>`
    select coalesce((select e.state <> 0 from ${newest(at, sql`${entry}::uuid`)} e),
      exists (select from ${newestOn(at, sql`${entry}::uuid`)} own)) as deleted`)
  return deleted
}

/** Returns those of these entries that exist, in any order. */
export async function listEntries(db: Db, at: Revision, entries: string[]): Promise<Entry[]> {
  if (entries.length === 0) return []
  return db.all(sql<Entry>`
    select ${columns} from unnest(${entries}::uuid[]) wanted (id) cross join lateral ${newest(at, sql`wanted.id`)} e
    where e.state = 0`)
}

/** Returns the page at a path of slugs. */
export async function findByPath(db: Db, at: Revision, slugs: string[]): Promise<Entry | undefined> {
  const found = await db.find(sql<{ entry: string }>`
    with recursive ${walkTo(at, slugs)} select entry from wanted`)
  return found && findEntry(db, at, found.entry)
}

/** Defines `wanted`: the page at a path of slugs, from the top. Walks down in one statement, with one round trip. */
export function walkTo(at: Revision, slugs: string[]): Statement {
  return sql`walk (depth, entry) as (
      select 0, ${top}::uuid
      union all
      select walk.depth + 1, next.entry from walk
      cross join lateral ${occupant(at, sql`walk.entry`, sql`(${slugs}::text[])[walk.depth + 1]`)} next
      where walk.depth < ${slugs.length}),
    wanted as (select entry from walk where depth = ${slugs.length} and depth > 0)`
}

/** Returns the entries that occupy these addresses. */
export async function listOccupants(
  db: Db,
  at: Revision,
  slots: { parent: string; kind: Kind; slug: string }[],
): Promise<Entry[]> {
  if (slots.length === 0) return []
  return db.all(sql<Entry>`
    select ${columns} from unnest(${slots.map((slot) => slot.parent)}::uuid[], ${slots.map((slot) => slot.kind)}::int2[],
      ${slots.map((slot) => slot.slug)}::text[]) wanted (parent, kind, slug)
    cross join lateral ${occupant(at, sql`wanted.parent`, sql`wanted.slug`, sql`wanted.kind`)} next
    cross join lateral ${newest(at, sql`next.entry`)} e
    where e.state = 0`)
}

/** Returns the children of these pages, in any order. */
export async function listChildren(db: Db, at: Revision, parents: string[]): Promise<Entry[]> {
  if (parents.length === 0) return []
  return db.all(sql<Entry>`${below(at, sql`e.parent = any (${parents}::uuid[])`)}`.asLong())
}

export interface Place {
  entry: string
  position: string
}

/** Returns the order of a page's children: only the values that determine it, since there may be very many. */
export async function listPlaces(db: Db, at: Revision, parent: string): Promise<Place[]> {
  return db.all(sql<Place>`select e.entry, e.position from (${below(at, sql`e.parent = ${parent}`)}) e`.asLong())
}

/** Returns the last places in that order. */
export async function listLastPlaces(db: Db, at: Revision, parent: string, limit: number): Promise<Place[]> {
  return db.all(
    sql<Place>`select e.entry, e.position from (${below(at, sql`e.parent = ${parent}`)}) e
    order by e.position desc, e.entry desc limit ${limit}`.asLong(),
  )
}

/** Returns these entries and all their ancestors. An entry that is named several times is looked up once. */
export async function listWithAncestors(db: Db, at: Revision, entries: string[]): Promise<Entry[]> {
  if (entries.length === 0) return []
  const wanted = [...new Set(entries)]
  return db.all(
    sql<Entry>`
    with recursive up as (
      select ${columns} from unnest(${wanted}::uuid[]) wanted (id) cross join lateral ${newest(at, sql`wanted.id`)} e
      where e.state = 0
      union
      select ${columns} from up cross join lateral ${newest(at, sql`up.parent`)} e
      where up.parent <> ${top} and e.state = 0
    )
    select distinct on (entry) * from up`,
  )
}

/** Returns these pages and everything below them. */
export async function listSubtrees(db: Db, at: Revision, roots: string[]): Promise<Entry[]> {
  const all = await listEntries(db, at, roots)
  for (let level = all; level.length > 0;) {
    level = await listChildren(
      db,
      at,
      level.map(({ entry }) => entry),
    )
    all.push(...level)
  }
  return [...new Map(all.map((entry) => [entry.entry, entry])).values()]
}

/**
 * Returns all entries of one kind in a revision, in any order. Linear in the size of the space, so callers cache the
 * result.
 */
export async function listAll(db: Db, at: Revision, kind: Kind): Promise<Entry[]> {
  const rows = await db.all(sql<Packed>`select ${packedColumns} from (${whole(at, kind)}) e`.asSlow())
  return unpack(rows, kind)
}

/**
 * An entry whose JSON is not parsed yet (`refs`, then `data`), without the columns that are the same in all of them.
 */
type Packed = Pick<Entry, 'entry' | 'parent' | 'slug' | 'position' | 'doc'> & { json: string }

const packedColumns = sql`e.entry, e.parent, e.slug, e.position, e.doc,
  coalesce(e.refs::text, 'null') || ',' || coalesce(e.data::text, 'null') as json`

/** Parses all JSON at once: row by row, it takes longer than everything else in reading a large space. */
function unpack(rows: Packed[], kind: Kind): Entry[] {
  const parsed = JSON.parse(`[${rows.map(({ json }) => json).join(',')}]`) as Entry['data'][]
  return rows.map(({ entry, parent, slug, position, doc }, i) => {
    const [refs, data] = [parsed[2 * i]!, parsed[2 * i + 1]!]
    return { entry, kind, state: 0, parent, slug, position, doc, refs, data }
  })
}

/**
 * Returns the net content of a branch: one row per entry it ever touched, including those given back to main (state 2).
 */
export async function listOverlay(db: Db, at: Revision): Promise<Row[]> {
  if (at.seq === 0) return []
  return db.all(sql<Row>`select * from (${overlayAt(at)}) e`.asLong())
}

/** Returns the rows that one revision wrote. */
export async function listWritten(db: Db, at: Revision): Promise<Row[]> {
  return db.all(
    sql<Row>`
    select ${columns} from entries e
    where e.organization_id = ${at.organizationId} and e.line_id = ${at.lineId} and e.from_seq = ${at.seq}`.asSlow(),
  )
}

/** Returns the newest rows of what changed on a line after revision number `after`, up to this one. */
export async function listChanged(db: Db, at: MainAt, after: number, kind?: Kind): Promise<Row[]> {
  return db.all(
    sql<Row>`
    select distinct on (e.entry) ${columns} from entries e
    where e.organization_id = ${at.organizationId} and e.line_id = ${at.lineId} and e.from_seq > ${after}
      and e.from_seq <= ${at.seq} ${kind === undefined ? nothing : sql`and e.kind = ${kind}`}
    order by e.entry, e.from_seq desc`.asSlow(),
  )
}

export type MainAt = Pick<Revision, 'organizationId' | 'lineId' | 'seq'>

/**
 * Selects the newest row of an entry, whatever its state. On a branch, main shows through if the branch has no row for
 * it.
 */
export function newest(at: Revision, entry: Statement): Statement {
  const own = newestOn(at, entry)
  if (!at.base) return own
  const main = newestOn({ organizationId: at.organizationId, ...at.base }, entry)
  return sql`(select * from (
    select 0 as layer, * from ${own} own where own.state <> 2
    union all
    select 1, * from ${main} main where not exists (select from ${own} own where own.state <> 2)) x
    order by layer limit 1)`
}

function newestOn({ organizationId, lineId, seq }: MainAt, entry: Statement): Statement {
  return sql`(select ${columns} from entries e
    where e.organization_id = ${organizationId} and e.line_id = ${lineId} and e.entry = ${entry} and e.from_seq <= ${seq}
    order by e.from_seq desc limit 1)`
}

/**
 * Selects the entry at an address. Siblings were unique at all times, so there is one candidate on a line: the newest
 * row that has the address. It counts if it is still the newest row of its entry.
 */
export function occupant(at: Revision, parent: Statement, slug: Statement, kind: Statement = sql`1`): Statement {
  const own = candidate(at, parent, slug, kind)
  if (!at.base) return own
  const main = candidate({ organizationId: at.organizationId, ...at.base }, parent, slug, kind)
  return sql`(select entry from (
    select 0 as layer, entry from ${own} own
    union all
    select 1, entry from ${main} main where not exists (
      select from ${newestOn(at, sql`main.entry`)} mine where mine.state <> 2)) x
    order by layer limit 1)`
}

function candidate(line: MainAt, parent: Statement, slug: Statement, kind: Statement): Statement {
  const { organizationId, lineId, seq } = line
  return sql`(select c.entry from (
      select e.entry, e.from_seq from entries e
      where e.organization_id = ${organizationId} and e.line_id = ${lineId} and e.parent = ${parent}
        and e.kind = ${kind} and e.slug = ${slug} and e.state = 0 and e.from_seq <= ${seq}
      order by e.from_seq desc limit 1) c
    where c.from_seq = ${newestSeq(line, sql`c.entry`)})`
}

/**
 * Selects the children of a page, for a lateral join. The `offset` makes the planner look them up per page: in a plain
 * join it reads all pages of the line at every level if it takes the line for a short one.
 */
export function childrenOf(at: Revision, parent: Statement): Statement {
  return sql`(${below(at, sql`e.parent = ${parent}`)} offset 0)`
}

/** Only pages have children. */
function below(at: Revision, isBelow: Statement): Statement {
  const own = belowOn(at, isBelow)
  if (!at.base) return own
  return sql`${own}
    union all
    select main.* from (${belowOn({ organizationId: at.organizationId, ...at.base }, isBelow)}) main
    where not exists (select from ${newestOn(at, sql`main.entry`)} mine where mine.state <> 2)`
}

function belowOn({ organizationId, lineId, seq }: MainAt, isBelow: Statement): Statement {
  return sql`select ${columns} from entries e
    where e.organization_id = ${organizationId} and e.line_id = ${lineId} and ${isBelow}
      and e.kind = ${page} and e.state = 0 and e.from_seq <= ${seq}
      and e.from_seq = ${newestSeq({ organizationId, lineId, seq }, sql`e.entry`)}`
}

/**
 * Selects the revision number since which an entry is as it is. A subquery per row, because a `not exists` was planned
 * as a join that read every row of the line (1,060 for one address in a space of 1,000 pages).
 */
function newestSeq({ organizationId, lineId, seq }: MainAt, entry: Statement): Statement {
  return sql`(select later.from_seq from entries later
    where later.organization_id = ${organizationId} and later.line_id = ${lineId} and later.entry = ${entry}
      and later.from_seq <= ${seq}
    order by later.from_seq desc limit 1)`
}

function whole(at: Revision, kind: Kind): Statement {
  if (!at.base) return wholeMain(at, kind)
  const { organizationId, base } = at
  return sql`
    with own as (${overlayAt(at)}), main as (${wholeMain({ organizationId, ...base }, kind)})
    select ${columns} from main e where not exists (select from own where own.entry = e.entry and own.state <> 2)
    union all select ${columns} from own e where e.state = 0 and e.kind = ${kind}`
}

/** Correct for old revisions and for the head alike, so that a commit in between cannot mix two revisions. */
function wholeMain({ organizationId, lineId, seq }: MainAt, kind: Kind): Statement {
  return sql`
    select ${columns} from heads e
    where e.organization_id = ${organizationId} and e.line_id = ${lineId} and e.kind = ${kind} and e.state = 0
      and e.from_seq <= ${seq}
    union all
    select ${columns} from heads h cross join lateral ${newestOn({ organizationId, lineId, seq }, sql`h.entry`)} e
    where h.organization_id = ${organizationId} and h.line_id = ${lineId} and h.kind = ${kind} and h.from_seq > ${seq}
      and e.state = 0`
}

function overlayAt({ organizationId, lineId, seq }: MainAt): Statement {
  return sql`select distinct on (e.entry) ${columns} from entries e
    where e.organization_id = ${organizationId} and e.line_id = ${lineId} and e.from_seq <= ${seq}
    order by e.entry, e.from_seq desc`
}
