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
          'Runs in the background: `…/git/info` shows the progress and the result. If the main content ' +
          'has its own edits since the last sync, or a merge rule is not met, the changes become a change request.',
        tags,
        params: ofSpace,
        body: GitImport,
        response: { 204: Nothing('The request was accepted'), ...refusals },
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
          'Adds one commit to the branch, in the background: `…/git/info` shows the progress. Content that was not ' +
          'edited is written exactly as it was imported. Fails if the branch has changes that have not been imported.',
        tags,
        params: ofSpace,
        body: GitExport,
        response: { 204: Nothing('The request was accepted'), ...refusals },
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
        summary: 'Get the Git repository of a space',
        description:
          '404 if the space was never imported from or exported to one. Only those who can edit get `operation`.',
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
        summary: 'Disconnect a space from its Git repository',
        description:
          'Pages stay on both sides; sites no longer link to files of the repository. The next import or export works ' +
          'as if the space had never had a repository, except that imported files that are not content are still exported. ' +
          '409 while an import or export is running, 404 if the space has no repository.',
        tags,
        params: ofSpace,
        response: { 205: Nothing('The space is disconnected'), ...refusals },
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
  // The problems of an operation name files that are of no concern to readers of the space, so only editors are shown
  // it.
  const shown = presentGitSync(row, spaceRights(role).edit ? last : undefined)
  if (!shown) throw notFound('repository')
  return shown
}
