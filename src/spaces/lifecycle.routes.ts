import { accessOrganization } from '../access/caller.ts'
import { accessSpace } from '../access/content.ts'
import { Transfer } from '../collections/schema.ts'
import { Move, accessDestination, lockTree } from '../collections/tree.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessSpaceToChange, seeSpace } from './access.ts'
import { moveSpace } from './actions.ts'
import { accessToCopy, copySpace } from './duplicate.ts'
import { presentSpace } from './present.ts'
import { Space } from './schema.ts'
import { accessTarget, transfer } from './transfer.ts'
import { accessDeleted, takeFromTrash } from './trash.ts'
import { listTrash } from './trash.queries.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofSpace = Type.Object({ spaceId: Type.String() })
const tags = ['spaces']

/** Restoring, duplicating, moving and transferring spaces. */
export const spaceLifecycleRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/spaces/trash',
    {
      config: { policy: token('space:read', 'to be a member; only what the caller can restore is listed') },
      schema: {
        operationId: 'listDeletedSpaces',
        summary: 'List the spaces in the trash',
        tags,
        params: inOrganization,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Space), ...refusals },
      },
    },
    async (request) => {
      const { organization, userId } = accessOrganization(request.caller, 'view')
      const page = pageOf(request)
      const list = await listTrash(app.db, organization.id, userId, page)
      return presentPage(
        request,
        page,
        list,
        (row) => [row.deleted_at!.toISOString(), row.id],
        (row) => presentSpace(row, app.hosts),
      )
    },
  )

  app.post(
    '/spaces/:spaceId/restore',
    {
      config: { policy: token('space:write', 'the role create') },
      schema: {
        operationId: 'restoreSpace',
        summary: 'Restore a space from the trash',
        description: 'It returns to its place, or to the top level if its collection no longer exists.',
        tags,
        params: ofSpace,
        response: { 200: Space, ...refusals },
      },
    },
    async (request) => {
      const { spaceId } = request.params
      await accessDeleted(app.db, request.caller, spaceId)

      return write(request, async (tx) => {
        await takeFromTrash(tx, request.caller, { spaceId })
        return presentSpace(await seeSpace(tx, request.caller, spaceId), app.hosts)
      })
    },
  )

  app.post(
    '/spaces/:spaceId/duplicate',
    {
      config: { policy: token('space:write', 'the role read, and create in the collection or organization around it') },
      schema: {
        operationId: 'duplicateSpace',
        summary: 'Duplicate a space',
        description: 'Copies content, files and settings, but no comments, change requests or permissions.',
        tags,
        params: ofSpace,
        response: { 201: Space, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { spaceId } = request.params
      await accessToCopy(app.db, caller, spaceId)

      return write(request, async (tx) => {
        const { id } = await copySpace(tx, caller, spaceId)
        return presentSpace(await seeSpace(tx, caller, id), app.hosts)
      })
    },
  )

  app.post(
    '/spaces/:spaceId/move',
    {
      config: { policy: token('space:write', 'the role create, on the space and on its new parent') },
      schema: {
        operationId: 'moveSpace',
        summary: 'Move a space',
        tags,
        params: ofSpace,
        body: Move,
        response: { 200: Space, ...refusals },
      },
    },
    async (request) => {
      const { caller, body } = request
      const { spaceId } = request.params
      const { space } = await accessSpace(app.db, caller, spaceId, 'admin')

      return write(request, async (tx) => {
        await lockTree(tx, space.organization_id)
        const access = await accessSpaceToChange(tx, caller, spaceId)
        const { organization_id: organizationId, collection_id } = access.space
        await accessDestination(tx, caller, body, { organizationId, id: collection_id }, access.organizationRole)
        await moveSpace(tx, access.space, body)
        return presentSpace(await seeSpace(tx, caller, spaceId), app.hosts)
      })
    },
  )

  app.post(
    '/spaces/:spaceId/transfer',
    {
      config: { policy: token('space:write', 'the role create, on the space and in the other organization') },
      schema: {
        operationId: 'transferSpace',
        summary: 'Transfer a space to another organization',
        tags,
        params: ofSpace,
        body: Transfer,
        response: { 200: Space, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { spaceId } = request.params
      const to = request.body.organization
      const { space } = await accessSpace(app.db, caller, spaceId, 'admin')
      await accessTarget(app.db, caller, to)

      return write(request, async (tx) => {
        await lockTree(tx, space.organization_id, to)
        const { space: row, role } = await accessSpaceToChange(tx, caller, spaceId)
        const from = row.organization_id
        await accessTarget(tx, caller, to)
        const by = { userId: caller.user.id, role }
        await transfer(tx, app.store, {
          from,
          to,
          thing: { type: 'space', row },
          spaceIds: [row.id],
          collectionIds: [],
          by,
        })
        return presentSpace(await seeSpace(tx, caller, spaceId), app.hosts)
      })
    },
  )
}
