import type { Role } from '../../access/roles.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Thing } from '../../grants/queries.ts'
import { isId } from '../../ids.ts'
import type { TeamRole } from '../../teams/schema.ts'
import { lockMembersAmong } from './people.queries.ts'
import type { ExportedName } from '../queries.ts'

/** A person of an archive who is not a member here, or not provably so, with what they had. */
export interface NotMember {
  email: string
  displayName: string | null
  /** `unconfirmed`: a member has this address, but has not confirmed it. */
  reason: 'not-member' | 'unconfirmed'
  /** The role in the organization; null is a guest. Missing if they had none, but were granted something. */
  role?: Role | null
  teams: { title: string; role: TeamRole }[]
  grants: { type: Thing['type']; id: string; title: string; role: Role | null }[]
}

/**
 * Finds the member that a person of an archive is here. What other people could not be given is noted for the report.
 */
export interface MembersHere {
  idOf(person: ExportedName): string | undefined
  find(person: ExportedName, missed: (left: NotMember) => void): string | undefined
  notMembers(): NotMember[]
}

/**
 * Looks up by id first, then by address. An unconfirmed address counts for nothing: people who join by a link can enter
 * any address, and would get the rights of the person it belongs to.
 */
export async function findMembersHere(
  tx: Transaction,
  organizationId: string,
  people: readonly ExportedName[],
): Promise<MembersHere> {
  const asked = people.map(({ id, email }) => (id !== undefined && isId(id) ? { id, email } : { email }))
  const members = await lockMembersAmong(tx, organizationId, asked)
  const ids = new Set(members.map(({ id }) => id))
  const byEmail = new Map(members.filter(({ confirmed }) => confirmed).map(({ id, email }) => [email, id]))
  const claimed = new Set(members.map(({ email }) => email))
  const left = new Map<string, NotMember>()
  const idOf = ({ id, email }: ExportedName) =>
    id !== undefined && ids.has(id) ? id : byEmail.get(email.toLowerCase())
  return {
    idOf,
    find({ id, email, displayName }, missed) {
      const address = email.toLowerCase()
      const here = idOf(id === undefined ? { email } : { id, email })
      if (here !== undefined) return here
      const known = left.get(address)
      const reason = claimed.has(address) ? 'unconfirmed' : 'not-member'
      const person: NotMember = known ?? { email, displayName: displayName ?? null, reason, teams: [], grants: [] }
      left.set(address, person)
      missed(person)
      return undefined
    },
    notMembers: () => [...left.values()],
  }
}

/** Tells the person who imported what they can do about it. */
export function explainNotMember({ email, displayName, reason, role, teams, grants }: NotMember): string {
  const had = [
    ...(role === undefined
      ? []
      : [role === null ? 'a guest of the organization' : `the role ${role} in the organization`]),
    ...teams.map((team) => `${team.role} of the team ${JSON.stringify(team.title)}`),
    ...grants.map((on) => `${on.role ?? 'no access'} on the ${on.type} ${JSON.stringify(on.title)}`),
  ].join(', ')
  const who = displayName ? `${displayName} (${email})` : email
  return reason === 'unconfirmed'
    ? `${who} was given no access: a member has this address but has not confirmed it. Let them sign in with a code sent to it, then grant them what they had: ${had}.`
    : `${who} is not a member here. Invite them and, once they have joined, grant them what they had: ${had}.`
}
