import { keepSource } from '../content/keep-source.ts'
import { limits } from '../content/limits.ts'
import { parse } from '../content/parse.ts'
import { refsOf } from '../pages/entry-data.ts'
import { referenceTo } from '../pages/references.ts'
import { refsNow } from '../pages/refs-now.ts'
import { listBodies } from '../revisions/bodies.ts'
import type { Entry } from '../revisions/entries.ts'
import type { Batch, Step } from './batch.ts'
import { type WrittenDocument, asWritten } from './documents.ts'

/** The text of an entry at this point of the batch. */
export async function textNow({ draft, db, organizationId }: Batch, { entry, doc }: Entry): Promise<string> {
  return draft.written.get(entry)?.body ?? textOf({ db, organizationId }, doc)
}

export async function textOf({ db, organizationId }: Pick<Batch, 'db' | 'organizationId'>, doc: string | null) {
  const [found] = doc === null ? [] : await listBodies(db, organizationId, [doc])
  return found?.markdown ?? ''
}

/**
 * The new text that a change brings for an existing entry. If it was sent as blocks, unchanged blocks keep their
 * source.
 */
export async function newText({ batch, document }: Step, before: Entry): Promise<WrittenDocument | undefined> {
  if (!document?.isBlocks) return document
  const refs = await refsNow(batch.db, batch.at, refsOf(before))
  const written = parse(await textNow(batch, before))
  const body = keepSource(written, document.body, { ref: (href) => referenceTo(href, refs) })
  return asWritten(Buffer.byteLength(body) <= limits.sourceBytes ? body : document.body)
}
