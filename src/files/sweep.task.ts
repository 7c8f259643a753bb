import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { failpoint } from '../failpoints.ts'
import { removeInBatches } from '../jobs/in-batches.ts'
import type { Task, TaskContext } from '../jobs/task.ts'
import { incomingFolder } from '../storage/receive.ts'
import { type BlobPlace, deleteUnusedBlobs, firstBlob } from './blobs.queries.ts'
import { deleteOldUploads } from './uploads.queries.ts'

/** Any fixed number. A session that holds this lock (shared) needs the bytes of all existing files. */
export const bytesLock = 5_711_034

/** How many blobs are removed at once, and how many are examined to find them. */
const atOnce = 100
const look = 5_000
const dayMs = 24 * 60 * 60 * 1000

/** Removes uploads that are older than a day, bytes that nothing refers to any more, and leftovers of a crash. */
export const sweepFiles: Task = {
  name: 'sweep-files',
  schedule: '37 * * * *',
  async run(context) {
    const { db, stopping } = context
    await removeInBatches([() => deleteOldUploads(db, atOnce)], stopping, atOnce)
    let removed = 0
    let after: BlobPlace | null = firstBlob
    while (after) {
      if (stopping?.aborted) break
      const some: Swept = await sweepSome(context, after)
      removed += some.removed
      after = some.last
    }
    if (!stopping?.aborted) await removeLeftovers(context)
    if (removed > 0) context.log.info({ removed }, 'removed files that nothing uses')
  },
}

interface Swept {
  removed: number
  last: BlobPlace | null
}

/**
 * Removes nothing while a backup is running: what is unused now was still in use when the backup began. The bytes are
 * deleted before the commit: a writer of the same bytes waits for the row, finds the bytes gone, and writes them again.
 * A crash in between leaves rows without bytes, which nothing refers to, for the next run.
 */
async function sweepSome({ db, store }: TaskContext, after: BlobPlace): Promise<Swept> {
  return transaction(db, nobody, async (tx) => {
    const lock = await tx.one(sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${bytesLock}) as free`)
    if (!lock.free) return { removed: 0, last: null }
    const { removed, last } = await deleteUnusedBlobs(tx, after, { look, limit: atOnce })
    for (const { organization_id: organizationId, hash } of removed) await store.delete({ organizationId, hash })
    if (removed.length > 0) failpoint('sweep.bytes-gone')
    return { removed: removed.length, last }
  })
}

async function removeLeftovers({ config }: TaskContext): Promise<void> {
  const folder = incomingFolder(config)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > dayMs) await rm(path, { force: true })
  }
}
