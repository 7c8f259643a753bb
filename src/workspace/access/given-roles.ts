import { mayGive } from '../../access/rights.ts'
import { type Role, roles } from '../../access/roles.ts'
import type { Thing } from '../../grants/queries.ts'
import { conflict } from '../../http/errors.ts'
import { type Html, html } from '../../http/html.ts'
import { explained } from '../roles.ts'

/** What is given on something: a role, or that it does not open at all, whatever holds around it. */
const none = 'none'

type Given = Role | typeof none

const givenWords: readonly Given[] = [none, ...roles]

export const givenName = (role: Role | null): Given => role ?? none

/** As people read it. */
const label = (word: string) => (word === none ? 'no access' : word)

export const givenLabel = (role: Role | null): string => label(givenName(role))

/** What each may do there, in a few words. Of a site, what stands between is no more than to see it. */
const may: Record<Thing['type'], Partial<Record<Given, string>>> = {
  space: {
    none: 'does not see it',
    read: 'reads its pages',
    comment: 'comments, too',
    edit: 'writes, in change requests',
    review: 'reviews change requests and merges them',
    create: 'changes its settings and who may do what',
    admin: 'makes others admin here, too',
  },
  collection: {
    none: 'does not see it, nor what is in it',
    read: 'reads what is in it',
    comment: 'comments there, too',
    edit: 'writes there, in change requests',
    review: 'reviews change requests there and merges them',
    create: 'makes spaces and collections in it, changes their settings and who may do what',
    admin: 'makes others admin here, too',
  },
  site: {
    none: 'does not see how it is set up',
    read: 'sees how it is set up',
    create: 'sets it up, publishes it, and says who may',
    admin: 'makes others admin here, too',
  },
}

/** The role that a form names. */
export function givenIn(text = ''): Role | null {
  const word = givenWords.find((each) => each === text)
  if (word === undefined) throw conflict('Choose one of the roles.')
  return word === none ? null : word
}

/** Those that somebody with the role `own` may give there; and whichever is chosen, although it is none of these. */
export const givenOptions = (type: Thing['type'], own: Role, chosen: string): Html[] =>
  givenWords
    .filter((word) => word === chosen || (may[type][word] !== undefined && mayGive(own, word === none ? null : word)))
    .map((word) => html`<option value="${word}" ${word === chosen && html`selected`}>${label(word)}</option>`)

export const givenExplained = (type: Thing['type']): Html =>
  explained(givenWords.flatMap((word) => (may[type][word] === undefined ? [] : [[label(word), may[type][word]]])))
