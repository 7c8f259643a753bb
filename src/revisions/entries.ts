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

/** An entry as a revision has it. */
export async function findEntry(db: Db, at: Revision, entry: string): Promise<Entry | undefined> {
  return (await listEntries(db, at, [entry]))[0]
}

/** Whether an entry was there and is not any more. One that a branch made and deleted has left nothing but that there. */
export async function isDeletedIn(db: Db, at: Revision, entry: string): Promise<boolean> {
  const { deleted } = await db.one(sql<{ deleted: boolean }>`
    select coalesce((select e.state <> 0 from ${newest(at, sql`${entry}::uuid`)} e),
      exists (select from ${newestOn(at, sql`${entry}::uuid`)} own)) as deleted`)
  return deleted
}

/** Those of these entries that are there, in any order. */
export async function listEntries(db: Db, at: Revision, entries: string[]): Promise<Entry[]> {
  if (entries.length === 0) return []
  return db.all(sql<Entry>`
    select ${columns} from unnest(${entries}::uuid[]) wanted (id) cross join lateral ${newest(at, sql`wanted.id`)} e
    where e.state = 0`)
}

/** The page at a path of slugs. */
export async function findByPath(db: Db, at: Revision, slugs: string[]): Promise<Entry | undefined> {
  const found = await db.find(sql<{ entry: string }>`
    with recursive ${walkTo(at, slugs)} select entry from wanted`)
  return found && findEntry(db, at, found.entry)
}

/** `wanted`: the page at a path of slugs, from the top. One walk down, one round trip. */
export function walkTo(at: Revision, slugs: string[]): Statement {
  return sql`walk (depth, entry) as (
      select 0, ${top}::uuid
      union all
      select walk.depth + 1, next.entry from walk
      cross join lateral ${occupant(at, sql`walk.entry`, sql`(${slugs}::text[])[walk.depth + 1]`)} next
      where walk.depth < ${slugs.length}),
    wanted as (select entry from walk where depth = ${slugs.length} and depth > 0)`
}

/** Which of these addresses are taken, and by what. */
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

/** The pages right below these parents, in any order. */
export async function listChildren(db: Db, at: Revision, parents: string[]): Promise<Entry[]> {
  if (parents.length === 0) return []
  return db.all(sql<Entry>`${below(at, sql`e.parent = any (${parents}::uuid[])`)}`.asLong())
}

export interface Place {
  entry: string
  position: string
}

/** The order of the pages right below a parent: only what it is made of, since there may be very many. */
export async function listPlaces(db: Db, at: Revision, parent: string): Promise<Place[]> {
  return db.all(sql<Place>`select e.entry, e.position from (${below(at, sql`e.parent = ${parent}`)}) e`.asLong())
}

/** The last ones of that order. */
export async function listLastPlaces(db: Db, at: Revision, parent: string, limit: number): Promise<Place[]> {
  return db.all(
    sql<Place>`select e.entry, e.position from (${below(at, sql`e.parent = ${parent}`)}) e
    order by e.position desc, e.entry desc limit ${limit}`.asLong(),
  )
}

/** These entries and all that is above them. One that is named often is looked up once. */
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

/** These pages and all that is below them. */
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

/** Everything of one kind that a revision has, in any order. Linear in the space: whoever asks keeps the answer. */
export async function listAll(db: Db, at: Revision, kind: Kind): Promise<Entry[]> {
  const rows = await db.all(sql<Packed>`select ${packedColumns} from (${whole(at, kind)}) e`.asSlow())
  return unpack(rows, kind)
}

/** An entry whose JSON is still text, `refs` and then `data`, without what all of them have in common. */
type Packed = Pick<Entry, 'entry' | 'parent' | 'slug' | 'position' | 'doc'> & { json: string }

const packedColumns = sql`e.entry, e.parent, e.slug, e.position, e.doc,
  coalesce(e.refs::text, 'null') || ',' || coalesce(e.data::text, 'null') as json`

/** All of it is parsed at once: row by row it takes longer than all else about reading a large space. */
function unpack(rows: Packed[], kind: Kind): Entry[] {
  const parsed = JSON.parse(`[${rows.map(({ json }) => json).join(',')}]`) as Entry['data'][]
  return rows.map(({ entry, parent, slug, position, doc }, i) => {
    const [refs, data] = [parsed[2 * i]!, parsed[2 * i + 1]!]
    return { entry, kind, state: 0, parent, slug, position, doc, refs, data }
  })
}

/** What a branch says, net: one row for each entry it ever touched, those given back to main (state 2) included. */
export async function listOverlay(db: Db, at: Revision): Promise<Row[]> {
  if (at.seq === 0) return []
  return db.all(sql<Row>`select * from (${overlayAt(at)}) e`.asLong())
}

/** The rows that one revision wrote. */
export async function listWritten(db: Db, at: Revision): Promise<Row[]> {
  return db.all(
    sql<Row>`
    select ${columns} from entries e
    where e.organization_id = ${at.organizationId} and e.line_id = ${at.lineId} and e.from_seq = ${at.seq}`.asSlow(),
  )
}

/** The newest rows of what changed on a line after revision number `after`, up to this one. */
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

/** The newest row of an entry, whatever its state; on a branch main shows through where the branch says nothing. */
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
 * The entry at an address. Siblings were unique at all times, so there is one candidate on a line: the newest row that
 * has the address. It counts if it is still the newest row of its entry.
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
 * The pages right below one, to be joined sideways. They are looked up for each (the offset): joined plainly, all pages of
 * the line are read at every step down, where the planner takes it for a short one.
 */
export function childrenOf(at: Revision, parent: Statement): Statement {
  return sql`(${below(at, sql`e.parent = ${parent}`)} offset 0)`
}

/** Only pages have others below them. */
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
 * Since when an entry is as it is. Asked row by row: as a `not exists` it was planned as a join that read every row of
 * the line (1,060 for one address in a space of 1,000 pages).
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

/** Right for old revisions and for the head alike, so that a commit in between cannot mix two of them. */
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
