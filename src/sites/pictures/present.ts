import type { Static } from 'typebox'
import type { App } from '../../http/routes.ts'
import type { PictureRow } from './queries.ts'
import type { SitePicture } from './schema.ts'

export function presentPicture(row: PictureRow, app: Pick<App, 'url'>): Static<typeof SitePicture> {
  const { content_type, size, width, height } = row.bytes
  return {
    object: 'site-picture',
    id: row.id,
    name: row.name,
    contentType: content_type,
    size,
    ...(width !== null && height !== null && { width, height }),
    url: pictureAddress(app, row),
    createdAt: row.created_at.toISOString(),
  }
}

/**
 * The address that something has now which a look names. Of a picture of the site, a look keeps the one from when it was
 * chosen: since then this server may have got another.
 */
export function addressNow({ url }: Pick<App, 'url'>, isOfSite: (id: string) => boolean, address: string): string {
  const [path, id] = /\/files\/pictures\/([0-9a-f-]{36})\/[^/?#]+$/.exec(address) ?? []
  return path !== undefined && isOfSite(id!) ? url + path : address
}

export const pictureAddress = ({ url }: Pick<App, 'url'>, { id, name }: Pick<PictureRow, 'id' | 'name'>): string =>
  `${url}/files/pictures/${id}/${encodeURIComponent(name)}`
