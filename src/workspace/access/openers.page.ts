import { appPath } from '../../app-path.ts'
import type { Membership } from '../../access/caller.ts'
import { roles } from '../../access/roles.ts'
import type { CollectionRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import type { EffectiveRole } from '../../grants/queries.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { Managed } from './access.things.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { searchingPeople } from '../people/searching.page.ts'
import { roleTag } from '../roles.ts'
import { counted, rows } from '../rows.ts'

/** A person who can open the object, with the source of their role. */
export type OpenerRow = Pick<
  EffectiveRole,
  'id' | 'email' | 'display_name' | 'permission' | 'reason' | 'said_on' | 'team_id'
>

interface OpenersParts {
  membership: Membership
  managed: Managed
  /** Paths of the object, of the page about its roles, and of this page. */
  home: string
  back: string
  path: string
  people: Part<OpenerRow>
  search: string | undefined
  role: string | undefined
  /** Only those that the current user may see. */
  teams: Map<string, { title: string }>
  collections: Map<string, CollectionRow>
}

/** The page about who can open an object, which role they have there, and where it comes from. */
export function openersPage(place: Place, parts: OpenersParts): Html {
  const { membership, managed, home, back, people, search, role } = parts
  const { organization } = membership
  const isFiltered = search !== undefined || role !== undefined
  return frame(
    place,
    `Who has access · ${managed.title}`,
    html`<p class="review-space">
        <a href="${place.link(appPath.organization(organization.id))}">${organization.title}</a> ›
        <a href="${place.link(home)}">${managed.title}</a> › <a href="${place.link(back)}">Access</a>
      </p>
      <h1>Who has access, and why</h1>
      <p class="work-note">
        ${managed.thing.type === 'site' ? 'Members who can see how the site is set up. Who can read the published site is set on the page of the site.' : 'Members who can open it. Readers of a site that shows it are not listed.'}
      </p>
      ${searching(place, parts)}
      <section aria-labelledby="openers">
        <h2 id="openers">
          ${isFiltered ? html`${people.count.toLocaleString('en')} found` : counted(people.count, 'person', 'people')}
        </h2>
        ${rows(
          people.rows.map((row) => person(place, parts, row)),
          'Nobody with access matches this name or role.',
        )}
        ${partLinks(place, people)}
      </section>`,
  )
}

const searching = (place: Place, parts: OpenersParts) =>
  searchingPeople(
    place,
    parts,
    roles.map((word) => html`<option value="${word}" ${word === parts.role && html`selected`}>${word}</option>`),
  )

function person(place: Place, parts: OpenersParts, row: OpenerRow): Html {
  return html`<li>
    <span class="row-main">
      <span>
        <strong>${row.display_name}</strong>
        ${row.id === parts.membership.userId && html`<span class="row-more">you</span>`}
      </span>
      <span class="row-more">${row.email} · ${why(place, parts, row)}</span>
    </span>
    ${roleTag(row.permission)}
  </li>`
}

function why(place: Place, parts: OpenersParts, row: OpenerRow): HtmlValue {
  const { permission, reason } = row
  if (reason === 'organization')
    return permission === 'admin' ? 'administrator of the organization' : 'their role in the organization'
  return html`${what(parts, row)} ${where(place, parts, row)}`
}

function what({ teams }: OpenersParts, { reason, team_id }: OpenerRow): string {
  if (reason === 'member') return 'given to them'
  if (reason === 'everybody') return 'what every member has'
  const team = team_id === null ? undefined : teams.get(team_id)
  return team ? `given to the team “${team.title}”` : 'given to one of their teams'
}

function where(place: Place, { managed, collections, membership }: OpenersParts, { said_on }: OpenerRow): HtmlValue {
  if (said_on === null || said_on === managed.thing.id) return 'here'
  const collection = collections.get(said_on)
  if (!collection) return 'on a collection around it'
  const path = appPath.collection(membership.organization.id, collection.id)
  return html`on the collection <a href="${place.link(path)}">${collection.title}</a>`
}
