import { rm } from 'node:fs/promises'
import type { Config } from '../config.ts'
import type { Database, Db } from '../db/connect.ts'
import { failpoint } from '../failpoints.ts'
import type { BlobStore, StoredFile } from '../storage/store.ts'
import { receive } from '../storage/receive.ts'
import { upsertBlob } from './blobs.queries.ts'
import { type Inspected, inspect } from './inspect.ts'

/** Bytes that were received and looked at, and are not kept yet. */
export interface Incoming {
  file: StoredFile
  blob: Inspected
}

export async function receiveBlob(
  config: Config,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { name, declared, maxBytes }: { name: string; declared?: string | undefined; maxBytes: number },
): Promise<Incoming> {
  const file = await receive(config, bytes, maxBytes)
  try {
    return { file, blob: await inspect(file, name, declared) }
  } catch (error) {
    await rm(file.path, { force: true })
    throw error
  }
}

/**
 * Keeps bytes: first their row, then the bytes, both before the commit of what names them. So whatever that names is
 * there, and a sweep that is just removing the same bytes is waited for: they are written again then.
 */
export async function keepBlob(
  db: Db,
  store: BlobStore,
  organizationId: string,
  { file, blob }: Incoming,
): Promise<void> {
  await upsertBlob(db, organizationId, blob)
  failpoint('file.before-bytes')
  await store.put({ organizationId, hash: blob.hash }, file)
}

/**
 * The same for those who know what they will need before their transaction: a store may take its time, and meanwhile a
 * connection, or a line that others want to write, would be held. Should nothing name them after all, they are swept.
 */
export async function keepBlobs(
  db: Database,
  store: BlobStore,
  organizationId: string,
  incoming: Iterable<Incoming>,
): Promise<void> {
  for (const each of incoming) await keepBlob(db, store, organizationId, each)
}

/** For bytes that were not kept after all. */
export async function discard(incoming: readonly Incoming[]): Promise<void> {
  await Promise.all(incoming.map(({ file }) => rm(file.path, { force: true })))
}
