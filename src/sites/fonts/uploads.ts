import { buffer } from 'node:stream/consumers'
import type { Transaction } from '../../db/transaction.ts'
import { findBlob } from '../../files/blobs.queries.ts'
import { findUpload, lockUploads, useUploads } from '../../files/uploads.queries.ts'
import { conflict, invalid } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { BlobMissing } from '../../storage/store.ts'
import { headBytes, mostBytes, noFont } from './font-file.ts'
import type { NewFace } from './queries.ts'

interface AskedFace {
  weight: number
  storageKey: string | null
}

/** The first bytes of files, by hash. */
export type Heads = ReadonlyMap<string, Buffer>

/**
 * Called before the transaction, because the store may be slow and connections are few. Inside the transaction,
 * ownership is checked.
 */
export async function readHeads(app: App, organizationId: string, faces: readonly AskedFace[]): Promise<Heads> {
  const heads = new Map<string, Buffer>()
  for (const { storageKey } of faces) {
    const upload = isId(storageKey ?? '') ? await findUpload(app.db, storageKey!) : undefined
    if (upload?.organization_id !== organizationId || upload.blob === null || upload.size > mostBytes) continue
    if (!heads.has(upload.blob)) heads.set(upload.blob, await readHead(app, organizationId, upload.blob))
  }
  return heads
}

async function readHead(app: App, organizationId: string, hash: string): Promise<Buffer> {
  const blob = await findBlob(app.db, organizationId, hash)
  if (!blob || blob.size === 0) return Buffer.alloc(0)
  const range = { start: 0, end: Math.min(headBytes, blob.size) - 1 }
  return app.store.get({ organizationId, hash }, range).then(buffer, (error: unknown) => {
    if (error instanceof BlobMissing) return Buffer.alloc(0)
    throw error
  })
}

/** Turns bytes that were uploaded through the API into the faces of a font. */
export async function takeUploads(
  tx: Transaction,
  organizationId: string,
  asked: readonly AskedFace[],
  heads: Heads,
): Promise<NewFace[]> {
  const keys = asked.flatMap(({ storageKey }) => (isId(storageKey ?? '') ? storageKey! : []))
  const uploads = new Map((await lockUploads(tx, organizationId, keys)).map((upload) => [upload.key, upload]))
  const faces = asked.flatMap(({ weight, storageKey }, at): NewFace[] => {
    if (storageKey === null) return []
    const refuse = (rule: string, message: string) => invalid(`body.fontFaces.${at}.storageKey`, rule, message)
    const upload = uploads.get(storageKey)
    uploads.delete(storageKey)
    if (!upload?.bytes || upload.used_at !== null)
      throw refuse('exists', 'is not a file that was uploaded in the last day and not used yet')
    if (upload.kind !== 'customization_font') throw refuse('kind', 'was uploaded for something else')
    const { hash, size, content_type: contentType } = upload.bytes
    const head = size > mostBytes ? Buffer.alloc(0) : heads.get(hash)
    if (!head) throw conflict('The bytes of a font have just been uploaded. Try again.')
    const why = noFont(head, { contentType, size })
    if (why !== undefined) throw refuse('font', why)
    return [{ weight, name: upload.name, hash }]
  })
  useUploads(tx, organizationId, keys)
  return faces
}
