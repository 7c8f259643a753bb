import type { Caller } from '../access/caller.ts'
import type { Transaction } from '../db/transaction.ts'
import { requireMatch } from '../http/conditional.ts'
import { invalid, notFound } from '../http/errors.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type App, type Policy, type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { type ThingAccess, accessThing, accessThingToChange, requireTeams } from './access.ts'
import { grantToTeams, grantToUsers, revokeFromTeam, revokeFromUser } from './actions.ts'
import { presentEffectiveRole, presentTeamGrant, presentUserGrant } from './present.ts'
import {
  type Thing,
  findMemberGrant,
  findTeamGrant,
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

export const spacePermissionRoutes: Routes = ofContent('space', 'Space')
export const collectionPermissionRoutes: Routes = ofContent('collection', 'Collection')

/** Spaces and collections: the same operations under both addresses. */
function ofContent(type: 'space' | 'collection', Word: 'Space' | 'Collection'): Routes {
  const granting: Granting = {
    type,
    Word,
    at: `/${type}s/:${type}Id/permissions`,
    ids: [`${type}Id`],
    reading: token('space:permissions:read', 'the role create'),
    writing: token('space:permissions:write', 'the role create; nobody can grant more than their own role'),
    access: (app, caller, id) => accessThing(app.db, caller, type, id),
    accessToChange: (tx, app, caller, id) => accessThingToChange(tx, caller, type, id, app.hosts),
  }
  return async (app) => {
    await permissionRoutes(granting)(app)
    await effectiveRoutes(granting)(app)
  }
}

/** Something that roles are granted on, and how to access it. */
export interface Granting {
  type: Thing['type']
  Word: string
  /** The path of its permissions, and the ids in that path, its own last. */
  at: string
  ids: string[]
  reading: Policy
  writing: Policy
  access(app: App, caller: Caller, id: string): Promise<ThingAccess>
  /**
   * Locked, with the representation that is shown: a grant has no tag of its own, so `If-Match` takes that of the
   * thing.
   */
  accessToChange(tx: Transaction, app: App, caller: Caller, id: string): Promise<ThingAccess & { shown: object }>
}

const idIn = (params: unknown, { ids }: Granting) => (params as Record<string, string>)[ids.at(-1)!]!

const paramsOf = (...names: string[]) => Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))

/** The routes for roles that were granted to members and to teams. */
export function permissionRoutes(granting: Granting): Routes {
  const { type, Word, at, ids } = granting
  const ofThing = paramsOf(...ids)
  const ofUser = Type.Unsafe<{ userId: string }>(paramsOf(...ids, 'userId'))
  const ofTeam = Type.Unsafe<{ teamId: string }>(paramsOf(...ids, 'teamId'))
  const tags = [`${type}-permissions`]
  const reading = { policy: granting.reading }
  const writing = { policy: granting.writing }

  return async (app) => {
    app.post(
      at,
      {
        config: writing,
        schema: {
          operationId: `inviteTo${Word}`,
          summary: `Grant members or teams a role on a ${type}`,
          tags,
          params: ofThing,
          body: NewPermissions,
          response: { 204: Nothing('The role was granted'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        const { role, users, teams } = body
        if (users && teams) throw invalid('body.teams', 'exclusive', 'name either users or teams')
        if (!users && !teams) throw invalid('body.users', 'required', 'name users or teams')
        const access = await granting.access(app, caller, idIn(params, granting))
        if (teams) requireTeams(access)

        await write(request, async (tx) => {
          const locked = await granting.accessToChange(tx, app, caller, idIn(params, granting))
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
          summary: `List the members with a role on a ${type}`,
          tags,
          params: ofThing,
          querystring: Type.Object(pageQuery),
          response: { 200: listOf(UserPermission), ...refusals },
        },
      },
      async (request) => {
        const { thing } = await granting.access(app, request.caller, idIn(request.params, granting))
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
          summary: `Change the role of a member on a ${type}`,
          tags,
          params: ofUser,
          body: PermissionChanges,
          response: { 204: Nothing('Updated'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params, body } = request

        await write(request, async (tx) => {
          const access = await granting.accessToChange(tx, app, caller, idIn(params, granting))
          requireMatch(request, access.shown)
          if (!(await findMemberGrant(tx, access.thing, params.userId))) throw notFound('permission')
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
          summary: `Remove the role of a member on a ${type}`,
          tags,
          params: ofUser,
          response: { 205: Nothing('The role was removed'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params } = request

        await write(request, async (tx) => {
          const access = await granting.accessToChange(tx, app, caller, idIn(params, granting))
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
          summary: `List the teams with a role on a ${type}`,
          tags,
          params: ofThing,
          querystring: Type.Object(pageQuery),
          response: { 200: listOf(TeamPermission), ...refusals },
        },
      },
      async (request) => {
        const { caller } = request
        const access = await granting.access(app, caller, idIn(request.params, granting))
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
          summary: `Change the role of a team on a ${type}`,
          tags,
          params: ofTeam,
          body: PermissionChanges,
          response: { 204: Nothing('Updated'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params, body } = request

        await write(request, async (tx) => {
          const access = await granting.accessToChange(tx, app, caller, idIn(params, granting))
          requireTeams(access)
          requireMatch(request, access.shown)
          if (!(await findTeamGrant(tx, access.thing, params.teamId))) throw notFound('permission')
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
          summary: `Remove the role of a team on a ${type}`,
          tags,
          params: ofTeam,
          response: { 205: Nothing('The role was removed'), ...refusals },
        },
      },
      async (request) => {
        const { caller, params } = request

        await write(request, async (tx) => {
          const access = await granting.accessToChange(tx, app, caller, idIn(params, granting))
          requireTeams(access)
          requireMatch(request, access.shown)
          if (!(await revokeFromTeam(tx, access, params.teamId))) throw notFound('permission')
        })
      },
    )
  }
}

/** The routes for the role that everybody has there, wherever it comes from. */
function effectiveRoutes(granting: Granting): Routes {
  const { type, Word, at, ids } = granting
  return async (app) => {
    app.get(
      `${at}/aggregate`,
      {
        config: { policy: granting.reading },
        schema: {
          operationId: `listPermissionsAggregateIn${Word}`,
          summary: `List everybody who has access to a ${type}, with their role`,
          tags: [`${type}-permissions`],
          params: paramsOf(...ids),
          querystring: EffectiveQuery,
          response: { 200: listOf(EffectivePermission), ...refusals },
        },
      },
      async (request) => {
        const { thing } = await granting.access(app, request.caller, idIn(request.params, granting))
        const { role, search } = request.query
        const page = pageOf(request)
        const list = await listEffectiveRoles(app.db, thing, { role, search }, page)
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
