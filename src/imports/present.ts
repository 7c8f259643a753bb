import type { Static } from 'typebox'
import { presentUser } from '../users/present.ts'
import { limits } from './limits.ts'
import type { PreparedImport } from './prepare.ts'
import type { ImportRun as Row } from './runs/queries.ts'
import type { ImportContentResult, ImportRun } from './schema.ts'

export function presentResult(
  revision: string,
  { pages, skipped, total }: PreparedImport,
): Static<typeof ImportContentResult> {
  return {
    revision,
    importedResources: pages.length,
    totalResources: Math.max(total, pages.length),
    pages: pages.map(({ id, title, source }) => ({ id, title, sourceURL: source })),
    skipped: skipped.slice(0, limits.skipped),
  }
}

/** A run as it is listed. */
export function presentRun(row: Row, url: string): Static<typeof ImportRun> {
  return {
    object: 'import-run',
    id: row.id,
    status: row.status,
    ...(row.reason !== null && { reason: row.reason }),
    source: row.source,
    target: {
      space: row.space_id,
      ...(row.change_request_id !== null && { changeRequest: row.change_request_id }),
      ...(row.page_id !== null && { page: row.page_id }),
    },
    ...(row.site_id !== null && { site: row.site_id }),
    ...(row.creator && { createdBy: presentUser(row.creator, url) }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.started_at && { startedAt: row.started_at.toISOString() }),
    ...(row.completed_at && { completedAt: row.completed_at.toISOString() }),
    progress: { found: row.found, done: row.done },
    ...(row.revision !== null && { revision: row.revision }),
    ...(row.imported !== null && { importedResources: row.imported }),
    ...(row.total !== null && { totalResources: row.total }),
    urls: { location: `${url}/v1/org/${row.organization_id}/imports/${row.id}` },
  }
}

/** A single run, with everything that was imported and skipped. */
export function presentWholeRun(row: Row, url: string): Static<typeof ImportRun> {
  return {
    ...presentRun(row, url),
    pages: row.pages.map(({ id, source, status }) => ({ id, sourceURL: source, type: 'page', status })),
    skipped: row.skipped,
  }
}
