import type { Config } from '../config.ts'
import { addressOf } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { type Incoming, discard, receiveBlob } from '../files/blobs.ts'
import { type BlobStore, getIfThere } from '../storage/store.ts'
import type { Item } from './archive.ts'
import type { Archive } from './open-archive.ts'
import type { JsonRow } from './queries.ts'

const folder = 'pictures/'

/** The bytes of the pictures that sites have; which site has which is told with the sites. */
export async function* pictureItems(db: Db, store: BlobStore, organizationId: string): AsyncGenerator<Item> {
  const rows = await db.all(
    sql<{ hash: string }>`
    select distinct blob as hash from site_pictures where organization_id = ${organizationId} order by blob`.asSlow(),
  )
  for (const { hash } of rows) {
    const content = await getIfThere(store, { organizationId, hash })
    if (content) yield { path: folder + hash, content }
  }
}

/** Archives from before sites had pictures have none. */
export async function readPictures(config: Config, archive: Archive): Promise<Incoming[]> {
  const received: Incoming[] = []
  try {
    for (const path of archive.paths().filter((each) => each.startsWith(folder))) {
      const maxBytes = archive.manifest.files[path]!.size
      // Of pictures, a text is a drawing, which not all of them say in their first bytes.
      received.push(await receiveBlob(config, archive.read(path), { name: `${path}.svg`, maxBytes }))
    }
    return received
  } catch (error) {
    await discard(received)
    throw error
  }
}

/** Looks name pictures by their whole addresses, and those were the ones of another server, perhaps. */
export function withPicturesHere<Tables extends Record<string, JsonRow[]>>(config: Config, tables: Tables): Tables {
  const ids = new Set((tables['site_pictures'] ?? []).map(({ id }) => id))
  if (ids.size === 0) return tables
  const here = (whole: string, id: string) => (ids.has(id) ? `"${addressOf(config)}/files/pictures/${id}/` : whole)
  const text = JSON.stringify(tables).replace(/"https?:\/\/[^"\s]{0,2000}?\/files\/pictures\/([0-9a-f-]{36})\//g, here)
  return JSON.parse(text) as Tables
}
