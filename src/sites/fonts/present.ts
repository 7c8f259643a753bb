import type { Static } from 'typebox'
import type { Membership } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import type { App } from '../../http/routes.ts'
import { formats } from './font-file.ts'
import type { FaceRow, FontRow } from './queries.ts'
import type { CustomFont, FontDefinition } from './schema.ts'

export function presentFont(row: FontRow, membership: Membership, app: Pick<App, 'url'>): Static<typeof CustomFont> {
  const { createContent: edit } = organizationRights(membership)
  return { object: 'custom-font', ...presentDefinition(row, app), permissions: { edit } }
}

export function presentDefinition(row: FontRow, app: Pick<App, 'url'>): Static<typeof FontDefinition> {
  return {
    id: row.id,
    custom: true,
    fontFamily: row.family,
    fontFaces: row.faces.map((face) => ({
      weight: face.weight,
      sources: [{ url: faceAddress(app, row, face), format: formatOf(face) }],
    })),
  }
}

export const faceAddress = ({ url }: Pick<App, 'url'>, { id }: Pick<FontRow, 'id'>, face: FaceRow): string =>
  `${url}/files/fonts/${id}/${fileOf(face)}`

/** Named by its content, so the file under this name never changes. */
export const fileOf = (face: FaceRow): string => `${face.bytes.hash}.${formatOf(face)}`

export const formatOf = ({ bytes }: FaceRow) => formats[bytes.content_type] ?? 'woff2'
