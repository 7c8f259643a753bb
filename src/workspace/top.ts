import { organizationRights, specRights } from '../access/rights.ts'
import type { Membership } from '../access/caller.ts'
import { note } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import type { Said } from './said.ts'

type Rights = ReturnType<typeof organizationRights>

type Tabs = Record<string, { path: string; isFor: (rights: Rights, membership: Membership) => boolean }>

const tabs = {
  Spaces: { path: '', isFor: () => true },
  Sites: { path: '/sites', isFor: () => true },
  Specifications: { path: '/specifications', isFor: (_, { role }) => specRights(role).view },
  People: { path: '/people', isFor: ({ listMembers }) => listMembers },
  Teams: { path: '/teams', isFor: ({ listTeams }) => listTeams },
  Settings: { path: '/settings', isFor: ({ admin }) => admin },
} satisfies Tabs

export type Tab = keyof typeof tabs

/** The name of an organization, the pages that it has, and what there is to say. */
export function organizationTop(place: Place, membership: Membership, current: Tab, said: Said): Html {
  const { organization } = membership
  const rights = organizationRights(membership)
  const shown = Object.entries<Tabs[string]>(tabs).filter(([, { isFor }]) => isFor(rights, membership))
  return html`<h1>${organization.title}</h1>
    <nav class="work-tabs" aria-label="Of this organization">
      ${shown.map(
        ([name, { path }]) =>
          html`<a
            href="${place.link(`/app/o/${organization.id}${path}`)}"
            ${name === current && html` aria-current="page"`}
            >${name}</a
          >`,
      )}
    </nav>
    ${saidOn(said)}`
}

export const saidOn = ({ done, error }: Said): Html =>
  html`${error !== undefined && note('danger', error)} ${done !== undefined && note('success', done)}`
