import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessSpace } from '../../access/content.ts'
import { requireMatch, requireNoMatch, tagWithState } from '../../http/conditional.ts'
import { notFound } from '../../http/errors.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { endFollowing, followRepository } from './actions.ts'
import { loadFollowing } from './load.ts'
import { type FollowingParts, presentFollowing, presentFollowingState } from './present.ts'
import { lockFollowing } from './queries.ts'
import { GitFollowing, NewGitFollowing } from './schema.ts'

const ofSpace = Type.Object({ spaceId: Type.String() })
const tags = ['space-git']

const what = 'repository that it is kept in sync with'

export const gitFollowingRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/git/following',
    {
      config: { policy: token('space:read', 'the role create in the space') },
      schema: {
        operationId: 'getGitFollowing',
        summary: 'Get the Git repository that a space is kept in sync with',
        description: 'Includes when it was last checked, the result, and any problem. 404 if there is none.',
        tags,
        params: ofSpace,
        response: { 200: GitFollowing, ...refusals },
      },
    },
    async (request, reply) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')
      const found = await loadFollowing(app.db, space)
      if (!found) throw notFound(what)
      return answer(request, reply, found)
    },
  )

  app.put(
    '/spaces/:spaceId/git/following',
    {
      config: { policy: token('space:write', 'the role create in the space') },
      schema: {
        operationId: 'followGitRepository',
        summary: 'Keep a space in sync with a Git repository',
        description:
          'The branch is checked every two minutes. New commits are imported and new edits exported, as by `…/git/import` ' +
          'and `…/git/export` without `force`, with the rights that you have at that time. If both sides have changes, ' +
          'those of the repository become a change request for review.',
        tags,
        params: ofSpace,
        body: NewGitFollowing,
        response: { 200: GitFollowing, ...refusals },
      },
    },
    async (request, reply) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')

      const found = await write(request, async (tx) => {
        await followRepository(tx, app.secrets, space, request.body, (before) => {
          if (before) requireMatch(request, presentFollowingState(before))
          else requireNoMatch(request, what)
        })
        tx.afterCommit(() => app.following.wake())
        return loadFollowing(tx, space)
      })
      return answer(request, reply, found!)
    },
  )

  app.delete(
    '/spaces/:spaceId/git/following',
    {
      config: { policy: token('space:write', 'the role create in the space') },
      schema: {
        operationId: 'unfollowGitRepository',
        summary: 'Stop keeping a space in sync with its Git repository',
        description:
          'The stored credentials are deleted. The space keeps its repository, and an import or export that is running ' +
          'continues.',
        tags,
        params: ofSpace,
        response: { 205: Nothing('The space is no longer kept in sync'), ...refusals },
      },
    },
    async (request) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')

      await write(request, async (tx) => {
        const before = await lockFollowing(tx, space.organization_id, space.id)
        if (before) requireMatch(request, presentFollowingState(before))
        await endFollowing(tx, space)
      })
    },
  )

  /** Every look changes what is shown, so the tag for writes covers only what somebody set up. */
  function answer(request: FastifyRequest, reply: FastifyReply, found: FollowingParts) {
    const shown = presentFollowing(found, app.url)
    tagWithState(request, reply, presentFollowingState(found.row), shown)
    return shown
  }
}
