import { type Role, roles } from '../access/roles.ts'
import type { OrganizationRow } from '../db/tables.ts'
import { conflict } from '../http/errors.ts'
import { type Html, html } from '../http/html.ts'

/** What somebody without a role is called. */
const guest = 'guest'

/** What each may do, in a few words; all that those before it may, too. */
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

/** What newcomers most likely are to be. A guest is one whom somebody means to be one: they see nothing yet. */
export const roleOfNewcomers = ({ default_role }: Pick<OrganizationRow, 'default_role'>): RoleName =>
  default_role ?? 'read'

export function isRoleName(text: string): text is RoleName {
  return (roleWords as readonly string[]).includes(text)
}

/** The role that a form names. */
export function roleIn(text = ''): Role | null {
  if (!isRoleName(text)) throw conflict('Choose one of the roles.')
  return text === guest ? null : text
}

export const roleTag = (role: Role | null): Html =>
  html`<span class="tag" data-tone="${role === 'admin' ? 'violet' : 'info'}">${roleName(role)}</span>`

/** To choose among them. What each may do stands on the page once, beside. */
export const roleOptions = (chosen: string): Html[] =>
  roleWords.map((word) => html`<option value="${word}" ${word === chosen && html`selected`}>${word}</option>`)

export const rolesExplained = (): Html => explained(roleWords.map((word) => [word, may[word]]))

/** What each of some roles may do, weakest first. */
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
