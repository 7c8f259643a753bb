import type { Membership } from '../access/caller.ts'
import { type OrganizationStanding, teamRights } from '../access/rights.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { type TeamSeen, findTeam, lockTeam } from './queries.ts'

/** Returns a team that the caller may see. */
export async function accessTeam(db: Db, membership: Membership, teamId: string): Promise<TeamSeen> {
  return visible(membership, await findTeam(db, membership.organization.id, teamId, membership.userId))
}

/**
 * Returns a team that the caller may change, locked. The rights are checked under the lock, so they still hold when it
 * is changed.
 */
export async function accessTeamToManage(tx: Transaction, membership: Membership, teamId: string): Promise<TeamSeen> {
  const team = visible(membership, await lockTeam(tx, membership.organization.id, teamId, membership.userId))
  if (!rightsOn(team, membership).admin) throw forbidden('manage this team')
  return team
}

/** Returns a team that the caller is in, locked. Anyone may leave, even if they may not see the team. */
export async function accessTeamToLeave(tx: Transaction, membership: Membership, teamId: string): Promise<TeamSeen> {
  const team = await lockTeam(tx, membership.organization.id, teamId, membership.userId)
  if (!team || team.own_role === null) throw notFound('team member')
  return team
}

/** What the caller may do with a team, as checked by routes and shown in `permissions`. */
export function rightsOn(team: TeamSeen | undefined, { role, ownsTeam }: OrganizationStanding) {
  return teamRights({ role, ownsTeam, ownsThisTeam: team?.own_role === 'owner' })
}

/** Checked in this order, so that guests cannot find out which teams exist. */
function visible(membership: Membership, team: TeamSeen | undefined): TeamSeen {
  if (!rightsOn(team, membership).view) throw forbidden('see the teams of this organization')
  if (!team) throw notFound('team')
  return team
}
