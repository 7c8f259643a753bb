import { recordChange } from '../../changes/record.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Inspected, hasTooManyPixels } from '../../files/inspect.ts'
import { lockUploads, useUploads } from '../../files/uploads.queries.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { isId, newId } from '../../ids.ts'
import { sizeInWords } from '../../size-in-words.ts'
import { type PictureRow, countPictures, deletePicture, findPicture, insertPicture } from './queries.ts'

/** The types that browsers show as pictures. */
const types = ['png', 'jpeg', 'gif', 'webp', 'avif', 'svg+xml', 'x-icon', 'vnd.microsoft.icon'].map(
  (type) => `image/${type}`,
)

/** Limited because every reader loads them on every page. */
export const mostBytes = 2_000_000
const mostPictures = 100
/** Length when encoded for an address. A look accepts addresses of up to 2,048 characters. */
const longestName = 1500

/** Returns why a file cannot be a logo or an icon, or undefined if it can be one. */
export function noPicture(name: string, bytes: Inspected): string | undefined {
  if (encodeURIComponent(name).length > longestName) return 'has a name that is too long. Rename it first'
  if (!types.includes(bytes.contentType)) return 'is not a PNG, JPEG, GIF, WebP, AVIF, SVG or ICO picture'
  if (bytes.size > mostBytes) return `has more than ${sizeInWords(mostBytes)}, which every reader would have to load`
  return hasTooManyPixels(bytes) ? 'has more than 50 megapixels' : undefined
}

/** Turns bytes that were uploaded through the API into a picture of a site. */
export async function addUploadedPicture(tx: Transaction, site: SiteRow, key: string): Promise<PictureRow> {
  const [upload] = isId(key) ? await lockUploads(tx, site.organization_id, [key]) : []
  const bytes = upload?.bytes
  if (!bytes || upload.used_at !== null)
    throw invalid('body.key', 'exists', 'is not a file that was uploaded in the last day and not used yet')
  if (upload.kind !== 'organization_file') throw invalid('body.key', 'kind', 'was uploaded for something else')
  const { hash, size, content_type: contentType, width, height } = bytes
  const why = noPicture(upload.name, { hash, size, contentType, width: width ?? 0, height: height ?? 0 })
  if (why !== undefined) throw invalid('body.key', 'picture', why)
  useUploads(tx, site.organization_id, [key])
  return addPicture(tx, site, { name: upload.name, hash })
}

/** Adds a picture whose bytes are already stored and were checked to be a picture. */
export async function addPicture(
  tx: Transaction,
  site: SiteRow,
  { name, hash }: { name: string; hash: string },
): Promise<PictureRow> {
  if ((await countPictures(tx, site)) >= mostPictures)
    throw conflict(`This site already has ${mostPictures} pictures. Delete one first.`)
  const id = newId()
  await insertPicture(tx, site, { id, name, blob: hash })
  recordChange(tx, { ...about(site, id), action: 'site-picture.created' })
  return (await findPicture(tx, site, id))!
}

export async function removePicture(tx: Transaction, site: SiteRow, row: PictureRow): Promise<void> {
  await deletePicture(tx, row)
  recordChange(tx, { ...about(site, row.id), action: 'site-picture.removed' })
}

const about = (site: SiteRow, id: string) => ({
  organizationId: site.organization_id,
  details: { site: site.id },
  target: { type: 'site-picture', id },
})
