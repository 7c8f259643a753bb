import type { Static } from 'typebox'
import { presentUser } from '../users/present.ts'
import { type MemberWithPerson, personOf } from './members.queries.ts'
import type { Member } from './members.schema.ts'

export function presentMember(row: MemberWithPerson, url: string): Static<typeof Member> {
  return {
    object: 'member',
    id: row.user_id,
    role: row.role,
    user: presentUser(personOf(row), url),
    disabled: row.disabled,
    joinedAt: row.joined_at.toISOString(),
    ...(row.last_seen_at !== null && { lastSeenAt: row.last_seen_at.toISOString() }),
    sso: row.sso,
    spaces: row.spaces,
    teams: row.teams,
  }
}

/** Returns the state that a write compares: when a member was last seen is not part of it. */
export function stateOfMember({ lastSeenAt: _lastSeenAt, ...state }: Static<typeof Member>) {
  return state
}
