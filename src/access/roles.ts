/** Roles, weakest first. Each can do all that the ones before it can. No role at all is a guest. */
export const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const

export type Role = (typeof roles)[number]

/** Whether somebody with `role` has at least the power of `needed`. */
export function reaches(role: Role | null, needed: Role | null): boolean {
  return rank(role) >= rank(needed)
}

function rank(role: Role | null): number {
  return role === null ? -1 : roles.indexOf(role)
}
