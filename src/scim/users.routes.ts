import type { Static } from 'typebox'
import { type Caller, accessOrganization } from '../access/caller.ts'
import { requireMatch } from '../http/conditional.ts'
import { notFound } from '../http/errors.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { readFilter } from './filter.ts'
import { stepsOf } from './patch.ts'
import { presentScimList, presentUser, windowOf } from './present.ts'
import { PatchOperations, ScimUser, SearchRequest, UserListQuery, UserToTake, scimListOf } from './schema.ts'
import { type Told, toldBy, toldBySteps } from './told.ts'
import { changeTold, letGo, takeIn } from './users.actions.ts'
import { findScimUser, listScimUsers, lockScimUser } from './users.queries.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofUser = Type.Object({ organizationId: Type.String(), userId: Type.String() })
const tags = ['scim']
const reading = { policy: token('organization:members:read', 'the role admin') }
const writing = { policy: token('organization:members:write', 'the role admin') }

/** The members of an organization, for its identity provider: RFC 7644. */
export const scimUserRoutes: Routes = async (app) => {
  const list = async (caller: Caller, asked: Static<typeof UserListQuery>, field: string) => {
    const { organization } = accessOrganization(caller, 'admin')
    const window = windowOf(asked)
    const { rows, count } = await listScimUsers(app.db, organization.id, readFilter(asked.filter, field), window)
    return presentScimList(
      window,
      count,
      rows.map((row) => presentUser(row, app.url)),
    )
  }

  app.get(
    '/Users',
    {
      config: reading,
      schema: {
        operationId: 'scimListUsers',
        summary: 'List members as SCIM users',
        tags,
        params: inOrganization,
        querystring: UserListQuery,
        response: { 200: scimListOf(ScimUser), ...refusals },
      },
    },
    async (request) => list(request.caller, request.query, 'query.filter'),
  )

  app.post(
    '/Users/.search',
    {
      config: reading,
      schema: {
        operationId: 'scimSearchUsers',
        summary: 'List members as SCIM users, with the query in the body',
        tags,
        params: inOrganization,
        body: SearchRequest,
        response: { 200: scimListOf(ScimUser), ...refusals },
      },
    },
    async (request) => list(request.caller, request.body, 'body.filter'),
  )

  app.get(
    '/Me',
    {
      config: reading,
      schema: {
        operationId: 'scimGetMe',
        summary: 'Get the SCIM user of the caller',
        tags,
        params: inOrganization,
        response: { 200: ScimUser, ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const row = await findScimUser(app.db, organization.id, request.caller.user.id)
      if (!row) throw notFound('user')
      return presentUser(row, app.url)
    },
  )

  app.post(
    '/Users',
    {
      config: writing,
      schema: {
        operationId: 'scimCreateUser',
        summary: 'Create a member as a SCIM user',
        tags,
        params: inOrganization,
        body: UserToTake,
        response: { 201: ScimUser, ...refusals },
      },
    },
    async (request, reply) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const told = { ...toldBy(request.body), userName: request.body.userName }
      const user = await write(request, async (tx) => presentUser(await takeIn(tx, organization, told), app.url))
      reply.header('location', user.meta.location)
      return user
    },
  )

  app.get(
    '/Users/:userId',
    {
      config: reading,
      schema: {
        operationId: 'scimGetUser',
        summary: 'Get a member as a SCIM user',
        tags,
        params: ofUser,
        response: { 200: ScimUser, ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const row = await findScimUser(app.db, organization.id, request.params.userId)
      if (!row) throw notFound('user')
      return presentUser(row, app.url)
    },
  )

  const change = (request: Parameters<typeof write>[0], told: Told) => {
    const { organization } = accessOrganization(request.caller, 'admin')
    return write(request, async (tx) => {
      const row = await lockScimUser(tx, organization.id, (request.params as { userId: string }).userId)
      if (!row) throw notFound('user')
      requireMatch(request, presentUser(row, app.url))
      return presentUser(await changeTold(tx, row, told), app.url)
    })
  }

  app.put(
    '/Users/:userId',
    {
      config: writing,
      schema: {
        operationId: 'scimReplaceUser',
        summary: 'Replace a member as a SCIM user',
        tags,
        params: ofUser,
        body: UserToTake,
        response: { 200: ScimUser, ...refusals },
      },
    },
    async (request) => change(request, toldBy(request.body)),
  )

  app.patch(
    '/Users/:userId',
    {
      config: writing,
      schema: {
        operationId: 'scimUpdateUser',
        summary: 'Update a member as a SCIM user',
        tags,
        params: ofUser,
        body: PatchOperations,
        response: { 200: ScimUser, ...refusals },
      },
    },
    async (request) => change(request, toldBySteps(stepsOf(request.body))),
  )

  app.delete(
    '/Users/:userId',
    {
      config: writing,
      schema: {
        operationId: 'scimDeleteUser',
        summary: 'Remove a member as a SCIM user',
        tags,
        params: ofUser,
        response: { 204: Nothing('The member was removed'), ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      await write(request, async (tx) => {
        const row = await lockScimUser(tx, organization.id, request.params.userId)
        if (!row) throw notFound('user')
        requireMatch(request, presentUser(row, app.url))
        await letGo(tx, row)
      })
    },
  )
}
