/** Roles, weakest first. Each can do all that the ones before it can. No role at all is a guest. */
export const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const

export type Role = (typeof roles)[number]

/** Whether somebody with `role` has at least the power of `needed`. */
export function reaches(role: Role | null, needed: Role | null): boolean {
  return rank(role) >= rank(needed)
}

export function strongest(candidates: readonly Role[]): Role | null {
  return candidates.reduce<Role | null>((best, next) => (reaches(best, next) ? best : next), null)
}

function rank(role: Role | null): number {
  return role === null ? -1 : roles.indexOf(role)
}

/**
 * What was said about access on one thing: a space, or a collection around it. A grant of null is an explicit "no
 * access"; no grant at all is undefined. `level` undefined: nothing was set, ask further up.
 */
export interface AccessLevel {
  memberGrant: Role | null | undefined
  teamGrants: readonly (Role | null)[]
  level: Role | null | undefined
}

/**
 * The effective role of a member on a thing: the first that says something wins. `chain` is the thing itself, then the
 * collections around it, innermost first. This function decides for routes, `permissions`, lists and counts alike.
 */
export function effectiveRole(organizationRole: Role | null, chain: readonly AccessLevel[]): Role | null {
  if (organizationRole === 'admin') return 'admin'
  for (const { memberGrant, teamGrants, level } of chain) {
    if (memberGrant !== undefined) return memberGrant
    if (teamGrants.length > 0) return strongest(teamGrants.filter((grant) => grant !== null))
    if (level !== undefined) return level
  }
  return organizationRole
}
