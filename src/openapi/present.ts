import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import { specRights } from '../access/rights.ts'
import type { OpenAPISpecRow, OpenAPIVersionRow } from '../db/tables.ts'
import type { App } from '../http/routes.ts'
import { downloadUrl, publicUrl } from './downloads.ts'
import type { OpenAPISpec, OpenAPISpecVersion } from './schema.ts'

export function presentSpec(row: OpenAPISpecRow, { role }: Membership, url: string): Static<typeof OpenAPISpec> {
  return {
    object: 'openapi-spec',
    id: row.id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    slug: row.slug,
    ...(row.source_url !== null && { sourceURL: row.source_url }),
    processingState: row.state,
    visibility: row.visibility,
    ...(row.last_version !== null && { lastVersion: row.last_version }),
    ...(row.last_processed_at !== null && { lastProcessedAt: row.last_processed_at.toISOString() }),
    ...(row.last_error !== null && {
      lastProcessErrorCode: row.last_error,
      lastProcessedErrors: [{ message: row.last_error_message ?? '' }],
      lastProcessedErrorCount: 1,
    }),
    permissions: specRights(role),
    urls: {
      location: locationOf(row, url),
      app: `${url}${appPath.organization(row.organization_id)}/specifications/${row.slug}`,
      ...(row.visibility === 'public' && { published: publicUrl(url, row.id) }),
    },
  }
}

export function presentVersion(
  app: Pick<App, 'url' | 'secrets'>,
  spec: OpenAPISpecRow,
  row: OpenAPIVersionRow,
): Static<typeof OpenAPISpecVersion> {
  return {
    object: 'openapi-spec-version',
    id: row.id,
    createdAt: row.created_at.toISOString(),
    url: downloadUrl(app, row),
    urls: { location: `${locationOf(spec, app.url)}/versions/${row.id}` },
  }
}

const locationOf = ({ organization_id, slug }: OpenAPISpecRow, url: string) =>
  `${url}/v1/orgs/${organization_id}/openapi/${slug}`
