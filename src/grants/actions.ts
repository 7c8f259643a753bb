import { mayGive } from '../access/rights.ts'
import { type Role, reaches } from '../access/roles.ts'
import { recordChange } from '../changes/record.ts'
import type { Transaction } from '../db/transaction.ts'
import { forbidden, invalid } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { memberIds } from '../organizations/members.access.ts'
import type { ThingAccess } from './access.ts'
import {
  type Thing,
  deleteMemberGrant,
  deleteTeamGrant,
  findRoleOn,
  insertMissingGrant,
  listTeamIds,
  upsertMemberGrants,
  upsertTeamGrants,
} from './queries.ts'

export async function grantToUsers(
  tx: Transaction,
  { thing, role: own }: ThingAccess,
  names: string[],
  role: Role | null,
): Promise<void> {
  requireOwnRole(own, role)
  const userIds = await memberIds(tx, thing.organizationId, 'body.users', names)
  for (const userId of await upsertMemberGrants(tx, thing, userIds, role)) {
    recordChange(tx, { ...about(thing, 'user', userId), ...granted(thing, role) })
  }
}

export async function grantToTeams(
  tx: Transaction,
  { thing, role: own }: ThingAccess,
  names: string[],
  role: Role | null,
): Promise<void> {
  requireOwnRole(own, role)
  const known = await listTeamIds(tx, thing.organizationId, names.filter(isId))
  names.forEach((name, i) => {
    if (!known.has(name)) throw invalid(`body.teams.${i}`, 'team', 'is not a team of this organization')
  })
  for (const teamId of await upsertTeamGrants(tx, thing, [...known], role)) {
    recordChange(tx, { ...about(thing, 'team', teamId), ...granted(thing, role) })
  }
}

/**
 * Grants a role to a user who joined through an invite. It never takes anything away: a user who has a grant here, or a
 * higher role from what is set around it, keeps that. Returns false then.
 */
export async function grantOnJoining(
  tx: Transaction,
  thing: Thing,
  userId: string,
  role: Role | null,
): Promise<boolean> {
  if (!reaches(role, await findRoleOn(tx, thing, userId))) return false
  if (!(await insertMissingGrant(tx, thing, { userId, role }))) return false
  recordChange(tx, { ...about(thing, 'user', userId), ...granted(thing, role) })
  return true
}

/** Returns false if there was nothing to revoke. */
export async function revokeFromUser(tx: Transaction, { thing }: ThingAccess, userId: string): Promise<boolean> {
  if (!(await deleteMemberGrant(tx, thing, userId))) return false
  recordChange(tx, { ...about(thing, 'user', userId), action: `${thing.type}.revoked` })
  return true
}

export async function revokeFromTeam(tx: Transaction, { thing }: ThingAccess, teamId: string): Promise<boolean> {
  if (!(await deleteTeamGrant(tx, thing, teamId))) return false
  recordChange(tx, { ...about(thing, 'team', teamId), action: `${thing.type}.revoked` })
  return true
}

function requireOwnRole(own: Role, given: Role | null): void {
  if (!mayGive(own, given)) throw forbidden('give a role above your own')
}

/** Includes the role: without it, the record would not show which access was given, or that access was denied. */
const granted = ({ type }: Thing, role: Role | null) => ({
  action: `${type}.granted` as const,
  fields: ['role'],
  details: { role: role ?? 'none' },
})

const about = ({ organizationId, type, id }: Thing, kind: 'user' | 'team', holder: string) => ({
  organizationId,
  target: { type: `${type}-permission`, id: `${id}/${kind}/${holder}` },
})
