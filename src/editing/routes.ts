import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { accessSpace } from '../access/content.ts'
import { accessChangeRequest } from '../change-requests/access.ts'
import { locationOf, presentChangeRequest } from '../change-requests/present.ts'
import { requireTag } from '../http/conditional.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import { isRepeat, write } from '../http/write.ts'
import { type Edit, editChangeRequest, editSpace, refuseArchived, refuseLocked } from './actions.ts'
import { prepareBatch } from './prepare.ts'
import { presentOutcome } from './present.ts'
import { Batch, EditedChangeRequest, EditedSpace } from './schema.ts'

const bodyDepth = 256

export const editingRoutes: Routes = async (app) => {
  const bodyLimit = app.config.limits.contentBytes

  app.post(
    '/spaces/:spaceId/change-requests/:changeRequestId/content',
    {
      bodyLimit,
      config: { policy: token('space:write', 'the role edit on the space'), bodyDepth },
      schema: {
        operationId: 'updateChangeRequestContent',
        summary: 'Change the content of a change request',
        tags: ['change-request-content'],
        params: Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() }),
        querystring: Type.Object({
          compat: Type.Optional(
            Type.Boolean({ default: true, description: 'Answer the change request; else, what was changed, too.' }),
          ),
        }),
        body: Batch,
        response: { 200: EditedChangeRequest, ...refusals },
      },
    },
    async (request, reply) => {
      const { changeRequest } = await accessChangeRequest(app.db, request.caller, request.params, 'edit')
      const { compat = true } = request.query
      const mayChange = () => refuseArchived(changeRequest)

      const answer = await withBatch(app, request, mayChange, (edit) =>
        write(request, async (tx) => {
          const edited = await editChangeRequest(tx, changeRequest, edit)
          const shown = presentChangeRequest(edited.changeRequest, app.url)
          if (compat) return shown
          return { changeRequest: shown, ...presentOutcome(app, edited.batch, locationOf(changeRequest, app.url)) }
        }),
      )
      return tagged(reply, answer, 'changeRequest' in answer ? answer.changeRequest.revision : answer.revision)
    },
  )

  app.post(
    '/spaces/:spaceId/content',
    {
      bodyLimit,
      config: { policy: token('space:write', 'the role edit on the space, which must be live'), bodyDepth },
      schema: {
        operationId: 'updateSpaceContent',
        summary: 'Change the content of a space directly',
        description: 'Only where `editMode` is `live`. Elsewhere content changes by merging a change request.',
        tags: ['space-content'],
        params: Type.Object({ spaceId: Type.String() }),
        body: Batch,
        response: { 200: EditedSpace, ...refusals },
      },
    },
    async (request, reply) => {
      const { space, main } = await accessSpace(app.db, request.caller, request.params.spaceId, 'edit')

      const answer = await withBatch(
        app,
        request,
        () => refuseLocked(space),
        (edit) =>
          write(request, async (tx) => {
            const { batch, line } = await editSpace(tx, space, main.lineId, edit)
            return { revision: line.head.id, ...presentOutcome(app, batch, `${app.url}/v1/spaces/${space.id}`) }
          }),
      )
      return tagged(reply, answer, answer.revision)
    },
  )
}

type BatchRequest = FastifyRequest & { body: { changes: Parameters<typeof prepareBatch>[1] } }

/**
 * Makes a batch ready, has it written, and tidies up. What takes time, parsing and fetching, is done before a connection
 * to the database is taken; a request that was answered before is not prepared again, its files may be gone by now.
 */
async function withBatch<Answer>(
  app: App,
  request: FastifyRequest,
  mayChange: () => void,
  writeIt: (edit: Edit) => Promise<Answer>,
): Promise<Answer> {
  const { body, caller } = request as BatchRequest
  const repeated = await isRepeat(request)
  if (!repeated) mayChange()
  const prepared = await prepareBatch(app, repeated ? [] : body.changes)
  const requireHead: Edit['requireHead'] = ({ head }) => requireTag(request, () => `"${head.id}"`)
  try {
    return await writeIt({ prepared, caller, store: app.store, requireHead })
  } finally {
    await prepared.cleanUp()
  }
}

/** The tag of a content write is the revision: what the next one can name in `If-Match`. */
function tagged<Answer>(reply: FastifyReply, answer: Answer, revision: string): Answer {
  reply.header('etag', `"${revision}"`)
  return answer
}
