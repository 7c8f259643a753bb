import { accessSpace } from '../../access/content.ts'
import { notFound } from '../../http/errors.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { findRevision } from '../../revisions/lines.ts'
import { presentChangeRequest } from '../present.ts'
import { revertRevision } from './revert.ts'
import { ChangeRequest } from '../schema.ts'

export const revertRoutes: Routes = async (app) => {
  app.post(
    '/spaces/:spaceId/revisions/:revisionId/revert',
    {
      config: { policy: token('space:write', 'the role edit in the space') },
      schema: {
        operationId: 'revertRevision',
        summary: 'Create a change request that reverts a revision',
        description: 'Later changes are kept. Where that is not possible, the change request starts with conflicts.',
        tags: ['change-requests'],
        params: Type.Object({ spaceId: Type.String(), revisionId: Type.String() }),
        response: { 201: ChangeRequest, ...refusals },
      },
    },
    async (request) => {
      const { spaceId, revisionId } = request.params
      const { space } = await accessSpace(app.db, request.caller, spaceId, 'edit')
      const revision = await findRevision(app.db, space.organization_id, space.id, revisionId)
      if (!revision) throw notFound('revision')

      return write(request, async (tx) => presentChangeRequest(await revertRevision(tx, revision), app.url))
    },
  )
}
