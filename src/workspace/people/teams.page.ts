import type { Membership } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import { buttonForm, hidden, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { rightsOn } from '../../teams/access.ts'
import type { TeamMemberRow } from '../../teams/members.queries.ts'
import type { TeamSeen } from '../../teams/queries.ts'
import { longestTeamTitle } from '../../teams/schema.ts'
import type { Person } from '../../users/present.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { counted, rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { organizationTop, saidOn } from '../top.ts'

interface TeamsParts extends Said {
  membership: Membership
  /** The path of the page. */
  path: string
  teams: Part<TeamSeen>
  form: string
  /** What the user typed before it was refused. */
  title?: string
}

/** Lists the teams of an organization, for all its members except guests. Administrators get a form to create one. */
export function teamsPage(place: Place, parts: TeamsParts): Html {
  const { membership, path, teams } = parts
  const items = teams.rows.map(
    ({ id, title, members, own_role }) =>
      html`<li>
        <span class="row-main">
          <a href="${place.link(`${path}/${id}`)}"><strong>${title}</strong></a>
          <span class="row-more">${counted(members, 'person', 'people')}</span>
        </span>
        ${own_role !== null && html`<span class="tag" data-tone="info">${own_role === 'owner' ? 'yours' : 'you are in it'}</span>`}
      </li>`,
  )
  const mayCreate = organizationRights(membership).admin
  return frame(
    place,
    `Teams · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'Teams', parts)}
      <section aria-label="Teams">
        <h2>Teams</h2>
        <p class="aside">A role given to a team on a space, collection or site applies to everyone in the team.</p>
        ${rows(items, mayCreate ? 'None yet. Create the first one below.' : 'None yet.')} ${partLinks(place, teams)}
      </section>
      ${mayCreate && beginning(place, parts)}`,
  )
}

const beginning = (place: Place, { path, form, title }: TeamsParts) =>
  html`<section aria-label="New team">
    <h2>New team</h2>
    <form method="post" action="${place.link(path)}" class="fields inline one">
      ${hidden({ form })}
      <label class="field grow">
        <span>Name</span>
        <input name="title" value="${title ?? ''}" maxlength="${longestTeamTitle}" autocomplete="off" required />
      </label>
      <button class="btn primary">Create team</button>
    </form>
  </section>`

export interface TeamParts extends Said {
  membership: Membership
  /** The path of the organization. */
  path: string
  team: TeamSeen
  people: Part<TeamMemberRow>
  /** The people who can be added; undefined if they have to be entered by e-mail address. */
  possible: Person[] | undefined
  form: string
  /** What the user typed before it was refused. */
  title?: string
  email?: string
}

/** Shows who is in a team. Those who manage it can also change its members, rename it and delete it. */
export function teamPage(place: Place, parts: TeamParts): Html {
  const { membership, path, team, people } = parts
  const { admin } = rightsOn(team, membership)
  const { listTeams } = organizationRights(membership)
  return frame(
    place,
    team.title,
    html`<p class="review-space">
        <a href="${place.link(path)}">${membership.organization.title}</a
        >${listTeams && html` › <a href="${place.link(`${path}/teams`)}">Teams</a>`}
      </p>
      <h1>${team.title}</h1>
      ${saidOn(parts)}
      <section aria-label="People">
        <h2>${counted(team.members, 'person', 'people')}</h2>
        ${rows(
          people.rows.map((each) => personIn(place, parts, each, admin)),
          'Nobody is in it yet.',
        )}
        ${partLinks(place, people)} ${admin && puttingIn(place, parts)}
      </section>
      ${admin && html`${renaming(place, parts)} ${deleting(place, parts)}`}`,
  )
}

const at = (place: Place, parts: TeamParts, action: string) => place.link(pathIn(parts, action))

const pathIn = ({ path, team }: TeamParts, action: string) => `${path}/teams/${team.id}/${action}`

function personIn(place: Place, parts: TeamParts, each: TeamMemberRow, admin: boolean): Html {
  const { form, membership } = parts
  const { user_id, display_name, email, team_role, disabled } = each
  const isSelf = user_id === membership.userId
  const isOwner = team_role === 'owner'
  return html`<li>
    <span class="row-main">
      <strong>${display_name}</strong>
      <span class="row-more">${email}</span>
    </span>
    <div class="review-does">
      ${disabled && html`<span class="tag" data-tone="warning">suspended</span>`}
      ${isOwner && html`<span class="tag" data-tone="violet">owner</span>`}
      ${
        admin &&
        buttonForm(place, {
          action: pathIn(parts, `members/${user_id}/role`),
          fields: { form, role: isOwner ? 'member' : 'owner' },
          label: isOwner ? 'Make member' : 'Make owner',
          name: isOwner ? `Make a member instead of an owner: ${display_name}` : `Make owner: ${display_name}`,
        })
      }
      ${
        (admin || isSelf) &&
        buttonForm(place, {
          action: pathIn(parts, `members/${user_id}/remove`),
          fields: { form },
          label: isSelf ? 'Leave' : 'Remove',
          name: isSelf ? 'Leave this team' : `Remove from the team: ${display_name}`,
        })
      }
    </div>
  </li>`
}

function puttingIn(place: Place, parts: TeamParts): Html {
  const { possible, form, email } = parts
  if (possible?.length === 0) return html`<p class="aside">Everyone in the organization is in this team.</p>`
  const field = possible
    ? html`<span>Member</span>
        <select name="user" required>
          <option value="">Choose a person</option>
          ${possible.map((person) => html`<option value="${person.id}">${person.display_name} (${person.email})</option>`)}
        </select>`
    : html`<span>E-mail address of a member</span>
        <input name="email" type="email" value="${email ?? ''}" maxlength="320" autocomplete="off" required />`
  return html`<form method="post" action="${at(place, parts, 'members')}" class="fields inline one">
      ${hidden({ form })} <label class="field grow">${field}</label>
      <button class="btn">Add</button>
    </form>
    <p class="aside">Owners decide who is in the team and what it is called.</p>`
}

const renaming = (place: Place, parts: TeamParts) =>
  html`<section aria-label="Name">
    <h2>Name</h2>
    <form ${writingOver(at(place, parts, 'title'))} class="fields inline one">
      ${hidden({ form: parts.form, seen: parts.team.title })}
      <label class="field grow">
        <span>Name</span>
        <input
          name="title"
          value="${parts.title ?? parts.team.title}"
          maxlength="${longestTeamTitle}"
          autocomplete="off"
          required
        />
      </label>
      <button class="btn">Save</button>
    </form>
  </section>`

const deleting = (place: Place, parts: TeamParts) =>
  html`<section aria-label="Delete">
    <details class="review-archive">
      <summary class="btn">Delete this team</summary>
      <form method="post" action="${at(place, parts, 'remove')}" class="review-ask">
        ${hidden({ form: parts.form })}
        <p>
          Delete the team “${parts.team.title}”? Its roles on spaces, collections and sites are lost for everyone in it.
          Its members stay in the organization.
        </p>
        <button class="btn danger">Delete team</button>
      </form>
    </details>
  </section>`
