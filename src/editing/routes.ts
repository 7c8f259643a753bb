import type { FastifyRequest } from 'fastify'
import { accessSpace } from '../access/content.ts'
import { locationOf, presentChangeRequest } from '../change-requests/present.ts'
import { limits } from '../content/limits.ts'
import { requireRevision, tagWithRevision } from '../http/conditional.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { isRepeat } from '../http/write.ts'
import { type Edit, contentOfChangeRequest, contentOfSpace } from './actions.ts'
import { prepareBatch } from './prepare.ts'
import { presentOutcome } from './present.ts'
import { Batch, EditedChangeRequest, EditedSpace } from './schema.ts'
import { type Target, bringsFiles, writeBatch } from './write-batch.ts'

/** A document nested to its limit takes two levels of JSON for each of its own. */
const bodyDepth = 2 * limits.documentNesting + 16

export const editingRoutes: Routes = async (app) => {
  const bodyLimit = app.config.limits.contentBytes

  app.post(
    '/spaces/:spaceId/change-requests/:changeRequestId/content',
    {
      bodyLimit,
      config: { policy: token('space:write', 'the role edit on the space'), bodyDepth },
      schema: {
        operationId: 'updateChangeRequestContent',
        summary: 'Edit the content of a change request',
        tags: ['change-request-content'],
        params: Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() }),
        querystring: Type.Object({
          compat: Type.Optional(
            Type.Boolean({
              default: true,
              description: 'With `false`, the changes are returned as well. By default, only the change request is.',
            }),
          ),
        }),
        body: Batch,
        response: { 200: EditedChangeRequest, ...refusals },
      },
    },
    async (request, reply) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'edit')
      const { compat = true } = request.query

      const target = contentOfChangeRequest(space, request.params.changeRequestId)
      const answer = await changeContent(app, request, target, ({ changeRequest, batch }) => {
        const shown = presentChangeRequest(changeRequest, app.url)
        if (compat) return shown
        return { changeRequest: shown, ...presentOutcome(app, batch, locationOf(changeRequest, app.url)) }
      })
      return tagWithRevision(reply, answer, 'changeRequest' in answer ? answer.changeRequest.revision : answer.revision)
    },
  )

  app.post(
    '/spaces/:spaceId/content',
    {
      bodyLimit,
      config: { policy: token('space:write', 'the role edit on the space, which must be live'), bodyDepth },
      schema: {
        operationId: 'updateSpaceContent',
        summary: 'Edit the main content of a space',
        description:
          'Only for spaces whose `editMode` is `live`. In other spaces, content changes by merging change requests.',
        tags: ['space-content'],
        params: Type.Object({ spaceId: Type.String() }),
        body: Batch,
        response: { 200: EditedSpace, ...refusals },
      },
    },
    async (request, reply) => {
      const { space, main } = await accessSpace(app.db, request.caller, request.params.spaceId, 'edit')

      const answer = await changeContent(app, request, contentOfSpace(space, main.lineId), ({ batch, line }) => ({
        revision: line.head.id,
        ...presentOutcome(app, batch, `${app.url}/v1/spaces/${space.id}`),
      }))
      return tagWithRevision(reply, answer, answer.revision)
    },
  )
}

type BatchRequest = FastifyRequest & { body: { changes: Parameters<typeof prepareBatch>[1] } }

/**
 * Prepares a batch, has it written, and cleans up. Slow steps, parsing and fetching, are done before a database
 * connection is taken. A request that was answered before is not prepared again: its files may be gone by now.
 */
async function changeContent<Edited, Answer>(
  app: App,
  request: FastifyRequest,
  target: Target<Edited>,
  present: (edited: Edited) => Answer,
): Promise<Answer> {
  const { body, caller } = request as BatchRequest
  const changes = (await isRepeat(request)) ? [] : body.changes
  if (bringsFiles(changes)) await target.refuse(app.db)
  const prepared = await prepareBatch(app, changes)
  const requireHead: Edit['requireHead'] = ({ head }) => requireRevision(request, head.id)
  try {
    return await writeBatch(request, { prepared, caller, store: app.store, url: app.url, requireHead }, target, present)
  } finally {
    await prepared.cleanUp()
  }
}
