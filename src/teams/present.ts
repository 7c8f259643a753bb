import type { Static } from 'typebox'
import type { OrganizationStanding } from '../access/rights.ts'
import { presentMember } from '../organizations/members.present.ts'
import { rightsOn } from './access.ts'
import type { TeamMemberRow } from './members.queries.ts'
import type { TeamOfMemberRow, TeamSeen } from './queries.ts'
import type { Team, TeamMember, TeamOfMember } from './schema.ts'

/** `viewer` is the member whose own role the row contains. */
export function presentTeam(row: TeamSeen, viewer: OrganizationStanding): Static<typeof Team> {
  const { admin, view } = rightsOn(row, viewer)
  return {
    object: 'team',
    id: row.id,
    title: row.title,
    members: row.members,
    spaces: row.spaces,
    createdAt: row.created_at.toISOString(),
    permissions: { admin, view },
  }
}

export function presentTeamOfMember(row: TeamOfMemberRow, viewer: OrganizationStanding): Static<typeof TeamOfMember> {
  return { team: presentTeam(row, viewer), member: { role: row.member_role } }
}

export function presentTeamMember(row: TeamMemberRow, url: string): Static<typeof TeamMember> {
  return {
    organization: presentMember(row, url),
    team: { role: row.team_role },
    // Anyone who sees the team sees all of its members.
    permissions: { view: true },
  }
}
