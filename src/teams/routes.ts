import { accessOrganization } from '../access/caller.ts'
import { requireMatch } from '../http/conditional.ts'
import { invalid } from '../http/errors.ts'
import { byAge, listOf, pageOf, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { isId } from '../ids.ts'
import { accessMember } from '../organizations/members.access.ts'
import { accessTeam, accessTeamToManage } from './access.ts'
import { changeTeam, createTeam, removeTeam } from './actions.ts'
import { presentTeam, presentTeamOfMember } from './present.ts'
import { listTeams, listTeamsOf } from './queries.ts'
import { NewTeam, Team, TeamChanges, TeamOfMember, TeamOfMemberQuery, TeamQuery } from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofMember = Type.Object({ organizationId: Type.String(), userId: Type.String() })
const ofTeam = Type.Object({ organizationId: Type.String(), teamId: Type.String() })
const tags = ['teams']

export const teamRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/teams',
    {
      config: { policy: token('organization:members:read', 'to be a member, but not a guest') },
      schema: {
        operationId: 'listTeamsInOrganizationById',
        summary: 'List the teams of an organization',
        tags,
        params: inOrganization,
        querystring: TeamQuery,
        response: { 200: listOf(Team), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'listTeams')
      const { owner, title } = request.query
      if (owner !== undefined && !isId(owner)) throw invalid('query.owner', 'format', 'must be the id of a member')
      const page = pageOf(request)
      const list = await listTeams(app.db, membership.organization.id, membership.userId, { owner, title }, page)
      return presentPage(request, page, list, byAge, (row) => presentTeam(row, membership))
    },
  )

  app.put(
    '/orgs/:organizationId/teams',
    {
      config: { policy: token('organization:members:write', 'the role admin'), idempotent: true },
      schema: {
        operationId: 'createOrganizationTeam',
        summary: 'Create a team',
        tags,
        params: inOrganization,
        body: NewTeam,
        response: { 201: Team, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const { title, members = [] } = request.body

      return write(request, async (tx) => {
        const { organization, userId } = membership
        const team = await createTeam(tx, { organizationId: organization.id, title, members, viewerId: userId })
        return presentTeam(team, membership)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/teams/:teamId',
    {
      config: { policy: token('organization:members:read', 'to be a member, but not a guest; or to own the team') },
      schema: {
        operationId: 'getTeamInOrganizationById',
        summary: 'Get a team',
        tags,
        params: ofTeam,
        response: { 200: Team, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      return presentTeam(await accessTeam(app.db, membership, request.params.teamId), membership)
    },
  )

  app.patch(
    '/orgs/:organizationId/teams/:teamId',
    {
      config: { policy: token('organization:members:write', 'the role admin, or to own the team') },
      schema: {
        operationId: 'updateTeamInOrganizationById',
        summary: 'Rename a team',
        tags,
        params: ofTeam,
        body: TeamChanges,
        response: { 200: Team, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const { title } = request.body

      return write(request, async (tx) => {
        const team = await accessTeamToManage(tx, membership, request.params.teamId)
        requireMatch(request, presentTeam(team, membership))
        return presentTeam(await changeTeam(tx, team, { title }), membership)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/teams/:teamId',
    {
      config: { policy: token('organization:members:write', 'the role admin, or to own the team') },
      schema: {
        operationId: 'removeTeamFromOrganizationById',
        summary: 'Delete a team',
        tags,
        params: ofTeam,
        response: { 204: Nothing('The team was deleted; its members stay in the organization'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')

      await write(request, async (tx) => {
        const team = await accessTeamToManage(tx, membership, request.params.teamId)
        requireMatch(request, presentTeam(team, membership))
        await removeTeam(tx, team)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/members/:userId/teams',
    {
      config: {
        policy: token('organization:members:read', 'to be a member, but not a guest; not needed for yourself'),
      },
      schema: {
        operationId: 'listTeamsForOrganizationMember',
        summary: 'List the teams of a member',
        tags: ['organization-members'],
        params: ofMember,
        querystring: TeamOfMemberQuery,
        response: { 200: listOf(TeamOfMember), ...refusals },
      },
    },
    async (request) => {
      const viewer = accessOrganization(request.caller, 'view')
      const member = await accessMember(app.db, request.caller, request.params.userId)
      const { title } = request.query
      const page = pageOf(request)
      const list = await listTeamsOf(app.db, viewer.organization.id, member.user_id, viewer.userId, { title }, page)
      return presentPage(
        request,
        page,
        list,
        (row) => [row.added_at.toISOString(), row.id],
        (row) => presentTeamOfMember(row, viewer),
      )
    },
  )
}
