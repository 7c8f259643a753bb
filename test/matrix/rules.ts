// Who may do what, said once more and apart from the code: by hand, after the rules of the product. Every operation has
// its row here; one without a row fails the tests.
import type { Caller, Standing, Tenant } from './callers.ts'
import type { Ids } from './belongings.ts'
import type { World } from './world.ts'

/** What a person gets: let through, refused, or told that there is nothing. */
export type Verdict = 'through' | 403 | 404

export interface Row {
  verdict(caller: Caller, of: Tenant): Verdict
  /** No credential at all is enough. */
  open?: boolean
  /** Visitors of a site may ask as well. */
  readers?: boolean
  body?: (ids: Ids, world: World) => unknown
  /** Bodies that name things by their ids, to be tried with the ids of others. */
  naming?: (ids: Ids) => unknown[]
  query?: (ids: Ids) => string
  /** Other ids than usual, for every tenant. */
  ids?: (ids: Ids) => Ids
  /** What those who are let through may get beside success and "this has changed since". */
  ok?: number[]
  /** Puts back what letting somebody through has changed. */
  after?: (world: World) => Promise<unknown>
  /** Whom the matrix must not let through, as that would make somebody else of them. */
  notFor?: (caller: Caller, of: Tenant) => boolean
  /** It leaves something behind, although it is a GET. */
  writes?: boolean
  /** Open, but not for a token that was narrowed. */
  whole?: boolean
  /** Every name has an answer: a list that may be empty. */
  anyId?: boolean
  /** What is not there is made. */
  creates?: boolean
  /** It is for what was deleted. */
  takesDeleted?: boolean
}

type More = Omit<Row, 'verdict'>

const ranks = ['read', 'comment', 'edit', 'review', 'create', 'admin']
const has = (standing: Standing, needed: string) => ranks.indexOf(standing ?? '') >= ranks.indexOf(needed)

/** Whoever is signed in. */
export const person = (more: More = {}): Row => ({ ...more, verdict: () => 'through' })

/** Members of the organization; `needed` of them, or `guest` where that is everybody. */
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

/** A space, a collection or a site: by the role on it. Without one, it is not there. */
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
