import { accessSpace } from '../access/content.ts'
import { notFound } from '../http/errors.ts'
import { pageOf, presentPage } from '../http/paging.ts'
import type { Routes } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { findRevision } from '../revisions/lines.ts'
import { presentChanges, presentRevisionSummary } from './changes.present.ts'
import { ChangesQuery, RevisionList, RevisionQuery, SemanticChanges } from './changes.schema.ts'
import { readPolicy } from './families.ts'
import { listRevisions } from './queries.ts'
import { changesIn } from './revision-changes.ts'
import { findMerged } from './snapshot.ts'

const config = { policy: readPolicy }
const tags = ['space-content']

export const revisionRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/revisions',
    {
      config,
      schema: {
        operationId: 'listRevisionsInSpace',
        summary: 'List the revisions of a space, newest first',
        tags,
        params: Type.Object({ spaceId: Type.String() }),
        querystring: RevisionQuery,
        response: { 200: RevisionList, ...refusals },
      },
    },
    async (request) => {
      const { space, main } = await accessSpace(app.db, request.caller, request.params.spaceId, 'view')
      const page = pageOf(request)
      const list = await listRevisions(app.db, main.lineId, space, page)
      return presentPage(
        request,
        page,
        list,
        ({ seq }) => [seq],
        (row) => presentRevisionSummary(row, app.url),
      )
    },
  )

  app.get(
    '/spaces/:spaceId/revisions/:revisionId/changes',
    {
      config,
      schema: {
        operationId: 'getRevisionSemanticChanges',
        summary: 'Get the changes of a revision',
        tags,
        params: Type.Object({ spaceId: Type.String(), revisionId: Type.String() }),
        querystring: ChangesQuery,
        response: { 200: SemanticChanges, ...refusals },
      },
    },
    async (request) => {
      const { spaceId, revisionId } = request.params
      const { space } = await accessSpace(app.db, request.caller, spaceId, 'view')
      const row = await findRevision(app.db, space.organization_id, space.id, revisionId)
      if (!row) throw notFound('revision')

      const [changes, mergedFrom] = await Promise.all([
        changesIn(app.db, row, request.query.limit ?? 10),
        findMerged(app, row),
      ])
      return { ...(mergedFrom && { mergedFrom }), ...presentChanges(changes, { app, spaceId }) }
    },
  )
}
