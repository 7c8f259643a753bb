import { accessOrganization } from '../../access/caller.ts'
import { requireMatch } from '../../http/conditional.ts'
import { notFound } from '../../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { OneOf, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { accessSite } from '../../sites/access.ts'
import { accessRun } from './access.ts'
import { cancelRun, startRun } from './actions.ts'
import { presentRun, presentWholeRun } from '../present.ts'
import { listRuns, lockRun } from './queries.ts'
import { ImportRun, NewImportRun, runStatuses } from '../schema.ts'
import { accessPlace, accessTarget } from '../target.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofRun = Type.Object({ organizationId: Type.String(), importRunId: Type.String() })
const tags = ['imports']

export const importRunRoutes: Routes = async (app) => {
  app.post(
    '/org/:organizationId/imports',
    {
      config: { policy: token('space:write', 'the role edit on the space; if it is locked, the role review') },
      schema: {
        operationId: 'startImportRun',
        summary: 'Start an import in the background',
        description: 'Creates a single revision, or changes nothing at all. `progress` shows the progress.',
        tags,
        params: inOrganization,
        body: NewImportRun,
        response: { 201: ImportRun, ...refusals },
      },
    },
    async (request) => {
      const { caller, body } = request
      const { organization } = accessOrganization(caller, 'view')
      const { space: spaceId, changeRequest: changeRequestId, page: pageId } = body.target
      if (!isId(spaceId)) throw notFound('space')
      const place = { spaceId, changeRequestId, pageId }
      const { space } = await accessPlace(app.db, caller, place)
      if (space.organization_id !== organization.id) throw notFound('space')
      if (body.site !== undefined) {
        if (!isId(body.site)) throw notFound('site')
        await accessSite(app.db, caller, body.site, 'view')
      }

      return write(request, async (tx) => {
        const target = await accessTarget(tx, caller, place, 'body.target.page')
        const run = await startRun(tx, { target, source: body.source, siteId: body.site })
        tx.afterCommit(() => app.imports.wake())
        return presentWholeRun(run, app.url)
      })
    },
  )

  app.get(
    '/org/:organizationId/imports',
    {
      config: {
        policy: token('space:read', 'to be a member; only imports into spaces that the caller can see are listed'),
      },
      schema: {
        operationId: 'listImportRuns',
        summary: 'List imports',
        tags,
        params: inOrganization,
        querystring: Type.Object({
          ...pageQuery,
          space: Type.Optional(Type.String()),
          changeRequest: Type.Optional(
            Type.String({
              maxLength: 100,
              description: 'The id of a change request, or its number. Numbers are unique only within a `space`.',
            }),
          ),
          site: Type.Optional(Type.String()),
          status: Type.Optional(
            OneOf(['active', ...runStatuses] as const, { description: '`active`: pending or in-progress.' }),
          ),
        }),
        response: { 200: listOf(ImportRun), ...refusals },
      },
    },
    async (request) => {
      const { organization, userId } = accessOrganization(request.caller, 'view')
      const { space, changeRequest, site, status } = request.query
      const page = pageOf(request)
      const isNumber = changeRequest !== undefined && /^\d{1,9}$/.test(changeRequest)
      const named = [space, isNumber ? undefined : changeRequest, site].filter((id) => id !== undefined)
      const filter = {
        ...(space !== undefined && { space }),
        ...(changeRequest !== undefined && { changeRequest: isNumber ? Number(changeRequest) : changeRequest }),
        ...(site !== undefined && { site }),
        ...(status !== undefined && { status }),
      }
      // A value that is not an id matches nothing.
      const list = named.every(isId)
        ? await listRuns(app.db, organization.id, userId, filter, page)
        : { rows: [], count: 0 }
      return presentPage(request, page, list, byAge, (row) => presentRun(row, app.url))
    },
  )

  app.get(
    '/org/:organizationId/imports/:importRunId',
    {
      config: { policy: token('space:read', 'the role read on the space') },
      schema: {
        operationId: 'getImportRun',
        summary: 'Get an import, with its results and problems',
        tags,
        params: ofRun,
        response: { 200: ImportRun, ...refusals },
      },
    },
    async (request) =>
      presentWholeRun(await accessRun(app.db, request.caller, request.params.importRunId, 'view'), app.url),
  )

  app.post(
    '/org/:organizationId/imports/:importRunId/cancel',
    {
      config: { policy: token('space:write', 'the role edit on the space') },
      schema: {
        operationId: 'cancelImportRun',
        summary: 'Cancel an import',
        tags,
        params: ofRun,
        response: { 200: ImportRun, ...refusals },
      },
    },
    async (request) => {
      const { organization_id, id } = await accessRun(app.db, request.caller, request.params.importRunId, 'edit')

      return write(request, async (tx) => {
        const run = await lockRun(tx, organization_id, id)
        if (!run) throw notFound('import')
        requireMatch(request, presentWholeRun(run, app.url))
        return presentWholeRun(await cancelRun(tx, run), app.url)
      })
    },
  )
}
