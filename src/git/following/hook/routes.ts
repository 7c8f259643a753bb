import { accessSpace } from '../../../access/content.ts'
import { requireMatch, requireNoMatch, tagWithState } from '../../../http/conditional.ts'
import { notFound } from '../../../http/errors.ts'
import { type Routes, token } from '../../../http/routes.ts'
import { Nothing, refusals } from '../../../http/schemas.ts'
import Type from '../../../http/type.ts'
import { write } from '../../../http/write.ts'
import { findFollowing } from '../queries.ts'
import { removeHook, setUpHook } from './actions.ts'
import { presentHook, presentHookState } from './present.ts'
import { CreatedGitHook, GitHook } from './schema.ts'

const ofSpace = Type.Object({ spaceId: Type.String() })
const tags = ['space-git']

const what = 'push hook'

export const gitHookRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/git/following/hook',
    {
      config: { policy: token('space:read', 'the role create in the space') },
      schema: {
        operationId: 'getGitHook',
        summary: 'Get the push hook of a space',
        description: 'Includes when it was last called and what happened then. 404 if there is none.',
        tags,
        params: ofSpace,
        response: { 200: GitHook, ...refusals },
      },
    },
    async (request, reply) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')
      const row = await findFollowing(app.db, space.organization_id, space.id)
      const shown = row && presentHook(row, app.url)
      if (!shown) throw notFound(what)
      tagWithState(request, reply, presentHookState(row, app.url)!, shown)
      return shown
    },
  )

  app.put(
    '/spaces/:spaceId/git/following/hook',
    {
      config: { policy: token('space:write', 'the role create in the space') },
      schema: {
        operationId: 'setUpGitHook',
        summary: 'Create a push hook for a space',
        description:
          'Returns a URL, and a secret that is shown only once. A space that is kept in sync checks its branch as soon as ' +
          'the URL is called. An existing hook keeps its URL and gets a new secret; the previous one becomes invalid ' +
          'immediately. 404 if the space is not kept in sync.',
        tags,
        params: ofSpace,
        response: { 200: CreatedGitHook, ...refusals },
      },
    },
    async (request, reply) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')

      const { row, secret } = await write(request, (tx) =>
        setUpHook(tx, app.secrets, space, (before) => {
          const state = presentHookState(before, app.url)
          if (state) requireMatch(request, state)
          else requireNoMatch(request, what)
        }),
      )
      const shown = { ...presentHook(row, app.url)!, secret }
      tagWithState(request, reply, presentHookState(row, app.url)!, shown)
      return shown
    },
  )

  app.delete(
    '/spaces/:spaceId/git/following/hook',
    {
      config: { policy: token('space:write', 'the role create in the space') },
      schema: {
        operationId: 'removeGitHook',
        summary: 'Delete the push hook of a space',
        description: 'The space stays in sync as before, by checking every two minutes.',
        tags,
        params: ofSpace,
        response: { 205: Nothing('The push hook was deleted'), ...refusals },
      },
    },
    async (request) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')

      await write(request, (tx) =>
        removeHook(tx, space, (before) => requireMatch(request, presentHookState(before, app.url)!)),
      )
    },
  )
}
