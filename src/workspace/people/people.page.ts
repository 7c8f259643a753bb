import type { Membership } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import { day, hidden, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { MemberFound } from '../../organizations/members.queries.ts'
import { asking } from '../asking.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { roleName, roleOptions, roleTag, rolesExplained } from '../roles.ts'
import { counted, rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { searchingPeople } from './searching.page.ts'
import { organizationTop, saidOn } from '../top.ts'

interface PeopleParts extends Said {
  membership: Membership
  /** Path of the page. */
  path: string
  people: Part<MemberFound>
  search: string | undefined
  role: string | undefined
}

/** The members of an organization, for all members except guests. Administrators also get the links to make changes. */
export function peoplePage(place: Place, parts: PeopleParts): Html {
  const { membership, path, people, search, role } = parts
  const isAdmin = organizationRights(membership).admin
  const isFiltered = search !== undefined || role !== undefined
  return frame(
    place,
    `People · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'People', parts)}
      <div class="work-head">
        <h2 id="people">
          ${isFiltered ? html`${people.count.toLocaleString('en')} found` : counted(people.count, 'person', 'people')}
        </h2>
        ${isAdmin && html`<a class="btn primary" href="${place.link(`${path}/invites`)}">Invite people</a>`}
      </div>
      ${searchingPeople(place, parts, roleOptions(role ?? ''))}
      <section aria-labelledby="people">
        ${rows(
          people.rows.map((member) => person(place, parts, member, isAdmin)),
          'Nobody matches this name or role.',
        )}
        ${partLinks(place, people)}
      </section>`,
  )
}

function person(place: Place, { membership, path }: PeopleParts, member: MemberFound, isAdmin: boolean): Html {
  const { user_id, display_name, email } = member
  const isSelf = user_id === membership.userId
  const name = html`<strong>${display_name}</strong>`
  return html`<li>
    <span class="row-main">
      <span>
        ${isAdmin || isSelf ? html`<a href="${place.link(`${path}/${user_id}`)}">${name}</a>` : name}
        ${isSelf && html`<span class="row-more">you</span>`}
      </span>
      <span class="row-more">${email} · ${seen(member)}</span>
    </span>
    <span class="review-does">${standing(member)} ${roleTag(member.role)}</span>
  </li>`
}

const seen = ({ last_seen_at }: MemberFound): HtmlValue =>
  last_seen_at === null ? 'never seen' : html`last seen ${day(last_seen_at)}`

const standing = ({ sso, disabled }: MemberFound): Html =>
  html`${sso && html`<span class="tag" data-tone="success">single sign-on</span>`}
  ${disabled && html`<span class="tag" data-tone="warning">suspended</span>`}`

interface MemberParts extends Said {
  membership: Membership
  /** Path of the organization. */
  path: string
  member: MemberFound
  form: string
  /** Whether members can sign in by single sign-on here. */
  hasSignOn: boolean
  /** What the user chose before it was refused. */
  role?: string
}

/**
 * The page of one member, for administrators and for the member: changing the role, suspending, removing or leaving.
 */
export function memberPage(place: Place, parts: MemberParts): Html {
  const { membership, path, member } = parts
  const { admin, listMembers } = organizationRights(membership)
  const isSelf = member.user_id === membership.userId
  const back = listMembers ? { path: `${path}/people`, label: 'People' } : { path, label: 'Spaces' }
  return frame(
    place,
    member.display_name,
    html`<p class="review-space">
        <a href="${place.link(path)}">${membership.organization.title}</a> ›
        <a href="${place.link(back.path)}">${back.label}</a>
      </p>
      <h1>${member.display_name}</h1>
      <p class="review-standing">
        ${roleTag(member.role)} ${standing(member)} ${member.email} · joined ${day(member.joined_at)} · ${seen(member)}
        · in ${counted(member.teams, 'team')}
        ${admin && html` · <a href="${place.link(`${path}/record?person=${member.user_id}`)}">what they did</a>`}
      </p>
      ${saidOn(parts)} ${admin && roleForm(place, parts)} ${admin && signOnForm(place, parts)}
      ${admin && !isSelf && accessForm(place, parts)} ${(admin || isSelf) && removal(place, parts, isSelf)}
      ${admin && rolesExplained()}`,
  )
}

const at = (place: Place, { path, member }: MemberParts, action: string) =>
  place.link(`${path}/people/${member.user_id}/${action}`)

const roleForm = (place: Place, parts: MemberParts) =>
  html`<section aria-label="Role">
    <h2>Role</h2>
    <form ${writingOver(at(place, parts, 'role'))} class="fields inline one work-short">
      ${hidden({ form: parts.form, seen: roleName(parts.member.role) })}
      <label class="field grow">
        <span>In this organization</span>
        <select name="role">
          ${roleOptions(parts.role ?? roleName(parts.member.role))}
        </select>
      </label>
      <button class="btn primary">Change the role</button>
    </form>
    <p class="aside">The change takes effect at once. A role given on a space takes precedence there.</p>
  </section>`

/**
 * For members who joined without single sign-on. Members who join through it, or are provisioned by the identity
 * provider, are marked by that.
 */
function signOnForm(place: Place, parts: MemberParts): HtmlValue {
  const { membership, member, form, path } = parts
  if (member.sso || !(parts.hasSignOn || membership.organization.sso)) return undefined
  return html`<section aria-label="Single sign-on">
    <h2>Single sign-on</h2>
    <p class="aside">
      Marked for <a href="${place.link(`${path}/single-sign-on`)}">single sign-on</a>, they keep this account when they
      first sign in that way with the same address. If they belong to other organizations as well, they get a second
      account here.
    </p>
    ${asking(
      'Mark for single sign-on',
      html`<form method="post" action="${at(place, parts, 'single-sign-on')}" class="review-ask">
        ${hidden({ form })}
        <p>
          Mark ${member.display_name}? This cannot be undone. Once they have signed in that way, the account belongs to
          this organization; ${whatIsGoodThen(parts)}
        </p>
        <button class="btn">Mark for single sign-on</button>
      </form>`,
    )}
  </section>`
}

function whatIsGoodThen({ membership, member, hasSignOn }: MemberParts): Html {
  if (!membership.organization.sso || member.role === 'admin')
    return html`and while single sign-on is required here, no code and no token lets them in, unless they are an
    administrator.`
  return html`and codes and tokens no longer let them in here.
  ${!hasSignOn && html`<strong>No identity provider is working, so they could not sign in.</strong>`}`
}

function accessForm(place: Place, parts: MemberParts): Html {
  const { member, form } = parts
  const to = member.disabled ? 'on' : 'off'
  return html`<section aria-label="Access">
    <h2>Access</h2>
    <p class="aside">
      ${
        member.disabled
          ? 'Suspended: they cannot open anything here, and no invitation lets them back in. Their role, teams and access are kept.'
          : 'Suspended members cannot open anything here, and no invitation lets them back in. Their role, teams and access are kept, for when they are reactivated.'
      }
    </p>
    <form method="post" action="${at(place, parts, 'access')}">
      ${hidden({ form, to })}
      <button class="btn">${member.disabled ? 'Reactivate' : 'Suspend'}</button>
    </form>
  </section>`
}

function removal(place: Place, parts: MemberParts, isSelf: boolean): Html {
  const { membership, member, form } = parts
  const { title } = membership.organization
  return html`<section aria-label="${isSelf ? 'Leave' : 'Remove'}">
    <details class="review-archive">
      <summary class="btn">${isSelf ? 'Leave this organization' : 'Remove from this organization'}</summary>
      <form method="post" action="${at(place, parts, 'remove')}" class="review-ask">
        ${hidden({ form })}
        <p>
          ${
            isSelf
              ? html`Leave “${title}”? You lose your role, your teams and your access at once. What you wrote stays,
                with your name. To come back you need a new invitation.`
              : html`Remove ${member.display_name} from “${title}”? They lose their role, teams and access at once, and
                any pending invitation. What they wrote stays, with their name. An invite link, or an address at one of
                your e-mail domains, can let them back in. To keep somebody out, suspend them instead.`
          }
        </p>
        <button class="btn danger">${isSelf ? 'Leave' : 'Remove'}</button>
      </form>
    </details>
  </section>`
}
