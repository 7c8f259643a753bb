import { closeConflicts, listOpenConflicts } from '../change-requests/conflicts/conflicts.queries.ts'
import { type Change as Settling, resolvedBy } from '../content/merge/conflicts.ts'
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
import type { Batch } from './batch.ts'
import { bindLinks } from './link-targets.ts'

/** What a batch comes to: the rows that make it, on top of the line as it was read. */
export interface Plan {
  batch: Batch
  line: Line
  rows: Row[]
  bodies: Bodies
  /** The conflicts that it settles. */
  settled: string[]
  /** It changes and settles nothing: the line stays as it is. */
  isEmpty: boolean
}

export async function planOf(batch: Batch, opened: Opened): Promise<Plan> {
  const { line } = opened
  const bodies = await bindLinks(batch)
  const [rows, settled] = await Promise.all([netRows(batch, opened), settledConflicts(batch, opened, bodies)])
  const docs = new Set(rows.map(({ doc }) => doc))
  const used = new Map([...bodies].filter(([hash]) => docs.has(hash)))
  if (!line.head.base) await readAhead(batch.db, line, { rows, bodies: used })
  return { batch, line, rows, bodies: used, settled, isEmpty: rows.length === 0 && settled.length === 0 }
}

/**
 * Writes it as one revision, with the conflicts it settles, if the line is still the same and `allowed` (see
 * `sendCommit`). The bytes of its files are kept already. On a branch none of it is waited for.
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

/** What differs from the line as it was; on a branch, what is as on main again says just that. */
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

/** A page that only got another key, since its neighbour moved, was not edited. */
function dated({ touched, now }: Batch, entry: Entry): Entry {
  const hasDates = entry.kind === page || entry.kind === reusable
  return hasDates && touched.has(entry.entry) ? { ...entry, data: { ...entry.data, updatedAt: now } } : entry
}

/** The records that this write closes: each names what it takes, and naming it with the same value is enough. */
async function settledConflicts(batch: Batch, { line, hasConflicts }: Opened, bodies: Bodies): Promise<string[]> {
  if (!hasConflicts) return []
  const open = await listOpenConflicts(batch.db, line)
  const emptied: string[] = []
  for (const { kind, entry } of open) {
    if (kind.startsWith('parent-') && (await batch.draft.siblings(entry)).length === 0) emptied.push(entry)
  }
  const changes = await Promise.all([...batch.touched.keys()].map((id) => settling(batch, id, bodies, emptied)))
  return open.filter((conflict) => changes.some((change) => resolvedBy(conflict, change))).map(({ id }) => id)
}

async function settling({ draft, touched }: Batch, id: string, bodies: Bodies, emptied: string[]): Promise<Settling> {
  const { kind, fields, reverted } = touched.get(id)!
  const entry = await draft.find(id, kind)
  const body = draft.written.has(id) && entry?.doc ? bodies.get(entry.doc) : undefined
  return { entry: id, removed: !entry || reverted, fields: [...fields], emptied, ...(body !== undefined && { body }) }
}
