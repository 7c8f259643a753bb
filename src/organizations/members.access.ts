import { type Caller, accessOrganization } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import { invalid, notFound } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { type MemberFound, findMember, findMembersNamed } from './members.queries.ts'

/** Returns a member that the caller may see: always the caller, and others unless the caller is a guest. */
export async function accessMember(db: Db, caller: Caller, userId: string): Promise<MemberFound> {
  const { organization } = accessOrganization(caller, userId === caller.user.id ? 'view' : 'listMembers')
  const member = await findMember(db, organization.id, userId)
  if (!member) throw notFound('user')
  return member
}

/**
 * Returns the ids without duplicates. The id of a person who is not a member is refused, with its index in the list at
 * `path`.
 */
export async function memberIds(db: Db, organizationId: string, path: string, given: string[]): Promise<string[]> {
  const named = await findMembersNamed(db, organizationId, given.filter(isId))
  return [...new Set(given.map((id, i) => memberNamed(named, id, `${path}.${i}`)))]
}

/**
 * Returns the member that a name stands for, out of those that `findMembersNamed` found. An ambiguous name is refused:
 * a guess could give rights to the wrong person, or take them away.
 */
export function memberNamed(named: ReadonlyMap<string, { user_id: string }[]>, name: string, path: string): string {
  const members = new Set(named.get(name)?.map(({ user_id }) => user_id))
  const [userId, ...others] = members
  if (userId === undefined) throw invalid(path, 'member', 'is not a member of this organization')
  if (others.length > 0) throw invalid(path, 'member', 'is the address of several members here: give the id of one')
  return userId
}
