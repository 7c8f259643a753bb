import { type Config, addressOf } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Incoming } from '../../files/blobs.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { Item } from '../archive.ts'
import { bytesItems, readBytes } from '../bytes.ts'
import type { Archive } from '../open-archive.ts'
import type { JsonRow } from '../queries.ts'

const folder = 'pictures/'

/** The bytes of the pictures of sites. The rows of the sites say which site they belong to. */
export const pictureItems = (db: Db, store: BlobStore, organizationId: string): AsyncGenerator<Item> =>
  bytesItems(
    { db, store, organizationId },
    folder,
    sql`select distinct blob as hash from site_pictures where organization_id = ${organizationId} order by blob`,
  )

/** Among pictures, a text is a drawing, which not every drawing shows in its first bytes. */
export const readPictures = (config: Config, archive: Archive): Promise<Incoming[]> =>
  readBytes(config, archive, folder, '.svg')

/** Looks refer to pictures by their full URLs, which may be those of another server. */
export function withPicturesHere<Tables extends Record<string, JsonRow[]>>(config: Config, tables: Tables): Tables {
  const ids = new Set((tables['site_pictures'] ?? []).map(({ id }) => id))
  if (ids.size === 0) return tables
  const here = (whole: string, id: string) => (ids.has(id) ? `"${addressOf(config)}/files/pictures/${id}/` : whole)
  const text = JSON.stringify(tables).replace(/"https?:\/\/[^"\s]{0,2000}?\/files\/pictures\/([0-9a-f-]{36})\//g, here)
  return JSON.parse(text) as Tables
}
