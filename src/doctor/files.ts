import { type BlobKey, findNameOfBlob, listUsedBlobs } from '../files/blobs.queries.ts'
import type { Db } from '../db/connect.ts'
import type { BlobStore } from '../storage/store.ts'

const batch = 500
const atOnce = 16
/** More than a person would read. */
const mostNamed = 10

/** The files that the database names and whose bytes are not in the store, or not all: how many, and some by name. */
export async function findMissingBytes(db: Db, store: BlobStore): Promise<{ count: number; named: string[] }> {
  let count = 0
  const named: string[] = []
  for (let after: BlobKey | undefined; ;) {
    const blobs = await listUsedBlobs(db, after, batch)
    for (let from = 0; from < blobs.length; from += atOnce) {
      const some = blobs.slice(from, from + atOnce)
      const whole = await Promise.all(
        some.map(({ organization_id: organizationId, hash, size }) => store.isWhole({ organizationId, hash }, size)),
      )
      const missing = some.filter((_, i) => !whole[i])
      count += missing.length
      for (const blob of missing.slice(0, mostNamed - named.length)) named.push(await nameOf(db, store, blob))
    }
    after = blobs.at(-1)
    if (blobs.length < batch) return { count, named }
  }
}

async function nameOf(db: Db, store: BlobStore, blob: BlobKey): Promise<string> {
  const place = store.placeOf({ organizationId: blob.organization_id, hash: blob.hash })
  const name = await findNameOfBlob(db, blob)
  return name === undefined ? place : `${place} is ${name}`
}
