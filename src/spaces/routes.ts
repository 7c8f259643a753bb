import { accessOrganization } from '../access/caller.ts'
import { accessParent } from '../collections/tree.ts'
import { requireMatch, tagWithState } from '../http/conditional.ts'
import { invalid } from '../http/errors.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessSpaceToChange, seeChangedSpace, seeSpace } from './access.ts'
import { changeSpace, createSpace, deleteSpace } from './actions.ts'
import { presentSpace } from './present.ts'
import { listSpaces, placeOf } from './queries.ts'
import { NewSpace, Space, SpaceChanges, SpaceQuery } from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofSpace = Type.Object({ spaceId: Type.String() })
const tags = ['spaces']

export const spaceRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/spaces',
    {
      config: { policy: token('space:read', 'to be a member; only what the caller can read is listed') },
      schema: {
        operationId: 'listSpacesInOrganizationById',
        summary: 'List the spaces of an organization',
        description: 'Top level first, then the contents of each collection, in their custom order.',
        tags,
        params: inOrganization,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Space), ...refusals },
      },
    },
    async (request) => {
      const { organization, userId } = accessOrganization(request.caller, 'view')
      const page = pageOf(request)
      const list = await listSpaces(app.db, organization.id, userId, undefined, page)
      return presentPage(request, page, list, placeOf, (row) => presentSpace(row, app.hosts))
    },
  )

  app.post(
    '/orgs/:organizationId/spaces',
    {
      config: { policy: token('space:write', 'the role create, in the collection or in the organization') },
      schema: {
        operationId: 'createSpace',
        summary: 'Create a space',
        tags,
        params: inOrganization,
        body: NewSpace,
        response: { 201: Space, ...refusals },
      },
    },
    async (request) => {
      const { organization, userId, role } = accessOrganization(request.caller, 'view')
      const { title, emoji, language, editMode, empty, template, computedSource } = request.body
      if (template !== undefined) throw invalid('body.template', 'unsupported', 'there are no templates yet')
      if (computedSource !== undefined) {
        throw invalid('body.computedSource', 'unsupported', 'there are no computed spaces yet')
      }
      const parent = { organizationId: organization.id, id: request.body.parent ?? null }
      await accessParent(app.db, request.caller, parent, role)

      return write(request, async (tx) => {
        const draft = { parent, title, emoji, language, editMode, empty, creatorId: userId }
        const id = await createSpace(tx, draft)
        return presentSpace(await seeSpace(tx, request.caller, id), app.hosts)
      })
    },
  )

  app.get(
    '/spaces/:spaceId',
    {
      config: { policy: token('space:read', 'the role read') },
      schema: {
        operationId: 'getSpaceById',
        summary: 'Get a space',
        tags,
        params: ofSpace,
        querystring: SpaceQuery,
        response: { 200: Space, ...refusals },
      },
    },
    async (request, reply) => {
      const { shareKey } = request.query
      const space = await seeSpace(app.db, request.caller, request.params.spaceId, { shareKey })
      const shown = presentSpace(space, app.hosts, shareKey)
      if (shareKey !== undefined) tagWithState(request, reply, presentSpace(space, app.hosts), shown)
      return shown
    },
  )

  app.patch(
    '/spaces/:spaceId',
    {
      config: { policy: token('space:write', 'the role create') },
      schema: {
        operationId: 'updateSpaceById',
        summary: 'Update a space',
        tags,
        params: ofSpace,
        body: SpaceChanges,
        response: { 200: Space, ...refusals },
      },
    },
    async (request) => {
      const { spaceId } = request.params

      return write(request, async (tx) => {
        const { space, role, seen } = await accessSpaceToChange(tx, request.caller, spaceId)
        requireMatch(request, presentSpace(seen, app.hosts))
        await changeSpace(tx, space, request.body, role)
        return presentSpace(await seeChangedSpace(tx, request.caller, space), app.hosts)
      })
    },
  )

  app.delete(
    '/spaces/:spaceId',
    {
      config: { policy: token('space:write', 'the role create') },
      schema: {
        operationId: 'deleteSpaceById',
        summary: 'Delete a space',
        description: 'It can be restored for 7 days, and is deleted permanently after that.',
        tags,
        params: ofSpace,
        response: { 205: Nothing('The space was moved to the trash'), ...refusals },
      },
    },
    async (request) => {
      await write(request, async (tx) => {
        const { space, seen } = await accessSpaceToChange(tx, request.caller, request.params.spaceId)
        requireMatch(request, presentSpace(seen, app.hosts))
        await deleteSpace(tx, space)
      })
    },
  )
}
