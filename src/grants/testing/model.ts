import { type Role, reaches } from '../../access/roles.ts'

/**
 * What is set about access on one thing: a space, or a collection around it. A grant of null is an explicit "no
 * access"; undefined means no grant at all. If `level` is undefined, nothing was set: the next thing up decides.
 */
export interface Said {
  memberGrant?: Role | null | undefined
  teamGrants?: readonly (Role | null)[]
  level?: Role | null | undefined
}

/**
 * The rule about roles implemented again for tests, as simply as possible, to compare with what the database returns.
 * `chain` is the thing itself, then the collections around it, innermost first.
 */
export function expectedRole(organizationRole: Role | null, chain: readonly Said[]): Role | null {
  if (organizationRole === 'admin') return 'admin'
  for (const { memberGrant, teamGrants = [], level } of chain) {
    if (memberGrant !== undefined) return memberGrant
    if (teamGrants.length > 0) return teamGrants.reduce((best, next) => (reaches(best, next) ? best : next), null)
    if (level !== undefined) return level
  }
  return organizationRole
}
