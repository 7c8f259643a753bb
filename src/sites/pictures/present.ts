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

export const pictureAddress = ({ url }: Pick<App, 'url'>, { id, name }: Pick<PictureRow, 'id' | 'name'>): string =>
  `${url}/files/pictures/${id}/${encodeURIComponent(name)}`
