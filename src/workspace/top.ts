import { appPath } from '../app-path.ts'
import { organizationRights, specRights } from '../access/rights.ts'
import type { Membership } from '../access/caller.ts'
import { outcome } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
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

/** The title of an organization, tabs for its pages, and messages. */
export function organizationTop(place: Place, membership: Membership, current: Tab, said: Said): Html {
  const { organization } = membership
  const rights = organizationRights(membership)
  const shown = Object.entries<Tabs[string]>(tabs).filter(([, { isFor }]) => isFor(rights, membership))
  const paths = Object.fromEntries(
    shown.map(([name, { path }]) => [name, `${appPath.organization(organization.id)}${path}`]),
  )
  return html`<h1>${organization.title}</h1>
    ${tabsOf(place, 'organization', paths, current)} ${saidOn(said)}`
}

/** Tabs for the pages of something, by their names. None if there is only one page. */
function tabsOf(
  place: Place,
  thing: 'organization' | 'space' | 'collection' | 'site',
  paths: Record<string, string | false>,
  current = 'Overview',
): HtmlValue {
  const shown = Object.entries(paths).filter((each): each is [string, string] => each[1] !== false)
  if (shown.length < 2) return undefined
  return html`<nav class="work-tabs" aria-label="Of this ${thing}">
    ${shown.map(([name, path]) =>
      name === current
        ? html`<a href="${place.link(path)}" aria-current="page">${name}</a>`
        : html`<a href="${place.link(path)}">${name}</a>`,
    )}
  </nav>`
}

/** A user who manages a space has all of these tabs. */
export const tabsOfSpace = (place: Place, path: string, has: { management: boolean; git: boolean }, current?: string) =>
  tabsOf(
    place,
    'space',
    {
      Overview: path,
      Settings: has.management && `${path}/~/settings`,
      Access: has.management && `${path}/~/access`,
      Git: has.git && `${path}/~/git`,
    },
    current,
  )

export const tabsOfCollection = (place: Place, path: string, current?: string) =>
  tabsOf(place, 'collection', { Overview: path, Settings: `${path}/settings`, Access: `${path}/access` }, current)

export const tabsOfSite = (place: Place, path: string, current?: string) =>
  tabsOf(place, 'site', { Overview: path, Access: `${path}/access`, Insights: `${path}/insights` }, current)

export const saidOn = ({ done, error }: Said): Html =>
  html`${error !== undefined && outcome('danger', error)} ${done !== undefined && outcome('success', done)}`
