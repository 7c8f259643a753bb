import type { Static } from 'typebox'
import { type Caller, accessOrganization } from '../../access/caller.ts'
import { reaches } from '../../access/roles.ts'
import { notFound } from '../../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { presentUser } from '../../users/present.ts'
import { type ExportRun as Row, findExportRun, listExportRuns } from './runs.queries.ts'
import { ExportRun } from './runs.schema.ts'

export const exportRunRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/exports',
    {
      config: { policy: token(null, 'to be a member; only administrators see the exports of others') },
      schema: {
        operationId: 'listExportRuns',
        summary: 'List exports and their progress',
        description: 'Exports of the last seven days, newest first.',
        tags: ['organizations'],
        params: Type.Object({ organizationId: Type.String() }),
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(ExportRun), ...refusals },
      },
    },
    async (request) => {
      const { organizationId, userId } = accessExports(request.caller)
      const page = pageOf(request)
      const list = await listExportRuns(app.db, organizationId, userId, page)
      return presentPage(request, page, list, byAge, (row) => presentExportRun(row, app.url))
    },
  )

  app.get(
    '/orgs/:organizationId/exports/:exportId',
    {
      config: { policy: token(null, 'to have started it, or the role admin') },
      schema: {
        operationId: 'getExportRun',
        summary: 'Get the progress of an export',
        description: 'The response that sends an archive has the id of its export in the header `Lectern-Export`.',
        tags: ['organizations'],
        params: Type.Object({ organizationId: Type.String(), exportId: Type.String() }),
        response: { 200: ExportRun, ...refusals },
      },
    },
    async (request) => {
      const { organizationId, userId } = accessExports(request.caller)
      const run = await findExportRun(app.db, organizationId, request.params.exportId)
      if (!run || (userId !== undefined && run.created_by !== userId)) throw notFound('export')
      return presentExportRun(run, app.url)
    },
  )
}

/** Administrators see all exports, other people their own. */
function accessExports(caller: Caller): { organizationId: string; userId: string | undefined } {
  const { organization, userId, role } = accessOrganization(caller, 'view')
  return { organizationId: organization.id, userId: reaches(role, 'admin') ? undefined : userId }
}

function presentExportRun(row: Row, url: string): Static<typeof ExportRun> {
  return {
    object: 'export-run',
    id: row.id,
    status: row.status,
    target: { ...(row.space_id !== null && { space: row.space_id }) },
    ...(row.creator && { createdBy: presentUser(row.creator, url) }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.completed_at && { completedAt: row.completed_at.toISOString() }),
    progress: { files: row.files, totalFiles: Math.max(row.total_files, row.files), bytes: row.bytes },
    urls: { location: `${url}/v1/orgs/${row.organization_id}/exports/${row.id}` },
  }
}
