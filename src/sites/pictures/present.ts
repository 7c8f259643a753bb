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
 * Returns the current address of something that a look refers to. For a picture of the site, the look contains the
 * address from when it was chosen, and the server may have moved since then.
 */
export function addressNow({ url }: Pick<App, 'url'>, isOfSite: (id: string) => boolean, address: string): string {
  const [path, id] = /\/files\/pictures\/([0-9a-f-]{36})\/[^/?#]+$/.exec(address) ?? []
  return path !== undefined && isOfSite(id!) ? url + path : address
}

export const pictureAddress = ({ url }: Pick<App, 'url'>, { id, name }: Pick<PictureRow, 'id' | 'name'>): string =>
  `${url}/files/pictures/${id}/${encodeURIComponent(name)}`
