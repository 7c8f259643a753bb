import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { BlobMissing, type BlobStore } from '../storage/store.ts'

/**
 * Copies files for another organization: first their rows, then their bytes, both before the commit, as for new files.
 * The sweep of files removes what the first organization no longer uses.
 */
export async function copyBlobs(
  tx: Transaction,
  store: BlobStore,
  { from, to }: { from: string; to: string },
  hashes: string[],
): Promise<void> {
  await tx.run(
    sql`
    insert into blobs (organization_id, hash, size, content_type, width, height)
    select ${to}, hash, size, content_type, width, height from blobs
    where organization_id = ${from} and hash = any (${hashes}::text[])
    on conflict (organization_id, hash) do update set created_at = now()`.asSlow(),
  )
  for (const hash of hashes) {
    await store.copy({ organizationId: from, hash }, to).catch((error: unknown) => {
      // A file whose bytes are lost stays lost in the new organization. That must not stop the transfer of the rest.
      if (!(error instanceof BlobMissing)) throw error
    })
  }
}
