import type { Membership } from '../../access/caller.ts'
import { day, hidden, section, writingOver } from '../../account/parts.ts'
import { tokenLives } from '../../account/token-choices.ts'
import type { OrganizationRow } from '../../db/tables.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { type SamlProviderRow, isReady } from '../../saml/queries.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { counted, rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { saidOn } from '../top.ts'

export const longestLabel = 30

/** What somebody typed or chose before it was refused. */
export interface KeptSignOn {
  label?: string
  insisting?: string
}

interface SignOnParts extends Said, KeptSignOn {
  membership: Membership
  /** Of the organization. */
  path: string
  form: string
  providers: Part<SamlProviderRow>
  /** Whether anybody can sign in through one of them. */
  isReady: boolean
  /** How many members are marked for it, and how many of them would have no other way in. */
  marked: number
  bound: number
  /** Where the identity provider tells about members. */
  scimUrl: string
  /** Of a token that was made just now: shown this once. */
  newToken?: string
}

/** How members come in through the identity provider of their company, for administrators. */
export function signOnPage(place: Place, parts: SignOnParts): Html {
  const { membership, path, newToken } = parts
  return frame(
    place,
    `Single sign-on · ${membership.organization.title}`,
    html`<p class="review-space">
        <a href="${place.link(path)}">${membership.organization.title}</a> ·
        <a href="${place.link(`${path}/settings`)}">Settings</a>
      </p>
      <h1>Single sign-on</h1>
      <p class="review-standing">Members sign in through the identity provider of your company, with SAML 2.0.</p>
      ${saidOn(parts)} ${newToken !== undefined && freshToken(newToken)}
      ${section('providers', 'Identity providers', 'Okta, Microsoft Entra ID, Keycloak and others. Each is set up in two places: there, and here.', providers(place, parts))}
      ${section('insisting', 'Who must come by it', 'Members who are marked for single sign-on, and what holds for them.', insisting(place, parts))}
      ${section('scim', 'Members from the provider', 'It can also say who is a member, and in which teams, before anybody signs in: with SCIM 2.0.', scim(place, parts))}`,
    ['copy', 'check'],
  )
}

function providers(place: Place, parts: SignOnParts): Html {
  const { path, form, providers, label } = parts
  return html`${rows(
      providers.rows.map((row) => providerRow(place, parts, row)),
      'There is none yet.',
    )}
    ${partLinks(place, providers)}
    <form method="post" action="${place.link(`${path}/single-sign-on`)}" class="fields inline one">
      ${hidden({ form })}
      <label class="field grow">
        <span>What people call it, on the sign-in page</span>
        <input
          name="label"
          value="${label ?? ''}"
          maxlength="${longestLabel}"
          placeholder="Acme"
          autocomplete="off"
          required
        />
      </label>
      <button class="btn primary">Add an identity provider</button>
    </form>`
}

const providerRow = (place: Place, { path }: SignOnParts, row: SamlProviderRow) =>
  html`<li>
    <span class="row-main">
      <a href="${place.link(`${path}/single-sign-on/${row.id}`)}"><strong>${row.label}</strong></a>
      <span class="row-more">added ${day(row.created_at)}${certificateOf(row)}</span>
    </span>
    ${readiness(row)}
  </li>`

const certificateOf = ({ certificate_expires_at: expiry }: SamlProviderRow): HtmlValue =>
  expiry !== null && html` · certificate until ${day(expiry)}`

export const readiness = (row: SamlProviderRow): Html =>
  isReady(row)
    ? html`<span class="tag" data-tone="success">works</span>`
    : html`<span class="tag" data-tone="warning">not set up yet</span>`

/** Whether it is insisted on, as a form says it. */
export const insistingNow = ({ sso }: Pick<OrganizationRow, 'sso'>): 'on' | 'off' => (sso ? 'on' : 'off')

function insisting(place: Place, parts: SignOnParts): Html {
  const { membership, path, form, marked, insisting: chosen } = parts
  const now = insistingNow(membership.organization)
  const choice = (word: string, title: string, more: HtmlValue) =>
    html`<li>
      <label class="choice">
        <input type="radio" name="insisting" value="${word}" ${word === (chosen ?? now) && html`checked`} />
        <span class="row-main"><strong>${title}</strong> <span class="row-more">${more}</span></span>
      </label>
    </li>`
  return html`<p class="aside">
      ${marked === 0 ? 'Nobody is marked yet.' : `${counted(marked, 'member is', 'members are')} marked.`} Whoever comes
      through an identity provider is, and whom it tells about. Mark others on their own page, in
      <a href="${place.link(`${path}/people`)}">People</a>: then they keep their account when they first come that way.
    </p>
    <form ${writingOver(place.link(`${path}/single-sign-on/insisting`))}>
      ${hidden({ form, seen: now })}
      <ul class="rows" role="list">
        ${choice('off', 'Other ways in are good, too', 'Members who have an account of their own sign in with codes and use their tokens.')}
        ${choice('on', 'Nothing but single sign-on for those who are marked', whoIsBound(parts))}
      </ul>
      <button class="btn">Save</button>
    </form>`
}

const whoIsBound = ({ isReady, bound }: SignOnParts): HtmlValue =>
  html`No code and no token opens this organization for them. Administrators are spared, so that somebody can repair it.
  ${!isReady && bound > 0 && html`<strong>No identity provider works yet: ${counted(bound, 'member')} would have no way in.</strong>`}`

function scim(place: Place, { path, form, scimUrl }: SignOnParts): Html {
  return html`${codeBlock('Base URL, tenant URL', html`${scimUrl}`)}
    <form method="post" action="${place.link(`${path}/single-sign-on/token`)}" class="fields inline one work-short">
      ${hidden({ form })}
      <label class="field grow">
        <span>A token for it works for</span>
        <select name="life">
          ${Object.entries(tokenLives).map(
            ([id, { label }]) => html`<option value="${id}" ${id === '365' && html`selected`}>${label}</option>`,
          )}
        </select>
      </label>
      <button class="btn">Make a token</button>
    </form>
    <p class="aside">
      The token looks after members and teams, here and wherever else you are an administrator, and does nothing else.
      It is yours, stands in
      <a href="${place.link('/account')}#tokens">your account</a>, where it is revoked, and ends when you are no
      administrator any more: best make it with an account that stays when people leave.
    </p>`
}

const freshToken = (secret: string) =>
  html`<div tabindex="-1" autofocus class="fresh" role="status">
    <p><strong>Copy the token now.</strong> The identity provider asks for it. No page shows it again.</p>
    ${codeBlock('Bearer token, secret token', html`${secret}`)}
  </div>`
