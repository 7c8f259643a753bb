import { rm } from 'node:fs/promises'
import type { Config } from '../config.ts'
import type { Database, Db } from '../db/connect.ts'
import { failpoint } from '../failpoints.ts'
import type { BlobStore, StoredFile } from '../storage/store.ts'
import { receive } from '../storage/receive.ts'
import { upsertBlob } from './blobs.queries.ts'
import { type Inspected, inspect } from './inspect.ts'

/** Bytes that were received and inspected, and are not stored yet. */
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
 * Stores bytes: first their row, then the bytes, both before the commit of the rows that refer to them. So the bytes
 * that a committed row refers to always exist, and if a sweep is just removing the same bytes, this waits for it and
 * writes them again.
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
 * The same for callers that know what they need before their transaction: a store may be slow, and a connection, or a
 * line that others want to write, would be locked meanwhile. If nothing refers to the bytes in the end, they are swept.
 */
export async function keepBlobs(
  db: Database,
  store: BlobStore,
  organizationId: string,
  incoming: Iterable<Incoming>,
): Promise<void> {
  for (const each of incoming) await keepBlob(db, store, organizationId, each)
}

/** Removes bytes that were not stored after all. */
export async function discard(incoming: readonly Incoming[]): Promise<void> {
  await Promise.all(incoming.map(({ file }) => rm(file.path, { force: true })))
}
