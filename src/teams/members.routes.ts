import { accessOrganization } from '../access/caller.ts'
import { requireMatch } from '../http/conditional.ts'
import { notFound } from '../http/errors.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { findMember } from '../organizations/members.queries.ts'
import { accessTeam, accessTeamToLeave, accessTeamToManage } from './access.ts'
import { changeTeamMembers, putTeamMembers, removeTeamMembers } from './members.actions.ts'
import { listTeamMembers } from './members.queries.ts'
import { presentTeam, presentTeamMember } from './present.ts'
import { TeamMember, TeamMembersChanges, TeamMembershipChanges } from './schema.ts'

const ofTeam = Type.Object({ organizationId: Type.String(), teamId: Type.String() })
const ofTeamMember = Type.Object({ organizationId: Type.String(), teamId: Type.String(), userId: Type.String() })
const tags = ['team-members']

// A team membership cannot be read by itself, so `If-Match` on these writes takes the tag of the team.
export const teamMemberRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/teams/:teamId/members',
    {
      config: { policy: token('organization:members:read', 'to be a member, but not a guest; or to own the team') },
      schema: {
        operationId: 'listTeamMembersInOrganizationById',
        summary: 'List the members of a team',
        tags,
        params: ofTeam,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(TeamMember), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const team = await accessTeam(app.db, membership, request.params.teamId)
      const page = pageOf(request)
      const list = await listTeamMembers(app.db, team, membership.userId, page)
      return presentPage(
        request,
        page,
        list,
        (row) => [row.added_at.toISOString(), row.user_id],
        (row) => presentTeamMember(row, app.url),
      )
    },
  )

  app.put(
    '/orgs/:organizationId/teams/:teamId/members',
    {
      config: { policy: token('organization:members:write', 'the role admin, or to own the team') },
      schema: {
        operationId: 'updateMembersInOrganizationTeam',
        summary: 'Add and remove members of a team',
        description: 'Members listed both to be added and removed are removed. All or nothing.',
        tags,
        params: ofTeam,
        body: TeamMembersChanges,
        response: { 204: Nothing('Updated'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const { add, remove, memberships } = request.body

      await write(request, async (tx) => {
        const team = await accessTeamToManage(tx, membership, request.params.teamId)
        requireMatch(request, presentTeam(team, membership))
        await changeTeamMembers(tx, team, { add, remove, memberships })
      })
    },
  )

  app.put(
    '/orgs/:organizationId/teams/:teamId/members/:userId',
    {
      config: { policy: token('organization:members:write', 'the role admin, or to own the team') },
      schema: {
        operationId: 'addMemberToOrganizationTeamById',
        summary: 'Add a member to a team, or change their role in it',
        description: 'Without a role, members of the team keep theirs, and others become members.',
        tags,
        params: ofTeamMember,
        body: TeamMembershipChanges,
        response: { 204: Nothing('Updated'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const { teamId, userId } = request.params
      const { role } = request.body

      await write(request, async (tx) => {
        const team = await accessTeamToManage(tx, membership, teamId)
        requireMatch(request, presentTeam(team, membership))
        if (!(await findMember(tx, team.organization_id, userId))) throw notFound('user')
        await putTeamMembers(tx, team, new Map([[userId, role]]))
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/teams/:teamId/members/:userId',
    {
      config: {
        policy: token('organization:members:write', 'the role admin, or to own the team; not needed for yourself'),
      },
      schema: {
        operationId: 'deleteMemberFromOrganizationTeamById',
        summary: 'Remove a member from a team, or leave it',
        tags,
        params: ofTeamMember,
        response: { 204: Nothing('The member is no longer in the team'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const { teamId, userId } = request.params
      const accessToRemove = userId === membership.userId ? accessTeamToLeave : accessTeamToManage

      await write(request, async (tx) => {
        const team = await accessToRemove(tx, membership, teamId)
        requireMatch(request, presentTeam(team, membership))
        if ((await removeTeamMembers(tx, team, [userId])) === 0) throw notFound('team member')
      })
    },
  )
}
