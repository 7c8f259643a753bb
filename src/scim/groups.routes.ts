import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type Caller, type Membership, accessOrganization } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { requireMatchWith } from '../http/conditional.ts'
import { notFound } from '../http/errors.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessTeamToManage } from '../teams/access.ts'
import { removeTeam } from '../teams/actions.ts'
import { readFilter } from './filter.ts'
import { changeGroup, makeGroup, replaceGroup } from './groups.actions.ts'
import { type ScimGroupRow, findGroup, listGroupMembers, listGroups } from './groups.queries.ts'
import { stepsOf } from './patch.ts'
import { presentGroup, presentScimList, windowOf } from './present.ts'
import {
  GroupListQuery,
  GroupQuery,
  GroupToTake,
  PatchOperations,
  ScimGroup,
  SearchRequest,
  type UserListQuery,
  scimListOf,
} from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofGroup = Type.Object({ organizationId: Type.String(), teamId: Type.String() })
const tags = ['scim']
const reading = { policy: token('organization:members:read', 'the role admin') }
const writing = { policy: token('organization:members:write', 'the role admin') }

/** The teams of an organization, for its identity provider: RFC 7644. */
export const scimGroupRoutes: Routes = async (app) => {
  const show = async (db: Db, row: ScimGroupRow) =>
    presentGroup(row, await listGroupMembers(db, row.organization_id, [row.id]), app.url)

  const list = async (caller: Caller, asked: ListOfGroups, field: string) => {
    const { organization } = accessOrganization(caller, 'admin')
    const window = windowOf(asked)
    const { rows, count } = await listGroups(app.db, organization.id, readFilter(asked.filter, field), window)
    const ids = wantsMembers(asked) ? rows.map(({ id }) => id) : undefined
    const members = ids && Map.groupBy(await listGroupMembers(app.db, organization.id, ids), ({ team_id }) => team_id)
    return presentScimList(
      window,
      count,
      rows.map((row) => presentGroup(row, members && (members.get(row.id) ?? []), app.url)),
    )
  }

  /** Returns a team that may be changed, if it is still as the caller has read it. */
  const hold = async (tx: Transaction, request: FastifyRequest, membership: Membership) => {
    const team = await accessTeamToManage(tx, membership, (request.params as { teamId: string }).teamId)
    await requireMatchWith(request, async () => {
      const row = (await findGroup(tx, team.organization_id, team.id))!
      return [await show(tx, row), presentGroup(row, undefined, app.url)]
    })
    return team
  }

  app.get(
    '/Groups',
    {
      config: reading,
      schema: {
        operationId: 'scimListGroups',
        summary: 'List teams as SCIM groups',
        tags,
        params: inOrganization,
        querystring: GroupListQuery,
        response: { 200: scimListOf(ScimGroup), ...refusals },
      },
    },
    async (request) => list(request.caller, request.query, 'query.filter'),
  )

  app.post(
    '/Groups/.search',
    {
      config: reading,
      schema: {
        operationId: 'scimSearchGroups',
        summary: 'List teams as SCIM groups, with the query in the body',
        tags,
        params: inOrganization,
        body: SearchRequest,
        response: { 200: scimListOf(ScimGroup), ...refusals },
      },
    },
    async (request) => {
      const { attributes, excludedAttributes, ...asked } = request.body
      const chosen = { attributes: attributes?.join(), excludedAttributes: excludedAttributes?.join() }
      return list(request.caller, { ...asked, ...chosen }, 'body.filter')
    },
  )

  app.post(
    '/Groups',
    {
      config: writing,
      schema: {
        operationId: 'scimCreateGroup',
        summary: 'Create a team as a SCIM group',
        tags,
        params: inOrganization,
        body: GroupToTake,
        response: { 201: ScimGroup, ...refusals },
      },
    },
    async (request, reply) => {
      const membership = accessOrganization(request.caller, 'admin')
      const group = await write(request, async (tx) => show(tx, await makeGroup(tx, membership, request.body)))
      reply.header('location', group.meta.location)
      return group
    },
  )

  app.get(
    '/Groups/:teamId',
    {
      config: reading,
      schema: {
        operationId: 'scimGetGroup',
        summary: 'Get a team as a SCIM group',
        tags,
        params: ofGroup,
        querystring: GroupQuery,
        response: { 200: ScimGroup, ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const row = await findGroup(app.db, organization.id, request.params.teamId)
      if (!row) throw notFound('team')
      return wantsMembers(request.query) ? show(app.db, row) : presentGroup(row, undefined, app.url)
    },
  )

  app.put(
    '/Groups/:teamId',
    {
      config: writing,
      schema: {
        operationId: 'scimReplaceGroup',
        summary: 'Replace a team as a SCIM group',
        tags,
        params: ofGroup,
        body: GroupToTake,
        response: { 200: ScimGroup, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      return write(request, async (tx) => {
        return show(tx, await replaceGroup(tx, await hold(tx, request, membership), request.body))
      })
    },
  )

  app.patch(
    '/Groups/:teamId',
    {
      config: writing,
      schema: {
        operationId: 'scimUpdateGroup',
        summary: 'Update a team as a SCIM group',
        tags,
        params: ofGroup,
        body: PatchOperations,
        response: { 204: Nothing('The team was updated'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const steps = stepsOf(request.body)
      await write(request, async (tx) => {
        await changeGroup(tx, await hold(tx, request, membership), steps)
      })
    },
  )

  app.delete(
    '/Groups/:teamId',
    {
      config: writing,
      schema: {
        operationId: 'scimDeleteGroup',
        summary: 'Delete a team as a SCIM group',
        tags,
        params: ofGroup,
        response: { 204: Nothing('The team was deleted; its members stay in the organization'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      await write(request, async (tx) => {
        await removeTeam(tx, await hold(tx, request, membership))
      })
    },
  )
}

type ListOfGroups = Static<typeof UserListQuery> & Chosen

interface Chosen {
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}

function wantsMembers({ attributes, excludedAttributes = '' }: Chosen) {
  const names = (list: string) => list.split(',').map((name) => name.trim().toLowerCase().split('.')[0])
  return !names(excludedAttributes).includes('members') && (!attributes || names(attributes).includes('members'))
}
