import { type Role, roles } from '../access/roles.ts'
import type { OrganizationRow } from '../db/tables.ts'
import { conflict } from '../http/errors.ts'
import { type Html, html } from '../http/html.ts'

/** What members without a role are called. */
const guest = 'guest'

/** What each role may do, in a few words. Each may also do what the roles before it may do. */
const may: Record<Role | typeof guest, string> = {
  guest: 'can open only the spaces, collections and sites they have a role on',
  read: 'can read everything that is open to members',
  comment: 'can also comment',
  edit: 'can write in change requests',
  review: 'can review and merge change requests',
  create: 'can create and set up spaces, sites and API specifications',
  admin: 'can manage people, invitations, single sign-on and everything else',
}

const roleWords = [guest, ...roles] as const

type RoleName = (typeof roleWords)[number]

export const roleName = (role: Role | null): RoleName => role ?? guest

/**
 * The role that is preselected for new members. It is never guest: guests see nothing at first, so that has to be a
 * deliberate choice.
 */
export const roleOfNewcomers = ({ default_role }: Pick<OrganizationRow, 'default_role'>): RoleName =>
  default_role ?? 'read'

export function isRoleName(text: string): text is RoleName {
  return (roleWords as readonly string[]).includes(text)
}

/** Returns the role that was chosen in a form. */
export function roleIn(text = ''): Role | null {
  if (!isRoleName(text)) throw conflict('Choose one of the roles.')
  return text === guest ? null : text
}

export const roleTag = (role: Role | null): Html =>
  html`<span class="tag" data-tone="${role === 'admin' ? 'violet' : 'info'}">${roleName(role)}</span>`

/** The options for choosing a role. What each role may do is explained only once, elsewhere on the page. */
export const roleOptions = (chosen: string): Html[] =>
  roleWords.map((word) => html`<option value="${word}" ${word === chosen && html`selected`}>${word}</option>`)

export const rolesExplained = (): Html => explained(roleWords.map((word) => [word, may[word]]))

/** Explains what each of the given roles may do, weakest first. */
export const explained = (roles: readonly (readonly [word: string, may: string])[]): Html =>
  html`<section aria-label="Roles">
    <h2>What each role can do</h2>
    <p class="aside">Each role includes those above it.</p>
    <dl class="work-roles">
      ${roles.map(
        ([word, may]) =>
          html`<div>
            <dt>${word}</dt>
            <dd>${may}</dd>
          </div>`,
      )}
    </dl>
  </section>`
