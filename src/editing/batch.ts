import type { Caller } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import type { Inspected } from '../files/inspect.ts'
import type { UploadedBlob } from '../files/uploads.queries.ts'
import { isId } from '../ids.ts'
import { type Entry, type Kind, file, page, reusable } from '../revisions/entries.ts'
import type { Opened } from '../revisions/opened.ts'
import type { Revision } from '../revisions/revision.ts'
import type { WrittenDocument } from './documents.ts'
import { Draft } from './draft.ts'
import type { ChangePath } from './refusals.ts'

/** A batch that is being applied: what all its changes share. */
export interface Batch {
  /** The database to read from. */
  db: Db
  /** The revision that is changed. */
  at: Revision
  draft: Draft
  caller: Caller
  organizationId: string
  spaceId: string
  /** The base URL of this installation: links that begin with it lead back here. */
  url: string
  /** The revision that a page is reverted to if the change names none. Undefined for the main content of a space. */
  base: Revision | undefined
  /** The time of writing. */
  now: string
  /** Bytes that have been received, by `<index of the change>.<index of the file>`. */
  files: ReadonlyMap<string, { blob: Inspected }>
  uploads: ReadonlyMap<string, UploadedBlob>
  /** Names that changes gave to what they created. */
  refs: Map<string, { kind: Kind; id: string }>
  /** The entries that changes named, with the fields that they named, in the order of first touch. */
  touched: Map<string, Touch>
}

/** Begins a batch on the content of a line, as it was read. */
export function beginBatch(
  { line, asked, entries }: Opened,
  given: Pick<Batch, 'db' | 'caller' | 'url' | 'files' | 'uploads'>,
): Batch {
  const { db, caller, url, files, uploads } = given
  const { organizationId, spaceId, head } = line
  const draft = new Draft(db, head)
  draft.know(asked, entries)
  return {
    db,
    at: head,
    draft,
    caller,
    organizationId,
    spaceId,
    url,
    base: head.base && { ...head, ...head.base, base: undefined },
    now: new Date().toISOString(),
    files,
    uploads,
    refs: new Map(),
    touched: new Map(),
  }
}

export interface Touch {
  kind: Kind
  ref?: string
  fields: Set<string>
  /** Whether it was put back to a former state: that settles every open conflict about it. */
  reverted: boolean
}

/** One change of a batch. */
export interface Step {
  batch: Batch
  path: ChangePath
  /** The index of the change in the batch. */
  index: number
  document: WrittenDocument | undefined
}

export function touch(
  { touched }: Batch,
  { entry, kind }: Pick<Entry, 'entry' | 'kind'>,
  fields: Iterable<string> = [],
): Touch {
  const found = touched.get(entry) ?? { kind, fields: new Set<string>(), reverted: false }
  for (const field of fields) found.fields.add(field)
  touched.set(entry, found)
  return found
}

/** Registers a new entry, so that later changes and the links of the whole batch can name it. */
export function nameNew({ batch, path }: Step, made: Entry, ref: string | undefined, field = 'ref'): void {
  const touched = touch(batch, made)
  if (ref === undefined) return
  if (batch.refs.has(ref)) throw path.invalid(field, 'unique', 'is the name of something else in this batch')
  batch.refs.set(ref, { kind: made.kind, id: made.entry })
  touched.ref = ref
}

const nouns: Record<number, string> = { [page]: 'page', [file]: 'file', [reusable]: 'reusable content' }

/** Finds an entry of this space that a change names, by its id or by its name in the batch. */
export async function named({ batch, path }: Step, name: string, kind: Kind, field: string): Promise<Entry> {
  const ref = batch.refs.get(name)
  const id = isId(name) ? name : ref?.kind === kind ? ref.id : undefined
  const found = id === undefined ? undefined : await batch.draft.find(id, kind)
  if (!found) throw path.invalid(field, 'exists', `is not a ${nouns[kind]} of this space`)
  return found
}
