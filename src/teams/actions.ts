import { recordChange } from '../changes/record.ts'
import type { TeamRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { memberIds } from '../organizations/members.access.ts'
import { putTeamMembers } from './members.actions.ts'
import { type TeamSeen, deleteTeam, findTeam, insertTeam, updateTeam } from './queries.ts'

/** Creates a team with only the named people as members: the creator is not added, and there is no owner yet. */
export async function createTeam(
  tx: Transaction,
  draft: { organizationId: string; title: string; members: string[]; viewerId: string },
): Promise<TeamSeen> {
  const { organizationId, title, members, viewerId } = draft
  const id = newId()
  const people = await memberIds(tx, organizationId, 'body.members', members)
  await insertTeam(tx, { id, organizationId, title })
  recordChange(tx, { ...about(organizationId, id), action: 'team.created' })
  await putTeamMembers(tx, { organization_id: organizationId, id }, new Map(people.map((userId) => [userId, 'member'])))
  return (await findTeam(tx, organizationId, id, viewerId))!
}

export async function changeTeam<Row extends TeamRow>(
  tx: Transaction,
  row: Row,
  changes: { title: string },
): Promise<Row> {
  if (changes.title === row.title) return row
  const changed = { ...row, title: changes.title }
  await updateTeam(tx, changed)
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'team.updated', fields: ['title'] })
  return changed
}

export async function removeTeam(tx: Transaction, row: TeamRow): Promise<void> {
  await deleteTeam(tx, row.organization_id, row.id)
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'team.removed' })
}

const about = (organizationId: string, id: string) => ({ organizationId, target: { type: 'team', id } })
