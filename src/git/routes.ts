import { type SpaceAccess, accessSpace } from '../access/content.ts'
import { spaceRights } from '../access/rights.ts'
import type { Db } from '../db/connect.ts'
import { requireMatch } from '../http/conditional.ts'
import { notFound } from '../http/errors.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { askForExport, askForImport, forgetRepository } from './actions.ts'
import { findLastOperation } from './operations.queries.ts'
import { presentGitSync } from './present.ts'
import { findGitSync } from './queries.ts'
import { GitExport, GitImport, GitSync } from './schema.ts'

const ofSpace = Type.Object({ spaceId: Type.String() })
const tags = ['space-git']

export const gitRoutes: Routes = async (app) => {
  app.post(
    '/spaces/:spaceId/git/import',
    {
      config: { policy: token('space:write', 'the role create in the space') },
      schema: {
        operationId: 'importGitRepository',
        summary: 'Import a Git repository',
        description:
          'It is read in the background: `…/git/info` tells how far that is, and what came of it. Where the main content ' +
          'has edits of its own since the last time, or a merge rule asks for more, the changes come as a change request.',
        tags,
        params: ofSpace,
        body: GitImport,
        response: { 204: Nothing('It is asked for'), ...refusals },
      },
    },
    async (request) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')

      await write(request, async (tx) => {
        await askForImport(tx, app.secrets, space, request.body)
        tx.afterCommit(() => app.git.wake())
      })
    },
  )

  app.post(
    '/spaces/:spaceId/git/export',
    {
      config: { policy: token('space:write', 'the role create in the space') },
      schema: {
        operationId: 'exportToGitRepository',
        summary: 'Export a space to a Git repository',
        description:
          'One commit on top of the branch, made in the background: `…/git/info` tells how far that is. What was not ' +
          'edited is written as it came. It fails where the branch has changes that were not imported.',
        tags,
        params: ofSpace,
        body: GitExport,
        response: { 204: Nothing('It is asked for'), ...refusals },
      },
    },
    async (request) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')

      await write(request, async (tx) => {
        await askForExport(tx, app.secrets, space, request.body)
        tx.afterCommit(() => app.git.wake())
      })
    },
  )

  app.get(
    '/spaces/:spaceId/git/info',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'getSpaceGitInfo',
        summary: 'Get what is known of the Git repository of a space',
        description: '404 where it was never read from or written to one. `operation` is told to those who may edit.',
        tags,
        params: ofSpace,
        response: { 200: GitSync, ...refusals },
      },
    },
    async (request) => {
      return seeRepository(app.db, await accessSpace(app.db, request.caller, request.params.spaceId, 'view'))
    },
  )

  app.delete(
    '/spaces/:spaceId/git/info',
    {
      config: { policy: token('space:write', 'the role create in the space') },
      schema: {
        operationId: 'forgetGitRepository',
        summary: 'Forget the Git repository of a space',
        description:
          'Pages stay, here and there; sites lead to files of the repository no more. The next import or export is one of a ' +
          'space that never had a repository, though what was no content there is exported along. 409 while one is under ' +
          'way, 404 where nothing is known of a repository.',
        tags,
        params: ofSpace,
        response: { 205: Nothing('It is forgotten'), ...refusals },
      },
    },
    async (request) => {
      const access = await accessSpace(app.db, request.caller, request.params.spaceId, 'triggerGitSync')

      await write(request, async (tx) => {
        requireMatch(request, await seeRepository(tx, access))
        await forgetRepository(tx, access.space)
      })
    },
  )
}

async function seeRepository(db: Db, { space, role }: SpaceAccess) {
  const [row, last] = await Promise.all([
    findGitSync(db, space.organization_id, space.id),
    findLastOperation(db, space.organization_id, space.id),
  ])
  // What went wrong names files that readers of the space have nothing to do with.
  const shown = presentGitSync(row, spaceRights(role).edit ? last : undefined)
  if (!shown) throw notFound('repository')
  return shown
}
