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

/** What somebody typed or chose before it was refused. */
export interface KeptSettings {
  title?: string
  role?: string
  domains?: string
  inviting?: string
  rules?: KeptRules
}

interface OrganizationParts extends Said, KeptSettings {
  membership: Membership
  /** The address of the page. */
  path: string
  form: string
}

export const mostDomains = 50
/** With much room. */
const longestDomains = mostDomains * 256

/** The settings of an organization, for its administrators. */
export function organizationPage(place: Place, parts: OrganizationParts): Html {
  const { membership, path, form, rules } = parts
  const { merge_rules: now } = membership.organization
  const merging = { action: `${path}/merge-rules`, form, now, ...(rules && { kept: rules }) }
  return frame(
    place,
    `Settings · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'Settings', parts)}
    ${section('organization-title', 'Title', 'What the organization is called.', naming(place, parts))}
    ${section('newcomers', 'Newcomers', 'The role of whoever joins by an e-mail domain, or is told about by your identity provider without one. Where you invite somebody, it is offered first.', newcomers(place, parts))}
    ${section('domains', 'E-mail domains', whoMayJoin(parts), joining(place, parts))}
    ${section('invite-links', 'Invite links', 'Whoever has one can join with it.', inviting(place, parts))}
    ${section('rules', 'Merging', 'What must hold in every space before a change request is merged.', mergeRulesForm(place, merging))}
    ${section('webhooks', 'Webhooks', 'Programs of yours are told what happens here.', leading(place, parts, 'webhooks', 'Webhooks of this organization'))}
    ${section('single-sign-on', 'Single sign-on', 'Members come in through the identity provider of your company.', leading(place, parts, 'single-sign-on', 'Set up single sign-on'))}
    ${section('record', 'Record', 'Who did what here, and when.', leading(place, parts, 'record', 'Open the record'))}
    ${section('download', 'Download', 'Everything this organization has, as a zip.', leading(place, parts, 'download', 'Download this organization'))}
    ${rolesExplained()}`,
  )
}

/** What has a page of its own. */
const leading = (place: Place, { membership }: OrganizationParts, page: string, label: string) =>
  html`<div>
    <a class="btn" href="${place.link(`${appPath.organization(membership.organization.id)}/${page}`)}">${label}</a>
  </div>`

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
      <span>Role of newcomers</span>
      <select name="role">
        ${roleOptions(role ?? now)}
      </select>
    </label>
    <button class="btn">Save role</button>
  </form>`
}

const whoMayJoin = ({ membership }: OrganizationParts) =>
  membership.organization.sso
    ? 'Whoever has an address of one of them is led to your single sign-on. You insist on that, so an address alone lets nobody in.'
    : 'Whoever has confirmed an address of one of them can join, and is led to your single sign-on.'

function joining(place: Place, { membership: { organization }, path, form, domains }: OrganizationParts): Html {
  const text = domains ?? organization.email_domains.join('\n')
  return html`<form ${writingOver(place.link(`${path}/domains`))} class="fields">
    ${hidden({ form, seen: domainsOf(organization) })}
    <label class="field">
      <span>Domains such as example.com, one on each line</span>
      <textarea name="domains" rows="3" maxlength="${longestDomains}">${inField(text)}</textarea>
    </label>
    <button class="btn">Save domains</button>
  </form>`
}

/** What somebody has seen when they change it. */
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
      ${choice('on', 'They can be made and used', 'Administrators make them, for a role.')}
      ${choice('off', 'They are switched off', 'Those that there are open nothing until they are switched on again.')}
    </ul>
    <button class="btn">Save</button>
  </form>`
}
