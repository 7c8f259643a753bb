import { requireRevision, tagWithRevision } from '../../http/conditional.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessChangeRequest, lockChangeRequest } from '../access.ts'
import { listConflicts } from '../conflicts/conflicts.ts'
import { presentConflict } from '../conflicts/conflicts.present.ts'
import { Conflict } from '../conflicts/conflicts.schema.ts'
import { mergeInTurn } from './merge.ts'
import type { ChangeRequest as Row } from '../queries.ts'
import { MergeResult, UpdateResult } from '../schema.ts'
import { updateFromMain } from './update.ts'

const ofChangeRequest = Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() })
const tags = ['change-requests']

export const mergingRoutes: Routes = async (app) => {
  app.post(
    '/spaces/:spaceId/change-requests/:changeRequestId/merge',
    {
      config: { policy: token('change-request:merge', 'the role review in the space') },
      schema: {
        operationId: 'mergeChangeRequest',
        summary: 'Merge a change request into the main content',
        description:
          'If there are conflicts, nothing is changed: `result` is `conflicts`, and `…/conflicts` lists them. `If-Match` is compared with the revision of the change request.',
        tags,
        params: ofChangeRequest,
        response: { 200: MergeResult, ...refusals },
      },
    },
    async (request, reply) => {
      const access = await accessChangeRequest(app.db, request.caller, request.params, 'merge')

      const { changeRequest } = access
      const merging = {
        mergerId: request.caller.user.id,
        requireHead: ({ head_id }: Row) => requireRevision(request, head_id),
        mail: app.mail,
      }
      const answer = await mergeInTurn(request, changeRequest, merging)
      return tagWithRevision(reply, answer, answer.revision)
    },
  )

  app.post(
    '/spaces/:spaceId/change-requests/:changeRequestId/update',
    {
      config: { policy: token('space:write', 'the role edit in the space') },
      schema: {
        operationId: 'updateChangeRequest',
        summary: 'Update a change request with the main content',
        description:
          'Changes that cannot be merged become conflicts: `result` is `conflicts` until all of them are resolved. `If-Match` is compared with the revision of the change request.',
        tags,
        params: ofChangeRequest,
        response: { 200: UpdateResult, ...refusals },
      },
    },
    async (request, reply) => {
      const access = await accessChangeRequest(app.db, request.caller, request.params, 'edit')

      const answer = await write(request, async (tx) => {
        const { changeRequest, branch } = await lockChangeRequest(tx, access.changeRequest)
        requireRevision(request, changeRequest.head_id)
        return updateFromMain(tx, changeRequest, branch)
      })
      return tagWithRevision(reply, answer, answer.revision)
    },
  )

  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/conflicts',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'listConflictsInChangeRequest',
        summary: 'List the conflicts of a change request',
        description:
          'Conflicts left by an update (`open`), followed by those that a merge would cause now (`expected`).',
        tags,
        params: ofChangeRequest,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Conflict), ...refusals },
      },
    },
    async (request) => {
      const { changeRequest } = await accessChangeRequest(app.db, request.caller, request.params, 'view')
      const page = pageOf(request)
      const list = await listConflicts(app.db, changeRequest, page)
      return presentPage(request, page, list, ({ state, conflict }) => [state, conflict.id], presentConflict)
    },
  )
}
