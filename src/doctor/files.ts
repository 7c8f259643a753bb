import { listUsedBlobs } from '../files/blobs.queries.ts'
import type { Db } from '../db/connect.ts'
import type { BlobStore } from '../storage/store.ts'

const batch = 500
const atOnce = 16

/** How many files the database names whose bytes are not in the store, or not all of them. */
export async function countMissingBytes(db: Db, store: BlobStore): Promise<number> {
  let missing = 0
  for (let after: { organization_id: string; hash: string } | undefined; ;) {
    const blobs = await listUsedBlobs(db, after, batch)
    for (let from = 0; from < blobs.length; from += atOnce) {
      const whole = await Promise.all(
        blobs
          .slice(from, from + atOnce)
          .map(({ organization_id: organizationId, hash, size }) => store.isWhole({ organizationId, hash }, size)),
      )
      missing += whole.filter((isWhole) => !isWhole).length
    }
    after = blobs.at(-1)
    if (blobs.length < batch) return missing
  }
}
