import type { Static } from 'typebox'
import type { SiteRedirectRow } from '../../db/tables.ts'
import type { SiteRedirect } from './schema.ts'

export function presentRedirect(row: SiteRedirectRow): Static<typeof SiteRedirect> {
  return {
    object: 'site-redirect',
    id: row.id,
    source: row.source,
    destination: row.destination,
    captureWildcard: row.capture_wildcard,
    permanent: row.permanent,
    draft: row.draft,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
