import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import type { Statement } from '../db/sql.ts'
import { type Incoming, discard, receiveBlob } from '../files/blobs.ts'
import { type BlobStore, getIfThere } from '../storage/store.ts'
import type { Item } from './archive.ts'
import type { Archive } from './open-archive.ts'

/** Bytes by their hashes, below `folder`. Other files of the archive say what they belong to. */
export async function* bytesItems(
  { db, store, organizationId }: { db: Db; store: BlobStore; organizationId: string },
  folder: string,
  which: Statement<{ hash: string }>,
): AsyncGenerator<Item> {
  for (const { hash } of await db.all(which.asSlow())) {
    const content = await getIfThere(store, { organizationId, hash })
    if (content) yield { path: folder + hash, content }
  }
}

/** Older archives may contain no such files. `ending` is a file name extension that says what the bytes do not. */
export async function readBytes(config: Config, archive: Archive, folder: string, ending = ''): Promise<Incoming[]> {
  const received: Incoming[] = []
  try {
    for (const path of archive.paths().filter((each) => each.startsWith(folder))) {
      const maxBytes = archive.manifest.files[path]!.size
      received.push(await receiveBlob(config, archive.read(path), { name: path + ending, maxBytes }))
    }
    return received
  } catch (error) {
    await discard(received)
    throw error
  }
}
