import { appPath } from '../../app-path.ts'
import type { Membership } from '../../access/caller.ts'
import { hidden, inField, section, writingOver } from '../../account/parts.ts'
import type { OrganizationRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { frame } from '../frame.ts'
import { renamingForm } from '../renaming.page.ts'
import type { KeptRules } from '../spaces/merge-rules.ts'
import { mergeRulesForm } from '../spaces/merge-rules.page.ts'
import { longestTitle, shortestTitle } from './organization-title.ts'
import { roleName, roleOptions, rolesExplained } from '../roles.ts'
import type { Said } from '../said.ts'
import { organizationTop } from '../top.ts'

/** What the user typed or chose before it was refused. */
export interface KeptSettings {
  title?: string
  role?: string
  domains?: string
  inviting?: string
  rules?: KeptRules
}

interface OrganizationParts extends Said, KeptSettings {
  membership: Membership
  /** Path of the page. */
  path: string
  form: string
}

export const mostDomains = 50
/** Much more than needed. */
const longestDomains = mostDomains * 256

/** The page with the settings of an organization, for its administrators. */
export function organizationPage(place: Place, parts: OrganizationParts): Html {
  const { membership, path, form, rules } = parts
  const { merge_rules: now } = membership.organization
  const merging = { action: `${path}/merge-rules`, form, now, ...(rules && { kept: rules }) }
  return frame(
    place,
    `Settings · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'Settings', parts)}
    ${section('organization-title', 'Title', 'The name of the organization.', naming(place, parts))}
    ${section('newcomers', 'New members', 'The role of people who join by an e-mail domain, or are added by your identity provider without a role. Invitations suggest it.', newcomers(place, parts))}
    ${section('domains', 'E-mail domains', whoMayJoin(parts), joining(place, parts))}
    ${section('invite-links', 'Invite links', 'Anyone with such a link can join.', inviting(place, parts))}
    ${section('rules', 'Merging', 'What is required in every space before a change request is merged.', mergeRulesForm(place, merging))}
    ${section('more', 'More', 'Settings on separate pages.', more(place, parts))} ${rolesExplained()}`,
  )
}

const pagesOfSettings = {
  webhooks: ['Webhooks', 'Tell your own programs what happens here.'],
  'single-sign-on': ['Single sign-on', 'Members sign in through your company’s identity provider.'],
  record: ['Record', 'Who did what here, and when.'],
  download: ['Download', 'Everything in this organization, as a zip file.'],
}

function more(place: Place, { membership }: OrganizationParts): Html {
  const home = appPath.organization(membership.organization.id)
  const leading = ([page, [title, about]]: [string, string[]]) =>
    html`<li>
      <span class="row-main">
        <a href="${place.link(`${home}/${page}`)}"><strong>${title}</strong></a> <span class="row-more">${about}</span>
      </span>
    </li>`
  return html`<ul class="rows" role="list">
    ${Object.entries(pagesOfSettings).map(leading)}
  </ul>`
}

const naming = (place: Place, { membership, path, form, title }: OrganizationParts) =>
  renamingForm(place, {
    action: `${path}/title`,
    form,
    now: membership.organization.title,
    typed: title,
    shortest: shortestTitle,
    longest: longestTitle,
  })

function newcomers(place: Place, { membership, path, form, role }: OrganizationParts): Html {
  const now = roleName(membership.organization.default_role)
  return html`<form ${writingOver(place.link(`${path}/role`))} class="fields inline one work-short">
    ${hidden({ form, seen: now })}
    <label class="field grow">
      <span>Role of new members</span>
      <select name="role">
        ${roleOptions(role ?? now)}
      </select>
    </label>
    <button class="btn">Save role</button>
  </form>`
}

const whoMayJoin = ({ membership }: OrganizationParts) =>
  membership.organization.sso
    ? 'People with an address at one of these domains are taken to your single sign-on. It is required, so an address alone does not let anyone in.'
    : 'Anyone with a confirmed address at one of these domains can join, and is taken to your single sign-on.'

function joining(place: Place, { membership: { organization }, path, form, domains }: OrganizationParts): Html {
  const text = domains ?? organization.email_domains.join('\n')
  return html`<form ${writingOver(place.link(`${path}/domains`))} class="fields">
    ${hidden({ form, seen: domainsOf(organization) })}
    <label class="field">
      <span>Domains such as example.com, one per line</span>
      <textarea name="domains" rows="3" maxlength="${longestDomains}">${inField(text)}</textarea>
    </label>
    <button class="btn">Save domains</button>
  </form>`
}

/** The domains as the form sends them back, to detect that they have changed in the meantime. */
export const domainsOf = ({ email_domains }: OrganizationRow) => email_domains.join(' ')

function inviting(
  place: Place,
  { membership: { organization }, path, form, inviting: chosen }: OrganizationParts,
): Html {
  const now = organization.invite_links ? 'on' : 'off'
  const choice = (word: string, title: string, more: string) =>
    html`<li>
      <label class="choice">
        <input type="radio" name="inviting" value="${word}" ${word === (chosen ?? now) && html`checked`} />
        <span class="row-main"><strong>${title}</strong> <span class="row-more">${more}</span></span>
      </label>
    </li>`
  return html`<form ${writingOver(place.link(`${path}/invite-links`))}>
    ${hidden({ form, seen: now })}
    <ul class="rows" role="list">
      ${choice('on', 'Turned on', 'Administrators can create links for a role.')}
      ${choice('off', 'Turned off', 'Existing links do not work until they are turned on again.')}
    </ul>
    <button class="btn">Save</button>
  </form>`
}
