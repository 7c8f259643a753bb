import { appPath } from '../../app-path.ts'
import type { Membership } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import type { Level } from '../../access/levels.ts'
import type { Role } from '../../access/roles.ts'
import { type Fields } from '../../account/forms.ts'
import { buttonForm, hidden, section, writingOver } from '../../account/parts.ts'
import type { CollectionRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import type { TeamGrant, TeamName, UserGrant } from '../../grants/queries.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { longestTeamTitle } from '../../teams/schema.ts'
import type { Person } from '../../users/present.ts'
import type { Managed } from './access.things.ts'
import { frame } from '../frame.ts'
import { givenExplained, givenLabel, givenName, givenOptions } from './given-roles.ts'
import { type Part, partLinks } from '../paging.ts'
import { counted, rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { saidOn, tabsOfCollection, tabsOfSite, tabsOfSpace } from '../top.ts'

export interface AccessParts extends Said {
  membership: Membership
  managed: Managed
  /** Paths of the object and of this page. */
  home: string
  path: string
  around: Around
  people: Part<UserGrant>
  /** The people who can still be given a role. Undefined if a person has to be entered by e-mail address. */
  possible: Person[] | undefined
  /** Undefined for guests, who see no teams. */
  teams: { given: Part<TeamGrant>; possible: TeamName[] | undefined } | undefined
  form: string
  kept?: Kept
}

/** What applies to everybody through the collection around it, or through the organization. */
export interface Around {
  /** Undefined if the current user may not see it. */
  collection: CollectionRow | undefined
  isManaged: boolean
  level: Level
}

/** What the user typed and chose in a form that was refused. `of` is the person, team or form that it belongs to. */
export interface Kept {
  of: string
  fields: Fields
}

/**
 * The page about roles on an object: who was given one and what applies to everybody else, with forms to change that.
 */
export function accessPage(place: Place, parts: AccessParts): Html {
  const { membership, managed, home, path, teams } = parts
  const { organization } = membership
  return frame(
    place,
    `Access · ${managed.title}`,
    html`<p class="review-space">
        <a href="${place.link(appPath.organization(organization.id))}">${organization.title}</a> ›
        <a href="${place.link(home)}">${managed.title}</a>
      </p>
      <h1>Access</h1>
      ${tabsOn[managed.thing.type](place, home)} ${saidOn(parts)}
      <p class="work-note"><a class="btn" href="${place.link(`${path}/who`)}">Who has access, and why</a></p>
      ${section('people', 'People', 'People who have their own role here. It takes precedence over the roles of their teams.', peopleOf(place, parts))}
      ${teams && section('teams', 'Teams', 'Everyone in a team gets the team’s role.', teamsOf(place, parts, teams))}
      ${section('everybody', 'Everyone else', 'People who have no role here, neither themselves nor through a team.', everybodyElse(place, parts))}
      ${givenExplained(managed.thing.type)}`,
  )
}

/** Anyone who can manage roles can manage everything else too, so these tabs are shown. */
const tabsOn = {
  space: (place: Place, home: string) => tabsOfSpace(place, home, { management: true, git: true }, 'Access'),
  collection: (place: Place, home: string) => tabsOfCollection(place, home, 'Access'),
  site: (place: Place, home: string) => tabsOfSite(place, home, 'Access'),
}

const keptOf = ({ kept }: AccessParts, of: string): Fields => (kept?.of === of ? kept.fields : {})

function peopleOf(place: Place, parts: AccessParts): Html {
  const { people, membership } = parts
  const items = people.rows.map((grant) =>
    row(place, parts, {
      of: 'people',
      id: grant.id,
      name: grant.display_name,
      more: html`${grant.email}${grant.id === membership.userId && ' · you'}`,
      role: grant.permission,
    }),
  )
  return html`${rows(items, 'Nobody has their own role here.')} ${partLinks(place, people)} ${givingTo(place, parts)}`
}

function teamsOf(place: Place, parts: AccessParts, { given, possible }: NonNullable<AccessParts['teams']>): Html {
  const items = given.rows.map((grant) =>
    row(place, parts, {
      of: 'teams',
      id: grant.id,
      name: grant.title,
      more: counted(grant.members, 'person', 'people'),
      role: grant.permission,
    }),
  )
  return html`${rows(items, 'No team has a role here.')} ${partLinks(place, given)}
  ${givingToTeam(place, parts, possible)}`
}

interface Holder {
  of: 'people' | 'teams'
  id: string
  name: string
  more: HtmlValue
  role: Role | null
}

function row(place: Place, parts: AccessParts, { of, id, name, more, role }: Holder): Html {
  const { managed, path, form } = parts
  const seen = givenName(role)
  return html`<li>
    <span class="row-main">
      <strong>${name}</strong>
      <span class="row-more">${more}</span>
    </span>
    <div class="work-does">
      <form ${writingOver(place.link(`${path}/${of}/${id}/role`))}>
        ${hidden({ form, seen })}
        <select name="role" aria-label="What ${name} may do here">
          ${givenOptions(managed.thing.type, managed.role, keptOf(parts, id).role ?? seen)}
        </select>
        <button class="btn" aria-label="Change what ${name} may do">Change</button>
      </form>
      ${buttonForm(place, {
        action: `${path}/${of}/${id}/remove`,
        fields: { form, seen },
        label: 'Remove',
        name: `Remove the role of ${name} here`,
      })}
    </div>
  </li>`
}

/** Guests get no list of people, since they may not know who belongs to the organization. */
function givingTo(place: Place, parts: AccessParts): HtmlValue {
  const { possible, membership } = parts
  if (!organizationRights(membership).listMembers) return undefined
  if (possible?.length === 0) return html`<p class="aside">Everyone in the organization already has a role here.</p>`
  const { user = '', email = '' } = keptOf(parts, 'people')
  const field = possible
    ? html`<span>Member</span>
        <select name="user" required>
          <option value="">Choose a person</option>
          ${possible.map(
            ({ id, display_name, email }) =>
              html`<option value="${id}" ${id === user && html`selected`}>${display_name} (${email})</option>`,
          )}
        </select>`
    : html`<span>E-mail address of a member</span>
        <input name="email" type="email" value="${email}" maxlength="320" autocomplete="off" required />`
  return giving(place, parts, 'people', field)
}

function givingToTeam(place: Place, parts: AccessParts, possible: TeamName[] | undefined): HtmlValue {
  if (possible?.length === 0) return undefined
  const { team = '', name = '' } = keptOf(parts, 'teams')
  const field = possible
    ? html`<span>Team</span>
        <select name="team" required>
          <option value="">Choose a team</option>
          ${possible.map(
            ({ id, title }) => html`<option value="${id}" ${id === team && html`selected`}>${title}</option>`,
          )}
        </select>`
    : html`<span>Team name</span>
        <input name="name" value="${name}" maxlength="${longestTeamTitle}" autocomplete="off" required />`
  return giving(place, parts, 'teams', field)
}

function giving(place: Place, parts: AccessParts, of: 'people' | 'teams', field: Html): Html {
  const { managed, path, form } = parts
  return html`<form method="post" action="${place.link(`${path}/${of}`)}" class="fields inline work-giving">
    ${hidden({ form })} <label class="field grow">${field}</label>
    <label class="field">
      <span>Role</span>
      <select name="role">
        ${givenOptions(managed.thing.type, managed.role, keptOf(parts, of).role ?? 'read')}
      </select>
    </label>
    <button class="btn">Grant access</button>
  </form>`
}

function everybodyElse(place: Place, parts: AccessParts): Html {
  const { managed, membership } = parts
  return html`<p class="work-rest">${whatHolds(place, parts)}</p>
    ${managed.everybody && levelForm(place, parts, managed.everybody)}
    <p class="aside">
      Regardless of these settings, administrators of “${membership.organization.title}” can do everything.
      ${managed.thing.type === 'site' && 'Who can read the published site is set on the page of the site; access to its spaces is set on each space.'}
    </p>`
}

/** Describes where everybody else gets their role from. */
function whatHolds(place: Place, { managed: { everybody }, around }: AccessParts): HtmlValue {
  if (everybody && !everybody.inherits)
    return everybody.level === null
      ? 'Nobody else can open it.'
      : html`Every member of the organization has the role <strong>${everybody.level}</strong> here, including guests.`
  const { collection, isManaged, level } = around
  const rest = level.inherits ? asInOrganization : levelAround(level)
  if (!collection) return html`They have ${rest}.`
  const link = `${appPath.collection(collection.organization_id, collection.id)}${isManaged ? '/access' : ''}`
  return html`They have their role on the collection <a href="${place.link(link)}">${collection.title}</a>, or ${rest}.`
}

const asInOrganization = 'their role in the organization (guests: none)'

const levelAround = ({ level }: Level) =>
  level === null ? 'no access' : `the role ${level}, which every member has, including guests`

function levelForm(place: Place, parts: AccessParts, everybody: NonNullable<Managed['everybody']>): Html {
  const { managed, path, form, around } = parts
  const seen = levelName(everybody)
  const chosen = keptOf(parts, 'everybody').level ?? seen
  return html`<form ${writingOver(place.link(`${path}/everybody`))} class="fields inline one work-short">
    ${hidden({ form, seen })}
    <label class="field grow">
      <span>Everyone else gets</span>
      <select name="level">
        <option value="inherit" ${chosen === 'inherit' && html`selected`}>${whatIsAround(around)}</option>
        ${givenOptions(managed.thing.type, managed.role, chosen)}
      </select>
    </label>
    <button class="btn">Save</button>
  </form>`
}

function whatIsAround({ collection, level }: Around): string {
  if (collection) return `the same as in “${collection.title}”`
  return level.inherits ? 'their role in the organization' : 'the default'
}

/** Returns the value that forms use for the level of everybody else. */
export const levelName = ({ inherits, level }: Level): string => (inherits ? 'inherit' : givenName(level))

/** The same, as a label for people. */
export const levelLabel = ({ inherits, level }: Level): string => (inherits ? 'as around it' : givenLabel(level))
