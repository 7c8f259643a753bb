import { closeConflicts, listOpenConflicts } from '../change-requests/conflicts/conflicts.queries.ts'
import { type Change as Settling, type Conflict, resolvedBy } from '../content/merge/conflicts.ts'
import { type Entry, type Row, gone, sameEntry } from '../content/merge/entry.ts'
import type { Statement } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { followWritten } from '../derived/follow.ts'
import { readAhead } from '../derived/read-ahead.ts'
import { useUploads } from '../files/uploads.queries.ts'
import { failpoint } from '../failpoints.ts'
import { listEntries, page, reusable } from '../revisions/entries.ts'
import { type Bodies, type Line, sendCommit } from '../revisions/lines.ts'
import type { Opened } from '../revisions/opened.ts'
import { type Batch, touch } from './batch.ts'
import { bindLinks } from './link-targets.ts'
import { requireSpecsSeen } from './specs-named.ts'

/** The result of a batch: the rows to write on top of the line as it was read. */
export interface Plan {
  batch: Batch
  line: Line
  rows: Row[]
  bodies: Bodies
  /** The ids of the conflicts that it settles. */
  settled: string[]
  /** Whether it changes and settles nothing, so that the line stays as it is. */
  isEmpty: boolean
}

export async function planOf(batch: Batch, opened: Opened): Promise<Plan> {
  const { line } = opened
  await requireSpecsSeen(batch, line)
  const open = opened.hasConflicts ? await listOpenConflicts(batch.db, line) : []
  await removeEmptied(batch, open)
  const bodies = await bindLinks(batch)
  const [rows, settled] = await Promise.all([netRows(batch, opened), settledConflicts(batch, open, bodies)])
  const docs = new Set(rows.map(({ doc }) => doc))
  const used = new Map([...bodies].filter(([hash]) => docs.has(hash)))
  if (!line.head.base) await readAhead(batch.db, line, { rows, bodies: used })
  return { batch, line, rows, bodies: used, settled, isEmpty: rows.length === 0 && settled.length === 0 }
}

/**
 * Writes the plan as one revision, with the conflicts it settles, if the line has not moved and `allowed` holds (see
 * `sendCommit`). The bytes of its files are stored already. On a branch, none of it is awaited.
 */
export async function writePlan<Answer>(
  tx: Transaction,
  { batch, line, rows, bodies, settled }: Plan,
  allowed: Statement<Answer>,
): Promise<{ line: Line; written: Promise<Answer> }> {
  useUploads(tx, batch.organizationId, [...batch.uploads.keys()])
  failpoint('editing.after-files')

  const { line: next, written } = sendCommit(
    tx,
    line,
    { type: 'edits', parents: [line.head.id], rows, bodies },
    allowed,
  )
  closeConflicts(tx, line, settled, next.head.seq)
  if (!line.head.base) await followWritten(tx, written, { before: line, after: next, rows, bodies })
  return { line: next, written }
}

/**
 * The rows that differ from the line as it was read. On a branch, an entry that is the same as on main again gets a row
 * that says just that.
 */
async function netRows(batch: Batch, opened: Opened): Promise<Row[]> {
  const changed = [...batch.draft.changes()].filter(({ before, now }) => !sameEntry(before, now))
  const kindOf = ({ before, now }: (typeof changed)[number]) => (now ?? before)!.kind
  if (!batch.base) {
    return changed.map((each) => (each.now ? dated(batch, each.now) : gone(each.id, kindOf(each), 1)))
  }
  const asked = new Set(opened.asked)
  const others = changed.map(({ id }) => id).filter((id) => !asked.has(id))
  const found = [...opened.onMain, ...(await listEntries(batch.db, batch.base, others))]
  const onMain = new Map(found.map((entry) => [entry.entry, entry]))
  return changed.map((each) => {
    const { id, now } = each
    if (sameEntry(now, onMain.get(id) ?? null)) return gone(id, kindOf(each), 2)
    return now ? dated(batch, now) : gone(id, kindOf(each), 1)
  })
}

/**
 * Sets `updatedAt` if the batch touched the entry. A page that only got another position key, because its neighbour
 * moved, was not edited.
 */
function dated({ touched, now }: Batch, entry: Entry): Entry {
  const hasDates = entry.kind === page || entry.kind === reusable
  return hasDates && touched.has(entry.entry) ? { ...entry, data: { ...entry.data, updatedAt: now } } : entry
}

/**
 * Removes pages that a merge brought back only as a place for others, together with the last page below them: one side
 * had deleted such a page, and the other never asked for it. Pages that the batch itself names stay.
 */
async function removeEmptied(batch: Batch, open: readonly Conflict[]): Promise<void> {
  const places = new Set(open.filter(({ kind }) => kind.startsWith('parent-')).map(({ entry }) => entry))
  if (places.size === 0) return
  // There may be very many of them, so only those that a page has left are examined.
  const left = new Set<string>()
  for (const { before, now } of batch.draft.changes())
    if (before && before.parent !== now?.parent) left.add(before.parent)
  for (const id of left) {
    // Removed from the set, so that it is examined again if another page leaves it later.
    left.delete(id)
    const found = places.has(id) && !batch.touched.has(id) ? await batch.draft.find(id, page) : undefined
    if (!found || (await batch.draft.siblings(id)).length > 0) continue
    batch.draft.remove(id)
    touch(batch, found)
    left.add(found.parent)
  }
}

/**
 * The conflict records that this write closes. Each record names what a change has to name to resolve it; naming it
 * with the same value is enough.
 */
async function settledConflicts(batch: Batch, open: readonly Conflict[], bodies: Bodies): Promise<string[]> {
  if (open.length === 0) return []
  const changes = await Promise.all([...batch.touched.keys()].map((id) => settling(batch, id, bodies)))
  return open.filter((conflict) => changes.some((change) => resolvedBy(conflict, change))).map(({ id }) => id)
}

async function settling({ draft, touched }: Batch, id: string, bodies: Bodies): Promise<Settling> {
  const { kind, fields, reverted } = touched.get(id)!
  const entry = await draft.find(id, kind)
  const body = draft.written.has(id) && entry?.doc ? bodies.get(entry.doc) : undefined
  return { entry: id, removed: !entry || reverted, fields: [...fields], ...(body !== undefined && { body }) }
}
