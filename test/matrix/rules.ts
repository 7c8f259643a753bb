// The rules about who may do what, a second time and independent of the code: written by hand, from the rules of the
// product. Every operation has its row here. An operation without a row fails the tests.
import type { Caller, Standing, Tenant } from './callers.ts'
import type { Ids } from './belongings.ts'
import type { World } from './world.ts'

/** What a caller gets: let through, refused, or told that nothing exists there. */
export type Verdict = 'through' | 403 | 404

export interface Row {
  verdict(caller: Caller, of: Tenant): Verdict
  /** No credential is needed. */
  open?: boolean
  /** Visitors of a site may call it as well. */
  readers?: boolean
  body?: (ids: Ids, world: World) => unknown
  /** Bodies that refer to things by id. They are also tried with the ids of others. */
  naming?: (ids: Ids) => unknown[]
  query?: (ids: Ids) => string
  /** Ids that differ from the usual ones, for every tenant. */
  ids?: (ids: Ids) => Ids
  /** Statuses that callers who are let through may get besides success and "this has changed since". */
  ok?: number[]
  /** Restores what a call that was let through has changed. */
  after?: (world: World) => Promise<unknown>
  /** Callers that the matrix must not let through, because the call would change what they are. */
  notFor?: (caller: Caller, of: Tenant) => boolean
  /** The operation leaves something behind, although it is a GET. */
  writes?: boolean
  /** The operation is open, but not for a narrowed token. */
  whole?: boolean
  /** Every name has an answer, such as a list that may be empty. */
  anyId?: boolean
  /** The operation creates what does not exist. */
  creates?: boolean
  /** The operation is for things that were deleted. */
  takesDeleted?: boolean
}

type More = Omit<Row, 'verdict'>

const ranks = ['read', 'comment', 'edit', 'review', 'create', 'admin']
const has = (standing: Standing, needed: string) => ranks.indexOf(standing ?? '') >= ranks.indexOf(needed)

/** Anyone who is signed in. */
export const person = (more: More = {}): Row => ({ ...more, verdict: () => 'through' })

/** Members of the organization with the role `needed`. `guest` stands for all members. */
export const organization = (needed: string, more: More = {}): Row => ({
  ...more,
  verdict(caller, of) {
    const role = caller.member(of)
    if (role === undefined) return 404
    return needed === 'guest' || has(role, needed) ? 'through' : 403
  },
})

/** A thing of the organization that guests do not see. */
export const inside = (needed: string, more: More = {}): Row => ({
  ...more,
  verdict(caller, of) {
    const role = caller.member(of)
    if (!has(role, 'read')) return 404
    return has(role, needed) ? 'through' : 403
  },
})

/** A space, a collection or a site. The role on it decides. Without a role, it does not exist for the caller. */
export const thing = (needed: string, more: More = {}): Row => ({
  ...more,
  verdict(caller, of) {
    const role = caller.on(of)
    if (!has(role, 'read')) return 404
    return has(role, needed) ? 'through' : 403
  },
})

export const special = (verdict: Row['verdict'], more: More = {}): Row => ({ ...more, verdict })

/** The same row for several operations. */
export const each = (names: string[], row: Row): Record<string, Row> =>
  Object.fromEntries(names.map((name) => [name, row]))

export { has }
