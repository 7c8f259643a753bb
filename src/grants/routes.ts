import Type from 'typebox'
import { requireMatch } from '../http/conditional.ts'
import { invalid, notFound } from '../http/errors.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import { write } from '../http/write.ts'
import { accessThing, accessThingToChange, requireTeams } from './access.ts'
import { grantToTeams, grantToUsers, revokeFromTeam, revokeFromUser } from './actions.ts'
import { presentEffectiveRole, presentTeamGrant, presentUserGrant } from './present.ts'
import {
  type Thing,
  hasMemberGrant,
  hasTeamGrant,
  listEffectiveRoles,
  listMemberGrants,
  listTeamGrants,
} from './queries.ts'
import {
  EffectivePermission,
  EffectiveQuery,
  NewPermissions,
  PermissionChanges,
  TeamPermission,
  UserPermission,
} from './schema.ts'

export const spacePermissionRoutes: Routes = permissionRoutes('space', 'Space')
export const collectionPermissionRoutes: Routes = permissionRoutes('collection', 'Collection')

/** Who may do what on a space, and on a collection: the same operations under both addresses. */
function permissionRoutes(type: Thing['type'], Word: 'Space' | 'Collection'): Routes {
  const thingId = `${type}Id` as const
  const at = `/${type}s/:${thingId}/permissions` as const
  const ofThing = Type.Object({ [thingId]: Type.String() })
  const ofUser = Type.Unsafe<{ userId: string }>(Type.Object({ [thingId]: Type.String(), userId: Type.String() }))
  const ofTeam = Type.Unsafe<{ teamId: string }>(Type.Object({ [thingId]: Type.String(), teamId: Type.String() }))
  const tags = [`${type}-permissions`]
  const reading = { policy: token('space:permissions:read', 'the role create') }
  const writing = { policy: token('space:permissions:write', 'the role create; nobody gives more than they have') }
  const idOf = (params: unknown) => (params as Record<string, string>)[thingId]!

  return async (app) => {
    app.post(
      at,
      {
        config: writing,
        schema: {
          operationId: `inviteTo${Word}`,
          summary: `Give members or teams a role on a ${type}`,
          tags,
          params: ofThing,
          body: NewPermissions,
          response: { 204: Nothing('They have this role now'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        const { role, users, teams } = body
        if (users && teams) throw invalid('body.teams', 'exclusive', 'name either users or teams')
        if (!users && !teams) throw invalid('body.users', 'required', 'name users or teams')
        const access = await accessThing(app.db, caller, type, idOf(params))
        if (teams) requireTeams(access)

        await write(request, async (tx) => {
          const locked = await accessThingToChange(tx, caller, type, idOf(params), app.url)
          if (users) await grantToUsers(tx, locked, users, role)
          if (teams) await grantToTeams(tx, locked, teams, role)
        })
      },
    )

    app.get(
      `${at}/users`,
      {
        config: reading,
        schema: {
          operationId: `listUserPermissionsIn${Word}`,
          summary: `List the members who were given a role on a ${type}`,
          tags,
          params: ofThing,
          querystring: Type.Object(pageQuery),
          response: { 200: listOf(UserPermission), ...refusals },
        },
      },
      async (request) => {
        const { thing } = await accessThing(app.db, request.caller, type, idOf(request.params))
        const page = pageOf(request)
        const list = await listMemberGrants(app.db, thing, page)
        return presentPage(
          request,
          page,
          list,
          (row) => [row.granted_at.toISOString(), row.id],
          (row) => presentUserGrant(row, app.url),
        )
      },
    )

    app.patch(
      `${at}/users/:userId`,
      {
        config: writing,
        schema: {
          operationId: `updateUserPermissionIn${Word}`,
          summary: `Change the role that a member was given on a ${type}`,
          tags,
          params: ofUser,
          body: PermissionChanges,
          response: { 204: Nothing('It is so now'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params, body } = request

        await write(request, async (tx) => {
          const access = await accessThingToChange(tx, caller, type, idOf(params), app.url)
          requireMatch(request, access.shown)
          if (!(await hasMemberGrant(tx, access.thing, params.userId))) throw notFound('permission')
          if (body.role !== undefined) await grantToUsers(tx, access, [params.userId], body.role)
        })
      },
    )

    app.delete(
      `${at}/users/:userId`,
      {
        config: writing,
        schema: {
          operationId: `removeUserFrom${Word}`,
          summary: `Take back the role that a member was given on a ${type}`,
          tags,
          params: ofUser,
          response: { 205: Nothing('What holds for everybody holds for the member'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params } = request

        await write(request, async (tx) => {
          const access = await accessThingToChange(tx, caller, type, idOf(params), app.url)
          requireMatch(request, access.shown)
          if (!(await revokeFromUser(tx, access, params.userId))) throw notFound('permission')
        })
      },
    )

    app.get(
      `${at}/teams`,
      {
        config: reading,
        schema: {
          operationId: `listTeamPermissionsIn${Word}`,
          summary: `List the teams that were given a role on a ${type}`,
          tags,
          params: ofThing,
          querystring: Type.Object(pageQuery),
          response: { 200: listOf(TeamPermission), ...refusals },
        },
      },
      async (request) => {
        const { caller } = request
        const access = await accessThing(app.db, caller, type, idOf(request.params))
        requireTeams(access)
        const page = pageOf(request)
        const list = await listTeamGrants(app.db, access.thing, caller.user.id, page)
        const viewer = { role: access.organizationRole, ownsTeam: false }
        return presentPage(
          request,
          page,
          list,
          (row) => [row.granted_at.toISOString(), row.id],
          (row) => presentTeamGrant(row, viewer),
        )
      },
    )

    app.patch(
      `${at}/teams/:teamId`,
      {
        config: writing,
        schema: {
          operationId: `updateTeamPermissionIn${Word}`,
          summary: `Change the role that a team was given on a ${type}`,
          tags,
          params: ofTeam,
          body: PermissionChanges,
          response: { 204: Nothing('It is so now'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params, body } = request

        await write(request, async (tx) => {
          const access = await accessThingToChange(tx, caller, type, idOf(params), app.url)
          requireTeams(access)
          requireMatch(request, access.shown)
          if (!(await hasTeamGrant(tx, access.thing, params.teamId))) throw notFound('permission')
          if (body.role !== undefined) await grantToTeams(tx, access, [params.teamId], body.role)
        })
      },
    )

    app.delete(
      `${at}/teams/:teamId`,
      {
        config: writing,
        schema: {
          operationId: `removeTeamFrom${Word}`,
          summary: `Take back the role that a team was given on a ${type}`,
          tags,
          params: ofTeam,
          response: { 205: Nothing('What holds for everybody holds for the team'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params } = request

        await write(request, async (tx) => {
          const access = await accessThingToChange(tx, caller, type, idOf(params), app.url)
          requireTeams(access)
          requireMatch(request, access.shown)
          if (!(await revokeFromTeam(tx, access, params.teamId))) throw notFound('permission')
        })
      },
    )

    app.get(
      `${at}/aggregate`,
      {
        config: reading,
        schema: {
          operationId: `listPermissionsAggregateIn${Word}`,
          summary: `List everybody who can open a ${type}, with the role they have there`,
          tags,
          params: ofThing,
          querystring: EffectiveQuery,
          response: { 200: listOf(EffectivePermission), ...refusals },
        },
      },
      async (request) => {
        const { thing } = await accessThing(app.db, request.caller, type, idOf(request.params))
        const page = pageOf(request)
        const list = await listEffectiveRoles(app.db, thing, request.query.role, page)
        return presentPage(
          request,
          page,
          list,
          (row) => [row.joined_at.toISOString(), row.id],
          (row) => presentEffectiveRole(row, app.url),
        )
      },
    )
  }
}
