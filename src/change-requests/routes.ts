import type { Static, TSchema } from 'typebox'
import { accessOrganization } from '../access/caller.ts'
import { accessSpace } from '../access/content.ts'
import { requireMatch } from '../http/conditional.ts'
import { listOf, pageOf, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { spacesIn } from '../sites/queries.ts'
import { accessChangeRequest, lockUnmerged } from './access.ts'
import { changeChangeRequest, createChangeRequest } from './actions.ts'
import { presentChangeRequest } from './present.ts'
import { type ChangeRequest as Row, listChangeRequests, listChangeRequestsOfSpaces } from './queries.ts'
import {
  ChangeRequest,
  ChangeRequestChanges,
  ChangeRequestQuery,
  NewChangeRequest,
  OrganizationQuery,
} from './schema.ts'
import { markdownOf } from './text.ts'

const inSpace = Type.Object({ spaceId: Type.String() })
const ofChangeRequest = Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() })
const tags = ['change-requests']

export const changeRequestRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/change-requests',
    {
      config: {
        policy: token('space:read', 'to be a member; only those of spaces that the caller can see are listed'),
      },
      schema: {
        operationId: 'listChangeRequestsForOrganization',
        summary: 'List the change requests of all spaces',
        tags,
        params: Type.Object({ organizationId: Type.String() }),
        querystring: OrganizationQuery,
        response: { 200: listOf(ChangeRequest), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const { organization, userId } = membership
      const { site } = request.query
      const filter = { ...filterOf(request.query), ...(site !== undefined && { within: spacesIn(membership, site) }) }
      const page = pageOf(request)
      const list = await listChangeRequestsOfSpaces(app.db, organization.id, userId, filter, page)
      return presentPage(request, page, list, positionIn(filter.orderBy), (row) => presentChangeRequest(row, app.url))
    },
  )

  app.get(
    '/spaces/:spaceId/change-requests',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'listChangeRequestsForSpace',
        summary: 'List the change requests of a space',
        tags,
        params: inSpace,
        querystring: ChangeRequestQuery,
        response: { 200: listOf(ChangeRequest), ...refusals },
      },
    },
    async (request) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'view')
      const filter = filterOf(request.query)
      const page = pageOf(request)
      const list = await listChangeRequests(app.db, space.organization_id, space.id, filter, page)
      return presentPage(request, page, list, positionIn(filter.orderBy), (row) => presentChangeRequest(row, app.url))
    },
  )

  app.post(
    '/spaces/:spaceId/change-requests',
    {
      config: { policy: token('space:write', 'the role edit in the space') },
      schema: {
        operationId: 'createChangeRequest',
        summary: 'Create a change request',
        tags,
        params: inSpace,
        body: NewChangeRequest,
        response: { 201: ChangeRequest, ...refusals },
      },
    },
    async (request) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'edit')
      const { subject = '', description } = request.body
      const text = description === undefined ? null : markdownOf(description, 'body.description') || null

      return write(request, async (tx) =>
        presentChangeRequest(await createChangeRequest(tx, space, { subject, description: text }), app.url),
      )
    },
  )

  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'getChangeRequestById',
        summary: 'Get a change request',
        tags,
        params: ofChangeRequest,
        response: { 200: ChangeRequest, ...refusals },
      },
    },
    async (request) => {
      const { changeRequest } = await accessChangeRequest(app.db, request.caller, request.params, 'view')
      return presentChangeRequest(changeRequest, app.url)
    },
  )

  app.patch(
    '/spaces/:spaceId/change-requests/:changeRequestId',
    {
      config: { policy: token('space:write', 'the role edit in the space'), minimal: true },
      schema: {
        operationId: 'updateChangeRequestById',
        summary: 'Update the subject, description or status of a change request',
        tags,
        params: ofChangeRequest,
        body: ChangeRequestChanges,
        response: { 200: ChangeRequest, ...refusals },
      },
    },
    async (request) => {
      const access = await accessChangeRequest(app.db, request.caller, request.params, 'edit')
      const { subject, status, description } = request.body
      const text = description === undefined ? undefined : markdownOf(description, 'body.description') || null

      return write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        requireMatch(request, presentChangeRequest(changeRequest, app.url))
        const changed = await changeChangeRequest(tx, changeRequest, {
          ...(subject !== undefined && { subject }),
          ...(status !== undefined && { status }),
          ...(text !== undefined && { description: text }),
        })
        return presentChangeRequest(changed, app.url)
      })
    },
  )
}

type Query = typeof OrganizationQuery extends TSchema ? Static<typeof OrganizationQuery> : never

function filterOf({ status, orderBy = 'updatedAt', creator, contributor, requestedReviewer, space }: Query) {
  return {
    statuses: status && status.length > 0 ? status : (['open'] as const).slice(),
    orderBy,
    ...(creator !== undefined && { creator }),
    ...(contributor !== undefined && { contributor }),
    ...(requestedReviewer !== undefined && { requestedReviewer }),
    ...(space !== undefined && { space }),
  }
}

const positionIn = (orderBy: 'updatedAt' | 'createdAt') => (row: Row) => [
  (orderBy === 'createdAt' ? row.created_at : row.updated_at).toISOString(),
  row.id,
]
