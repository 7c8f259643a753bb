import { sameJson, valueAt } from '../content/merge/entry.ts'
import type { Transaction } from '../db/transaction.ts'
import type { MainChange } from '../derived/main-change.ts'
import { type Entry, type Row, isHere, listEntries, page, reusable } from '../revisions/entries.ts'
import { type LinkRow, listAnchoredTo, listLinksOf } from './queries.ts'
import { keyOf, linksIn, readAgain, renewLinks } from './renew.ts'
import { listShaken, upheavalOf } from './upheaval.ts'

/**
 * Updates the links of a main line for the revision that was just added to it: the links of the texts that changed, and
 * the links from elsewhere in the space that the change breaks or mends. Links from other spaces are updated by a job.
 */
export async function indexLinks(tx: Transaction, change: MainChange): Promise<void> {
  const { after, rows, bodies } = change
  const line = { organizationId: after.organizationId, lineId: after.id, spaceId: after.spaceId }
  const { was, old, anchored } = await readBefore(tx, change)
  const isFirst = change.before.head.seq === 0
  const shaken = isFirst ? [] : await listShaken(tx, line, upheavalOf(was, rows), after.head, anchored)

  const rewritten = rows.filter((row) => hasLinks(row) && saysOther(was.get(row.entry), row))
  const ids = new Set(rewritten.map(({ entry }) => entry))
  const others = shaken.filter(({ source }) => !ids.has(source))
  const [own, again] = await Promise.all([
    linksIn(tx, after, rewritten.filter(isHere), bodies),
    readAgain(tx, line, others),
  ])
  const before = [...others, ...old.filter(({ source }) => ids.has(source))]
  if (before.length === 0 && own.length === 0) return
  const moved = new Set(shaken.map(keyOf))
  await renewLinks(tx, after, { before, asked: [...own, ...again], bodies, isSteady: (row) => !moved.has(keyOf(row)) })
}

/**
 * Reads the previous versions of the changed entries, their links, and the links to anchors in them, in one round trip.
 */
async function readBefore(tx: Transaction, { before, after, rows }: MainChange) {
  if (before.head.seq === 0) return { was: new Map<string, Entry>(), old: [] as LinkRow[], anchored: [] }
  const ids = rows.map(({ entry }) => entry)
  const sources = rows.filter(hasLinks).map(({ entry }) => entry)
  const pages = rows.filter((row) => row.kind === page && isHere(row)).map(({ entry }) => entry)
  const line = { organizationId: after.organizationId, lineId: after.id }
  const [entries, old, anchored] = await Promise.all([
    listEntries(tx, before.head, ids),
    listLinksOf(tx, line, sources),
    listAnchoredTo(tx, line, pages),
  ])
  return { was: new Map(entries.map((entry) => [entry.entry, entry])), old, anchored }
}

export const hasLinks = ({ kind }: Row) => kind === page || kind === reusable

/** Whether the links of the entry may differ from before. */
export function saysOther(was: Entry | undefined, row: Row): boolean {
  if (!was || !isHere(row)) return was !== undefined || isHere(row)
  if (was.doc !== row.doc || !sameJson(was.refs, row.refs)) return true
  return ['target', 'cover'].some((field) => !sameJson(valueAt(was.data, field), valueAt(row.data, field)))
}
