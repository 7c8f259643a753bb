import { mayGive } from '../../access/rights.ts'
import { type Role, roles } from '../../access/roles.ts'
import type { Thing } from '../../grants/queries.ts'
import { conflict } from '../../http/errors.ts'
import { type Html, html } from '../../http/html.ts'
import { explained } from '../roles.ts'

/** Besides a role, `none` can be given: no access, whatever applies around it. */
const none = 'none'

type Given = Role | typeof none

const givenWords: readonly Given[] = [none, ...roles]

export const givenName = (role: Role | null): Given => role ?? none

/** The label for people. */
const label = (word: string) => (word === none ? 'no access' : word)

export const givenLabel = (role: Role | null): string => label(givenName(role))

/** What each role allows there, in a few words. On a site, the roles in between allow no more than seeing it. */
const may: Record<Thing['type'], Partial<Record<Given, string>>> = {
  space: {
    none: 'cannot see it',
    read: 'can read its pages',
    comment: 'can also comment',
    edit: 'can write in change requests',
    review: 'can review and merge change requests',
    create: 'can change its settings and access',
    admin: 'can also make others admin here',
  },
  collection: {
    none: 'cannot see it or anything in it',
    read: 'can read everything in it',
    comment: 'can also comment there',
    edit: 'can write there in change requests',
    review: 'can review and merge change requests there',
    create: 'can create spaces and collections in it and change their settings and access',
    admin: 'can also make others admin here',
  },
  site: {
    none: 'cannot see its setup',
    read: 'can see its setup',
    create: 'can set it up, publish it and manage access',
    admin: 'can also make others admin here',
  },
}

/** Returns the role that a form names. */
export function givenIn(text = ''): Role | null {
  const word = givenWords.find((each) => each === text)
  if (word === undefined) throw conflict('Choose one of the roles.')
  return word === none ? null : word
}

/**
 * Options for the roles that a user with the role `own` may give there, and for the chosen one even if it is not one of
 * these.
 */
export const givenOptions = (type: Thing['type'], own: Role, chosen: string): Html[] =>
  givenWords
    .filter((word) => word === chosen || (may[type][word] !== undefined && mayGive(own, word === none ? null : word)))
    .map((word) => html`<option value="${word}" ${word === chosen && html`selected`}>${label(word)}</option>`)

export const givenExplained = (type: Thing['type']): Html =>
  explained(givenWords.flatMap((word) => (may[type][word] === undefined ? [] : [[label(word), may[type][word]]])))
