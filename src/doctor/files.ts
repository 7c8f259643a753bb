import { createHash } from 'node:crypto'
import { type BlobKey, findNameOfBlob, listUsedBlobs } from '../files/blobs.queries.ts'
import type { Db } from '../db/connect.ts'
import { BlobMissing, type BlobName, type BlobStore } from '../storage/store.ts'

const batch = 500
const atOnce = 16
/** Upper limit of files reported by name. A person would not read more. */
const mostNamed = 10

/** Reports progress while all bytes are read. */
export type Step = (files: number, bytes: number) => void

/**
 * Finds the files that the database refers to and whose bytes are missing or incomplete in the store: how many there
 * are, and some by name. With `step`, the bytes are read, and files whose bytes have changed count as well.
 */
export async function findMissingBytes(
  db: Db,
  store: BlobStore,
  step?: Step,
): Promise<{ count: number; named: string[] }> {
  let count = 0
  let [files, bytes] = [0, 0]
  const isGood = async (name: BlobName, size: number) => {
    const isWhole = await store.isWhole(name, size)
    if (!step || !isWhole) return isWhole
    const isSame = await hasItsBytes(store, name)
    step((files += 1), (bytes += size))
    return isSame
  }
  const named: string[] = []
  for (let after: BlobKey | undefined; ;) {
    const blobs = await listUsedBlobs(db, after, batch)
    for (let from = 0; from < blobs.length; from += atOnce) {
      const some = blobs.slice(from, from + atOnce)
      const good = await Promise.all(
        some.map(({ organization_id: organizationId, hash, size }) => isGood({ organizationId, hash }, size)),
      )
      const missing = some.filter((_, i) => !good[i])
      count += missing.length
      for (const blob of missing.slice(0, mostNamed - named.length)) named.push(await nameOf(db, store, blob))
    }
    after = blobs.at(-1)
    if (blobs.length < batch) return { count, named }
  }
}

async function hasItsBytes(store: BlobStore, name: BlobName): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of await store.get(name)) hash.update(chunk as Buffer)
  } catch (error) {
    // A sector that the disk can no longer read is one of the things this check is meant to find.
    if (error instanceof BlobMissing || (error as NodeJS.ErrnoException).code === 'EIO') return false
    throw error
  }
  return hash.digest('hex') === name.hash
}

async function nameOf(db: Db, store: BlobStore, blob: BlobKey): Promise<string> {
  const place = store.placeOf({ organizationId: blob.organization_id, hash: blob.hash })
  const name = await findNameOfBlob(db, blob)
  return name === undefined ? place : `${place} is ${name}`
}
