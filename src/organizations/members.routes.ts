import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { accessOrganization } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import { requireMatchWith, tagWithState } from '../http/conditional.ts'
import { notFound } from '../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, Order, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { presentSpace } from '../spaces/present.ts'
import { listSpacesOf } from '../spaces/queries.ts'
import { accessMember } from './members.access.ts'
import { changeMember, removeMember } from './members.actions.ts'
import { presentMember, stateOfMember } from './members.present.ts'
import { type MemberFound, listMembers, lockMember, positionIn, touchMember, withSpacesOf } from './members.queries.ts'
import { SpaceOfMember } from './member-spaces.schema.ts'
import { Member, MemberChanges, MemberQuery } from './members.schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofMember = Type.Object({ organizationId: Type.String(), userId: Type.String() })
const tags = ['organization-members']

export const memberRoutes: Routes = async (app) => {
  const show = async (db: Db, found: MemberFound, viewerId: string) =>
    presentMember(await withSpacesOf(db, found, viewerId), app.url)

  const tagged = (request: FastifyRequest, reply: FastifyReply, shown: Static<typeof Member>) => {
    tagWithState(request, reply, stateOfMember(shown), shown)
    return shown
  }

  const requireSeen = (request: FastifyRequest, db: Db, found: MemberFound) =>
    requireMatchWith(request, async () => stateOfMember(await show(db, found, request.caller.user.id)))

  app.get(
    '/orgs/:organizationId/members',
    {
      config: { policy: token('organization:members:read', 'to be a member, but not a guest') },
      schema: {
        operationId: 'listMembersInOrganizationById',
        summary: 'List the members of an organization',
        tags,
        params: inOrganization,
        querystring: MemberQuery,
        response: { 200: listOf(Member), ...refusals },
      },
    },
    async (request) => {
      const { organization, userId: viewerId } = accessOrganization(request.caller, 'listMembers')
      const { sort = 'joinedAt', order = 'desc', role, search } = request.query
      const page = pageOf(request)
      const list = await listMembers(app.db, organization.id, viewerId, { sort, order, role, search }, page)
      return presentPage(request, page, list, positionIn(sort), (row) => presentMember(row, app.url))
    },
  )

  app.get(
    '/orgs/:organizationId/members/:userId',
    {
      config: {
        policy: token('organization:members:read', 'to be a member, but not a guest; not needed for yourself'),
      },
      schema: {
        operationId: 'getMemberInOrganizationById',
        summary: 'Get a member',
        tags,
        params: ofMember,
        response: { 200: Member, ...refusals },
      },
    },
    async (request, reply) => {
      const found = await accessMember(app.db, request.caller, request.params.userId)
      return tagged(request, reply, await show(app.db, found, request.caller.user.id))
    },
  )

  app.patch(
    '/orgs/:organizationId/members/:userId',
    {
      config: { policy: token('organization:members:write', 'the role admin') },
      schema: {
        operationId: 'updateMemberInOrganizationById',
        summary: 'Change the role of a member, or disable them',
        tags,
        params: ofMember,
        body: MemberChanges,
        response: { 200: Member, ...refusals },
      },
    },
    async (request, reply) => {
      const { organization, userId: viewerId } = accessOrganization(request.caller, 'admin')
      const { role, disabled } = request.body

      const shown = await write(request, async (tx) => {
        const member = await lockMember(tx, organization.id, request.params.userId)
        if (!member) throw notFound('user')
        await requireSeen(request, tx, member)
        const changed = await changeMember(tx, member, {
          ...(role !== undefined && { role }),
          ...(disabled !== undefined && { disabled }),
        })
        // A different role opens different spaces.
        return show(tx, changed, viewerId)
      })
      return tagged(request, reply, shown)
    },
  )

  app.delete(
    '/orgs/:organizationId/members/:userId',
    {
      config: { policy: token('organization:members:write', 'the role admin; not needed for yourself') },
      schema: {
        operationId: 'removeMemberFromOrganizationById',
        summary: 'Remove a member, or leave an organization',
        tags,
        params: ofMember,
        response: { 204: Nothing('The member was removed'), ...refusals },
      },
    },
    async (request) => {
      const { userId } = request.params
      const { organization } = accessOrganization(request.caller, userId === request.caller.user.id ? 'view' : 'admin')

      await write(request, async (tx) => {
        const member = await lockMember(tx, organization.id, userId)
        if (!member) throw notFound('user')
        await requireSeen(request, tx, member)
        await removeMember(tx, member)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/members/:userId/sso',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'setUserAsSSOMemberForOrganization',
        summary: 'Require single sign-on for a member',
        tags,
        params: ofMember,
        response: { 200: Member, ...refusals },
      },
    },
    async (request, reply) => {
      const { organization, userId: viewerId } = accessOrganization(request.caller, 'admin')

      const shown = await write(request, async (tx) => {
        const member = await lockMember(tx, organization.id, request.params.userId)
        if (!member) throw notFound('user')
        return show(tx, await changeMember(tx, member, { sso: true }), viewerId)
      })
      return tagged(request, reply, shown)
    },
  )

  app.get(
    '/orgs/:organizationId/members/:userId/spaces',
    {
      config: {
        policy: token('organization:members:read', 'to be a member, but not a guest; not needed for yourself'),
      },
      schema: {
        operationId: 'listSpacesForOrganizationMember',
        summary: 'List the spaces that a member has access to',
        tags,
        params: ofMember,
        querystring: Type.Object({ ...pageQuery, order: Type.Optional(Order) }),
        response: { 200: listOf(SpaceOfMember), ...refusals },
      },
    },
    async (request) => {
      const { organization, userId: viewerId } = accessOrganization(request.caller, 'view')
      const { user_id } = await accessMember(app.db, request.caller, request.params.userId)
      const { order = 'desc' } = request.query
      const page = pageOf(request)
      const list = await listSpacesOf(app.db, organization.id, user_id, viewerId, order, page)
      return presentPage(request, page, list, byAge, (row) => ({
        permission: row.permission,
        space: presentSpace(row, app.hosts),
      }))
    },
  )

  app.post(
    '/orgs/:organizationId/ping',
    {
      config: { policy: token(null, 'to be a member') },
      schema: {
        operationId: 'updateOrganizationMemberLastSeenAt',
        summary: 'Record that you are active',
        tags,
        params: inOrganization,
        response: { 200: Type.Object({ serviceVisitorClaims: Type.Optional(Type.String()) }), ...refusals },
      },
    },
    async (request) => {
      const { organization, userId } = accessOrganization(request.caller, 'view')
      await write(request, (tx) => touchMember(tx, organization.id, userId))
      return {}
    },
  )
}
