import { closeConflicts, listOpenConflicts } from '../change-requests/conflicts.queries.ts'
import { type Change as Settling, resolvedBy } from '../content/merge/conflicts.ts'
import { type Entry, type Row, gone, sameEntry } from '../content/merge/entry.ts'
import { keepBlob } from '../files/blobs.ts'
import { useUploads } from '../files/uploads.queries.ts'
import { failpoint } from '../failpoints.ts'
import { file, listEntries, page, reusable } from '../revisions/entries.ts'
import { type Line, commit } from '../revisions/lines.ts'
import type { BlobStore } from '../storage/store.ts'
import type { Batch } from './batch.ts'
import { bindLinks } from './link-targets.ts'

/**
 * Writes what a batch changed as one revision, with the bytes that came along and the conflicts it settles. A batch
 * that changes and settles nothing writes none, and the line is as it was.
 */
export async function commitBatch(batch: Batch, line: Line, store: BlobStore): Promise<Line> {
  const { tx, organizationId } = batch
  const bodies = await bindLinks(batch)
  const [rows, settled] = await Promise.all([netRows(batch, line), settledConflicts(batch, line, bodies)])
  if (rows.length === 0 && settled.length === 0) return line

  const blobs = new Set(rows.flatMap(({ kind, data }) => (kind === file && data ? [data['blob']] : [])))
  for (const incoming of batch.files.values()) {
    if (blobs.has(incoming.blob.hash)) await keepBlob(tx, store, organizationId, incoming)
  }
  useUploads(tx, organizationId, [...batch.uploads.keys()])
  failpoint('editing.after-files')

  const docs = new Set(rows.map(({ doc }) => doc))
  const written = await commit(tx, line, {
    type: 'edits',
    parents: [line.head.id],
    rows,
    bodies: new Map([...bodies].filter(([hash]) => docs.has(hash))),
  })
  await closeConflicts(tx, line, settled, written.head.seq)
  failpoint('editing.before-commit')
  return written
}

/** What differs from the line as it was; on a branch, what is as on main again says just that. */
async function netRows(batch: Batch, { head }: Line): Promise<Row[]> {
  const changed = [...batch.draft.changes()].filter(({ before, now }) => !sameEntry(before, now))
  const kindOf = ({ before, now }: (typeof changed)[number]) => (now ?? before)!.kind
  if (!head.base) {
    return changed.map((each) => (each.now ? dated(batch, each.now) : gone(each.id, kindOf(each), 1)))
  }
  const base = { ...head, ...head.base, base: undefined }
  const onMain = new Map<string, Entry>()
  for (const entry of await listEntries(
    batch.tx,
    base,
    changed.map(({ id }) => id),
  ))
    onMain.set(entry.entry, entry)
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
async function settledConflicts(batch: Batch, line: Line, bodies: ReadonlyMap<string, string>): Promise<string[]> {
  if (!line.head.base) return []
  const open = await listOpenConflicts(batch.tx, line)
  if (open.length === 0) return []
  const emptied: string[] = []
  for (const { kind, entry } of open) {
    if (kind.startsWith('parent-') && (await batch.draft.siblings(entry)).length === 0) emptied.push(entry)
  }
  const changes = await Promise.all([...batch.touched.keys()].map((id) => settling(batch, id, bodies, emptied)))
  return open.filter((conflict) => changes.some((change) => resolvedBy(conflict, change))).map(({ id }) => id)
}

async function settling(
  { draft, touched }: Batch,
  id: string,
  bodies: ReadonlyMap<string, string>,
  emptied: string[],
): Promise<Settling> {
  const { kind, fields, reverted } = touched.get(id)!
  const entry = await draft.find(id, kind)
  const body = draft.written.has(id) && entry?.doc ? bodies.get(entry.doc) : undefined
  return { entry: id, removed: !entry || reverted, fields: [...fields], emptied, ...(body !== undefined && { body }) }
}
