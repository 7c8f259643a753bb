import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { changesBetween } from '../pages/changes.ts'
import { presentChanges } from '../pages/changes.present.ts'
import { ChangesQuery, SemanticChanges } from '../pages/changes.schema.ts'
import { listOverlay } from '../revisions/entries.ts'
import { findLine } from '../revisions/lines.ts'
import { accessChangeRequest } from './access.ts'
import { baseOf } from './merging/outcome.ts'

export const changeRequestChangesRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/changes',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'getChangeRequestChanges',
        summary: 'Get the changes of a change request',
        description:
          'Compared with the main content that the change request is based on. Later changes of the main content are not included.',
        tags: ['change-requests'],
        params: Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() }),
        querystring: ChangesQuery,
        response: { 200: SemanticChanges, ...refusals },
      },
    },
    async (request) => {
      const { changeRequest } = await accessChangeRequest(app.db, request.caller, request.params, 'view')
      const { head } = await findLine(app.db, changeRequest.organization_id, changeRequest.line_id)
      const touched = (await listOverlay(app.db, head)).filter(({ state }) => state !== 2)
      const ids = touched.map(({ entry }) => entry)
      const changes = await changesBetween(app.db, baseOf(head), head, ids, request.query.limit ?? 10)
      return presentChanges(changes, { app, spaceId: changeRequest.space_id })
    },
  )
}
