import type { Membership } from '../../access/caller.ts'
import { buttonForm, day, hidden, inField, note, writingOver } from '../../account/parts.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { InviteSeen } from '../../invites/access.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { roleName, roleOfNewcomers, roleOptions, rolesExplained } from '../roles.ts'
import { counted } from '../rows.ts'
import type { Said } from '../said.ts'
import { organizationTop } from '../top.ts'

export const mostAddresses = 100
/** Leaves room for a name before each address, and more. */
export const longestAddresses = mostAddresses * 400

/** The result of inviting people by address. */
export interface Invited {
  invites: { email: string; url: string }[]
  /** The people who are already members and therefore got no invite. */
  others: string[]
}

/** What the user typed before it was refused. */
export interface Typed {
  emails?: string
  role?: string
  sso?: boolean
}

export interface InvitesParts extends Said {
  membership: Membership
  /** Path of the people of the organization. */
  path: string
  form: string
  links: Part<{ invite: InviteSeen; url: string }>
  sendsMail: boolean
  invited?: Invited
  typed?: Typed
}

/** The page to invite people, for administrators: by address, or by a link that anyone who has it can use. */
export function invitesPage(place: Place, parts: InvitesParts): Html {
  const { membership, invited } = parts
  return frame(
    place,
    `Invite people · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'People', parts)}
      <h2>Invite people</h2>
      ${invited && whatCame(parts, invited)} ${byAddress(place, parts)} ${byLink(place, parts)} ${rolesExplained()}`,
    ['copy', 'check'],
  )
}

function whatCame({ sendsMail }: InvitesParts, { invites, others }: Invited): Html {
  return html`<div class="work-invited">
    ${invites.length > 0 && note('success', sendsMail ? mailed(invites) : handedOver(invites))}
    ${!sendsMail && invites.map(({ email, url }) => codeBlock(email, html`${url}`))}
    ${others.length > 0 && note('info', html`Already members, so not invited: ${others.join(', ')}.`)}
  </div>`
}

const mailed = (invites: Invited['invites']): Html =>
  html`${counted(invites.length, 'invite')} on the way by mail, to ${invites.map(({ email }) => email).join(', ')}.
  ${invites.length === 1 ? 'It works' : 'Each works'} once, for that address, for 30 days.`

const handedOver = (invites: Invited['invites']): Html =>
  html`${counted(invites.length, 'invite')} created. This server sends no mail, so send each link to the person it is
  for. It works once, for that address, for 30 days.`

function byAddress(place: Place, { membership, path, form, typed = {}, sendsMail }: InvitesParts): Html {
  const { organization } = membership
  return html`<section aria-label="By e-mail address">
    <p class="aside">
      ${
        sendsMail
          ? 'Each person gets a mail with their own link. It replaces any earlier invitation.'
          : 'Each person gets their own link, which you pass on. It replaces any earlier invitation.'
      }
      <a href="${place.link(`${path}/invited`)}">Pending invitations</a>
    </p>
    <form method="post" action="${place.link(`${path}/invites`)}" class="fields">
      ${hidden({ form })}
      <label class="field">
        <span>E-mail addresses, one per line</span>
        <textarea name="emails" rows="4" maxlength="${longestAddresses}" required>${inField(typed.emails)}</textarea>
      </label>
      <div class="fields inline one work-short">
        <label class="field grow">
          <span>Role</span>
          <select name="role">
            ${roleOptions(typed.role ?? roleOfNewcomers(organization))}
          </select>
        </label>
        <button class="btn primary">Invite</button>
      </div>
      ${organization.sso && bySingleSignOn(typed.sso)}
    </form>
  </section>`
}

const bySingleSignOn = (chosen: boolean | undefined): Html =>
  html`<label class="choice">
    <input type="checkbox" name="sso" value="on" ${chosen === true && html`checked`} />
    <span class="row-main">
      <strong>Single sign-on only</strong>
      <span class="row-more">The link takes them there. They cannot sign in to this organization with a code.</span>
    </span>
  </label>`

function byLink(place: Place, parts: InvitesParts): Html {
  const { membership, path, form, links } = parts
  const isOn = membership.organization.invite_links
  return html`<section aria-label="Invite links">
    <h2>Invite links</h2>
    <p class="aside">
      ${
        isOn
          ? 'Anyone with a link can join until you revoke it. Share it only with the people you want to invite.'
          : 'Invite links are turned off for this organization. The links below do not work, and no new ones can be created.'
      }
    </p>
    ${
      links.rows.length > 0 &&
      html`<ul class="work-links" role="list">
        ${links.rows.map((each) => oneLink(place, parts, each))}
      </ul>`
    }
    ${partLinks(place, links)}
    ${
      isOn &&
      html`<form method="post" action="${place.link(`${path}/links`)}" class="fields inline one work-short">
        ${hidden({ form })}
        <label class="field grow">
          <span>Role for a new link</span>
          <select name="role">
            ${roleOptions(roleOfNewcomers(membership.organization))}
          </select>
        </label>
        <button class="btn">Create link</button>
      </form>`
    }
  </section>`
}

function oneLink(
  place: Place,
  { path, form }: InvitesParts,
  { invite, url }: InvitesParts['links']['rows'][number],
): Html {
  const { row } = invite
  const role = roleName(row.role)
  const action = `${path}/links/${row.id}`
  return html`<li>
    ${codeBlock(html`<span>${role}${leadsTo(invite)} · created ${day(row.created_at)}</span>`, html`${url}`)}
    <div class="work-does">
      <form ${writingOver(place.link(`${action}/role`))}>
        ${hidden({ form, seen: role })}
        <select name="role" aria-label="The role that this link gives">
          ${roleOptions(role)}
        </select>
        <button class="btn">Change</button>
      </form>
      ${buttonForm(place, {
        action: `${action}/remove`,
        fields: { form },
        label: 'Revoke',
        name: `Revoke the link for ${role}`,
        look: 'danger',
      })}
    </div>
  </li>`
}

/** Names what the link leads to, unless it is the organization as a whole. */
function leadsTo({ target }: InviteSeen): HtmlValue {
  if (!target) return undefined
  return html` on “${target.type === 'space' ? target.space.title : target.collection.title}”`
}
