import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { keepBlobs } from '../files/blobs.ts'
import { lockUploads } from '../files/uploads.queries.ts'
import { write } from '../http/write.ts'
import { isId } from '../ids.ts'
import { changeLine } from '../revisions/change-line.ts'
import type { Edit } from './actions.ts'
import type { Batch } from './batch.ts'
import type { Change } from './schema.ts'

/** What a batch changes: the content of a change request, or the main content of a space. */
export interface Target<Edited> {
  organizationId: string
  /** Batches with the same key wait for each other in this process. */
  turn: string
  /** Refuses a target that cannot be changed, before anything is fetched for it. */
  refuse: (db: Db) => Promise<void>
  /** Reads, and works out what to write: all of it or, if the line has moved since, nothing. */
  workOut: (db: Db, edit: Edit, uploads: Batch['uploads']) => Promise<(tx: Transaction) => Promise<Edited>>
  /** Locks the line until the transaction ends. */
  holdLine: (tx: Transaction) => Promise<unknown>
}

/**
 * Writes a batch. Batches that bring files lock the line from the start, because an upload can be used only once. So do
 * repeated requests, for which there is nothing to work out.
 */
export async function writeBatch<Edited, Answer>(
  request: FastifyRequest,
  edit: Edit,
  target: Target<Edited>,
  present: (edited: Edited) => Answer,
): Promise<Answer> {
  const workOut = async (db: Db, uploads: Batch['uploads'] = new Map()) => {
    const writeIt = await target.workOut(db, edit, uploads)
    return async (tx: Transaction) => present(await writeIt(tx))
  }
  if (isPlain(edit)) return changeLine(request, target.turn, { workOut, hold: target.holdLine })
  await keepBlobs(request.server.db, edit.store, target.organizationId, edit.prepared.files.values())
  return write(request, async (tx) => {
    const uploads = await holdUploads(tx, target.organizationId, edit)
    await target.holdLine(tx)
    const writeIt = await workOut(tx, uploads)
    return writeIt(tx)
  })
}

/** Whether the batch brings no files, and is not the repeat of a request that was answered before. */
const isPlain = ({ prepared: { changes } }: Edit) => changes.length > 0 && !bringsFiles(changes)

export const bringsFiles = (changes: readonly Change[]) => changes.some(({ operation }) => operation === 'insert_files')

async function holdUploads(tx: Transaction, organizationId: string, { prepared }: Edit): Promise<Batch['uploads']> {
  const keys = prepared.changes
    .flatMap((change) => (change.operation === 'insert_files' ? change.files : []))
    .flatMap(({ key }) => (key !== undefined && isId(key) ? [key] : []))
  return new Map((await lockUploads(tx, organizationId, keys)).map((upload) => [upload.key, upload]))
}
