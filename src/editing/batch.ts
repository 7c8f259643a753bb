import type { Caller } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import type { Inspected } from '../files/inspect.ts'
import type { UploadedBlob } from '../files/uploads.queries.ts'
import { isId } from '../ids.ts'
import { type Entry, type Kind, file, page, reusable } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import type { WrittenDocument } from './documents.ts'
import type { Draft } from './draft.ts'
import type { ChangePath } from './refusals.ts'

/** A batch that is being applied: what all its changes share. */
export interface Batch {
  /** To read from. */
  db: Db
  draft: Draft
  caller: Caller
  organizationId: string
  spaceId: string
  /** The address of this installation: links that begin with it lead back here. */
  url: string
  /** What a page goes back to when no revision is named; a space itself has no such thing. */
  base: Revision | undefined
  /** When it is written. */
  now: string
  /** Bytes that are here, by `<index of the change>.<index of the file>`. */
  files: ReadonlyMap<string, { blob: Inspected }>
  uploads: ReadonlyMap<string, UploadedBlob>
  /** Names that changes gave to what they made. */
  refs: Map<string, { kind: Kind; id: string }>
  /** What was named by a change, with the fields that it named, in the order of first touch. */
  touched: Map<string, Touch>
}

export interface Touch {
  kind: Kind
  ref?: string
  fields: Set<string>
  /** Put back to what it was: that settles whatever was open about it. */
  reverted: boolean
}

/** One change of it. */
export interface Step {
  batch: Batch
  path: ChangePath
  /** Its place in the batch. */
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

/** What was made can be named by later changes, and by links of the whole batch. */
export function nameNew({ batch, path }: Step, made: Entry, ref: string | undefined, field = 'ref'): void {
  const touched = touch(batch, made)
  if (ref === undefined) return
  if (batch.refs.has(ref)) throw path.invalid(field, 'unique', 'is the name of something else in this batch')
  batch.refs.set(ref, { kind: made.kind, id: made.entry })
  touched.ref = ref
}

const nouns: Record<number, string> = { [page]: 'page', [file]: 'file', [reusable]: 'reusable content' }

/** An entry of this space that a change names, by its id or by its name in the batch. */
export async function named({ batch, path }: Step, name: string, kind: Kind, field: string): Promise<Entry> {
  const ref = batch.refs.get(name)
  const id = isId(name) ? name : ref?.kind === kind ? ref.id : undefined
  const found = id === undefined ? undefined : await batch.draft.find(id, kind)
  if (!found) throw path.invalid(field, 'exists', `is not a ${nouns[kind]} of this space`)
  return found
}
