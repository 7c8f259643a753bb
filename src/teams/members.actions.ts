import type { Static } from 'typebox'
import { recordChange } from '../changes/record.ts'
import type { Transaction } from '../db/transaction.ts'
import { memberNamed } from '../organizations/members.access.ts'
import { findMembersNamed } from '../organizations/members.queries.ts'
import { type TeamKey, deleteTeamMembers, findTeamRoles, upsertTeamMembers } from './members.queries.ts'
import type { TeamMembersChanges, TeamRole } from './schema.ts'

/**
 * Changes at once who is in a team, and in which role. A person who is listed to be removed is removed, even if they
 * are listed to be added as well.
 */
export async function changeTeamMembers(
  tx: Transaction,
  team: TeamKey,
  changes: Static<typeof TeamMembersChanges>,
): Promise<void> {
  const { add = [], remove = [], memberships = {} } = changes
  const named = await findMembersNamed(tx, team.organization_id, [...add, ...remove, ...Object.keys(memberships)])

  const wanted = new Map<string, TeamRole | undefined>()
  add.forEach((name, i) => wanted.set(memberNamed(named, name, `body.add.${i}`), undefined))
  for (const [name, { role }] of Object.entries(memberships)) {
    wanted.set(memberNamed(named, name, `body.memberships.${name}`), role)
  }
  const leaving = remove.map((name, i) => memberNamed(named, name, `body.remove.${i}`))
  for (const userId of leaving) wanted.delete(userId)

  await putTeamMembers(tx, team, wanted)
  await removeTeamMembers(tx, team, leaving)
}

/** Makes sure that these people are in the team. Without a role, members keep theirs, and others become members. */
export async function putTeamMembers(
  tx: Transaction,
  team: TeamKey,
  wanted: ReadonlyMap<string, TeamRole | undefined>,
): Promise<void> {
  if (wanted.size === 0) return
  const current = await findTeamRoles(tx, team, [...wanted.keys()])
  const changed = new Map<string, TeamRole>()
  for (const [userId, role = current.get(userId) ?? 'member'] of wanted) {
    if (role !== current.get(userId)) changed.set(userId, role)
  }
  if (changed.size === 0) return

  await upsertTeamMembers(tx, team, changed)
  for (const [userId, role] of changed) {
    const what = current.has(userId)
      ? { action: 'team-member.updated' as const, fields: ['role'] }
      : { action: 'team-member.added' as const }
    recordChange(tx, { ...about(team, userId), ...what, details: { role } })
  }
}

/** Returns how many of them were in the team. */
export async function removeTeamMembers(tx: Transaction, team: TeamKey, userIds: string[]): Promise<number> {
  if (userIds.length === 0) return 0
  const removed = await deleteTeamMembers(tx, team, userIds)
  for (const userId of removed) recordChange(tx, { ...about(team, userId), action: 'team-member.removed' })
  return removed.length
}

const about = (team: TeamKey, userId: string) => ({
  organizationId: team.organization_id,
  target: { type: 'team-member', id: `${team.id}/${userId}` },
})
