import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { derive } from '../derived/derive.ts'
import { listBodies } from '../revisions/bodies.ts'
import type { Entry } from '../revisions/entries.ts'
import type { Bodies, Line } from '../revisions/lines.ts'
import { type Meaning, type Outgoing, meaningOf, outgoingOf } from './meaning.ts'
import {
  type LineKey,
  type LinkRow,
  addToTotals,
  asRow,
  deleteLinks,
  followSpaces,
  listRefs,
  relations,
  statuses,
  totalsOf,
  upsertLinks,
} from './queries.ts'
import { type Settled, settle } from './settle.ts'

/** A link with its meaning and its position. */
export interface Asked extends Outgoing {
  source: string
  ord: number
}

/** A part of the table, and what it should contain. */
export interface Renewal {
  /** The current rows: all rows of each source that has links in `asked`, or only the rows of these links. */
  before: readonly LinkRow[]
  asked: readonly Asked[]
  bodies?: Bodies
  /** Rows whose target has not changed. They are still right if the link has the same meaning. */
  isSteady?: (row: LinkRow) => boolean
}

/** Writes the differences, and updates the totals. The line must be locked. */
export async function renewLinks(tx: Transaction, line: Line, renewal: Renewal): Promise<void> {
  const { before, asked, bodies = new Map(), isSteady = () => false } = renewal
  const steady = new Map(before.filter(isSteady).map((row) => [nameOf(row), row]))
  const known = asked.map((link) => {
    const row = steady.get(nameOf(link))
    return row && isAnswerTo(row, link.meaning) ? row : undefined
  })
  const open = asked.filter((_, i) => !known[i])
  // Done before the lookup, so that any later change in these spaces is followed.
  followSpaces(tx, line.organizationId, spacesIn(open))
  const settled = await settle(
    tx,
    { at: line.head, bodies },
    open.map(({ meaning }) => meaning),
  )

  let next = 0
  const rows = asked.map((link, i) =>
    asRow(link.source, link.ord, link, known[i] ? asSettled(known[i]) : settled[next++]!),
  )
  const key = { organizationId: line.organizationId, lineId: line.id }
  const old = new Map(before.map((row) => [keyOf(row), row]))
  const now = new Set(rows.map(keyOf))
  deleteLinks(
    tx,
    key,
    before.filter((row) => !now.has(keyOf(row))),
  )
  upsertLinks(
    tx,
    key,
    rows.filter((row) => !isSame(row, old.get(keyOf(row)))),
  )
  const [had, has] = [totalsOf(before), totalsOf(rows)]
  addToTotals(tx, line.organizationId, line.spaceId, {
    links: has.links - had.links,
    broken: has.broken - had.broken,
    in_app: has.in_app - had.in_app,
  })
}

export const keyOf = ({ source, ord }: Pick<LinkRow, 'source' | 'ord'>) => `${source} ${ord}`

const nameOf = ({ source, raw }: Pick<LinkRow, 'source' | 'raw'>) => `${source} ${raw}`

function isAnswerTo(row: LinkRow, meaning: Meaning): boolean {
  if (meaning.to !== 'content') return false
  const { space = null, id = null, path = null, anchor = null } = meaning
  const isSameTarget = id === null ? row.wanted === path : row.target === id && row.wanted === null
  return isSameTarget && row.target_space === space && row.anchor === anchor
}

function asSettled({ target_space: targetSpace, target, wanted, anchor, status }: LinkRow): Settled {
  return { status: statuses[status]!, targetSpace, target, wanted, anchor }
}

function isSame(row: LinkRow, old: LinkRow | undefined): boolean {
  return old !== undefined && (Object.keys(row) as (keyof LinkRow)[]).every((name) => row[name] === old[name])
}

const spacesIn = (asked: readonly Asked[]) => [
  ...new Set(asked.flatMap(({ meaning }) => (meaning.to === 'content' ? (meaning.space ?? []) : []))),
]

/** Returns the links in the texts of the entries. */
export async function linksIn(
  db: Db,
  { organizationId, spaceId }: Pick<Line, 'organizationId' | 'spaceId'>,
  entries: readonly Entry[],
  bodies: Bodies = new Map(),
): Promise<Asked[]> {
  const absent = new Set(entries.flatMap(({ doc }) => (doc === null || bodies.has(doc) ? [] : [doc])))
  const read = new Map(
    (await listBodies(db, organizationId, [...absent])).map(({ hash, markdown }) => [hash, markdown]),
  )
  return entries.flatMap((entry) => {
    const text = entry.doc === null ? undefined : (bodies.get(entry.doc) ?? read.get(entry.doc))
    const places = text === undefined ? [] : derive(text, entry.doc!).links
    return outgoingOf(spaceId, entry, places).map((link, ord) => ({ ...link, source: entry.entry, ord }))
  })
}

/** Returns stored links with the meaning that they have according to their sources. */
export async function readAgain(
  db: Db,
  line: LineKey & { spaceId: string },
  rows: readonly LinkRow[],
): Promise<Asked[]> {
  const sources = [...new Set(rows.map(({ source }) => source))]
  const entries = new Map((await listRefs(db, line, sources)).map((entry) => [entry.entry, entry]))
  return rows.flatMap(({ source, ord, raw, relation: number }) => {
    const entry = entries.get(source)
    const relation = relations[number]!
    return entry ? [{ source, ord, raw, relation, meaning: meaningOf({ ...line, entry }, raw, relation) }] : []
  })
}
