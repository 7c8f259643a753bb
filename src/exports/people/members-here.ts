import type { Role } from '../../access/roles.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Thing } from '../../grants/queries.ts'
import { isId } from '../../ids.ts'
import type { TeamRole } from '../../teams/schema.ts'
import { lockMembersAmong } from './people.queries.ts'
import type { ExportedName } from '../queries.ts'

/** Somebody of an archive who is no member here, or not provably the one who is, with what they had. */
export interface NotMember {
  email: string
  displayName: string | null
  /** `unconfirmed`: a member says that this is their address, and has not shown it. */
  reason: 'not-member' | 'unconfirmed'
  /** In the organization; null is a guest. Left out where they had none: they were given something all the same. */
  role?: Role | null
  teams: { title: string; role: TeamRole }[]
  grants: { type: Thing['type']; id: string; title: string; role: Role | null }[]
}

/** Answers the member that somebody of an archive is here. What is missed by others is noted for the report. */
export interface MembersHere {
  idOf(person: ExportedName): string | undefined
  find(person: ExportedName, missed: (left: NotMember) => void): string | undefined
  notMembers(): NotMember[]
}

/**
 * By id first, then by address. An address that nobody has confirmed opens nothing: whoever joins by a link writes what
 * they like, and would get the rights of the person whose address it is.
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

/** What whoever imported can do about it. */
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
