import { accessOrganization } from '../access/caller.ts'
import { accessCollection } from '../access/content.ts'
import { reaches } from '../access/roles.ts'
import { requireMatch } from '../http/conditional.ts'
import { forbidden } from '../http/errors.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { presentSpace } from '../spaces/present.ts'
import { listSpaces, placeOf } from '../spaces/queries.ts'
import { Space } from '../spaces/schema.ts'
import { accessTarget, transfer } from '../spaces/transfer.ts'
import { accessCollectionToChange, seeChangedCollection, seeCollection } from './access.ts'
import { changeCollection, createCollection, moveCollection, removeCollection } from './actions.ts'
import { presentCollection } from './present.ts'
import { listCollections, listWithin, placeOf as placeOfCollection } from './queries.ts'
import { Collection, CollectionChanges, CollectionQuery, NewCollection, Transfer } from './schema.ts'
import { Move, accessDestination, accessParent, lockTree } from './tree.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofCollection = Type.Object({ collectionId: Type.String() })
const tags = ['collections']

export const collectionRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/collections',
    {
      config: { policy: token('space:read', 'to be a member; only what the caller can read is listed') },
      schema: {
        operationId: 'listCollectionsInOrganizationById',
        summary: 'List the collections of an organization',
        description: 'Top level first, then the contents of each collection, in their custom order.',
        tags,
        params: inOrganization,
        querystring: CollectionQuery,
        response: { 200: listOf(Collection), ...refusals },
      },
    },
    async (request) => {
      const { organization, userId } = accessOrganization(request.caller, 'view')
      const { nested = true } = request.query
      const page = pageOf(request)
      const list = await listCollections(app.db, organization.id, userId, nested, page)
      return presentPage(request, page, list, placeOfCollection, (row) => presentCollection(row, app.url))
    },
  )

  app.post(
    '/orgs/:organizationId/collections',
    {
      config: { policy: token('space:write', 'the role create, in the collection or in the organization') },
      schema: {
        operationId: 'createCollection',
        summary: 'Create a collection',
        tags,
        params: inOrganization,
        body: NewCollection,
        response: { 201: Collection, ...refusals },
      },
    },
    async (request) => {
      const { organization, userId, role } = accessOrganization(request.caller, 'view')
      const { title, parent: parentId = null } = request.body
      const parent = { organizationId: organization.id, id: parentId }
      await accessParent(app.db, request.caller, parent, role)

      return write(request, async (tx) => {
        const id = await createCollection(tx, { parent, title, creatorId: userId })
        return presentCollection(await seeCollection(tx, request.caller, id), app.url)
      })
    },
  )

  app.get(
    '/collections/:collectionId',
    {
      config: { policy: token('space:read', 'the role read') },
      schema: {
        operationId: 'getCollectionById',
        summary: 'Get a collection',
        tags,
        params: ofCollection,
        response: { 200: Collection, ...refusals },
      },
    },
    async (request) =>
      presentCollection(await seeCollection(app.db, request.caller, request.params.collectionId), app.url),
  )

  app.patch(
    '/collections/:collectionId',
    {
      config: { policy: token('space:write', 'the role create') },
      schema: {
        operationId: 'updateCollectionById',
        summary: 'Update a collection',
        tags,
        params: ofCollection,
        body: CollectionChanges,
        response: { 200: Collection, ...refusals },
      },
    },
    async (request) => {
      const { collectionId } = request.params

      return write(request, async (tx) => {
        const { collection, role, seen } = await accessCollectionToChange(tx, request.caller, collectionId)
        requireMatch(request, presentCollection(seen, app.url))
        await changeCollection(tx, collection, request.body, role)
        return presentCollection(await seeChangedCollection(tx, request.caller, collection), app.url)
      })
    },
  )

  app.delete(
    '/collections/:collectionId',
    {
      config: { policy: token('space:write', 'the role create') },
      schema: {
        operationId: 'deleteCollectionById',
        summary: 'Delete an empty collection',
        tags,
        params: ofCollection,
        response: { 205: Nothing('The collection was deleted'), ...refusals },
      },
    },
    async (request) => {
      await write(request, async (tx) => {
        const { collectionId } = request.params
        const { collection, seen } = await accessCollectionToChange(tx, request.caller, collectionId)
        requireMatch(request, presentCollection(seen, app.url))
        await removeCollection(tx, collection)
      })
    },
  )

  app.get(
    '/collections/:collectionId/spaces',
    {
      config: { policy: token('space:read', 'the role read; only what the caller can read is listed') },
      schema: {
        operationId: 'listSpacesInCollectionById',
        summary: 'List the spaces in a collection',
        tags,
        params: ofCollection,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Space), ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { collection } = await accessCollection(app.db, caller, request.params.collectionId, 'view')
      const page = pageOf(request)
      const list = await listSpaces(app.db, collection.organization_id, caller.user.id, collection.id, page)
      return presentPage(request, page, list, placeOf, (row) => presentSpace(row, app.hosts))
    },
  )

  app.post(
    '/collections/:collectionId/move',
    {
      config: { policy: token('space:write', 'the role create, on the collection and on its new parent') },
      schema: {
        operationId: 'moveCollection',
        summary: 'Move a collection',
        tags,
        params: ofCollection,
        body: Move,
        response: { 200: Collection, ...refusals },
      },
    },
    async (request) => {
      const { caller, body } = request
      const { collectionId } = request.params
      const { collection } = await accessCollection(app.db, caller, collectionId, 'admin')

      return write(request, async (tx) => {
        await lockTree(tx, collection.organization_id)
        const access = await accessCollectionToChange(tx, caller, collectionId)
        const { organization_id: organizationId, parent_id } = access.collection
        await accessDestination(tx, caller, body, { organizationId, id: parent_id }, access.organizationRole)
        await moveCollection(tx, access.collection, body)
        return presentCollection(await seeCollection(tx, caller, collectionId), app.url)
      })
    },
  )

  app.post(
    '/collections/:collectionId/transfer',
    {
      config: { policy: token('space:write', 'the role create, on everything in it and in the other organization') },
      schema: {
        operationId: 'transferCollection',
        summary: 'Transfer a collection to another organization, with everything in it',
        tags,
        params: ofCollection,
        body: Transfer,
        response: { 200: Collection, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { collectionId } = request.params
      const to = request.body.organization
      const { collection } = await accessCollection(app.db, caller, collectionId, 'admin')
      await accessTarget(app.db, caller, to)

      return write(request, async (tx) => {
        await lockTree(tx, collection.organization_id, to)
        const { collection: row, role } = await accessCollectionToChange(tx, caller, collectionId)
        const from = row.organization_id
        await accessTarget(tx, caller, to)
        const within = await listWithin(tx, row, caller.user.id)
        if (!within.every((each) => reaches(each.role, 'create'))) {
          throw forbidden('transfer everything that is in this collection')
        }
        const idsOf = (type: 'space' | 'collection') =>
          within.filter((each) => each.type === type).map((each) => each.id)
        await transfer(tx, app.store, {
          from,
          to,
          thing: { type: 'collection', row },
          spaceIds: idsOf('space'),
          collectionIds: idsOf('collection'),
          by: { userId: caller.user.id, role },
        })
        return presentCollection(await seeCollection(tx, caller, collectionId), app.url)
      })
    },
  )
}
