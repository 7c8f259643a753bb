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

/** What the user typed or chose before it was refused. */
export interface KeptSignOn {
  label?: string
  insisting?: string
}

interface SignOnParts extends Said, KeptSignOn {
  membership: Membership
  /** The path of the organization. */
  path: string
  form: string
  providers: Part<SamlProviderRow>
  /** Whether at least one of the providers can be used to sign in. */
  isReady: boolean
  /** How many members are marked for single sign-on, and how many of them would have no other way to sign in. */
  marked: number
  bound: number
  /** The URL to which the identity provider reports members. */
  scimUrl: string
  /** The secret of a token that was just created. It is shown only this once. */
  newToken?: string
}

/** How members sign in through the identity provider of their company, for administrators. */
export function signOnPage(place: Place, parts: SignOnParts): Html {
  const { membership, path, newToken } = parts
  return frame(
    place,
    `Single sign-on · ${membership.organization.title}`,
    html`<p class="review-space">
        <a href="${place.link(path)}">${membership.organization.title}</a> ›
        <a href="${place.link(`${path}/settings`)}">Settings</a>
      </p>
      <h1>Single sign-on</h1>
      <p class="review-standing">Members sign in through your company’s identity provider, with SAML 2.0.</p>
      ${saidOn(parts)} ${newToken !== undefined && freshToken(newToken)}
      ${section('providers', 'Identity providers', 'Okta, Microsoft Entra ID, Keycloak and others. Each is set up in two places: at the provider and here.', providers(place, parts))}
      ${section('insisting', 'Who must use it', 'Members who are marked for single sign-on.', insisting(place, parts))}
      ${section('scim', 'Members from the provider', 'With SCIM 2.0, the provider also manages members and teams before anyone signs in.', scim(place, parts))}`,
    ['copy', 'check'],
  )
}

function providers(place: Place, parts: SignOnParts): Html {
  const { path, form, providers, label } = parts
  return html`${rows(
      providers.rows.map((row) => providerRow(place, parts, row)),
      'None yet. Name the first one below, then set it up.',
    )}
    ${partLinks(place, providers)}
    <form method="post" action="${place.link(`${path}/single-sign-on`)}" class="fields inline one">
      ${hidden({ form })}
      <label class="field grow">
        <span>Name on the sign-in page</span>
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

/** Whether single sign-on is required, as the form has it. */
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
      ${marked === 0 ? 'Nobody is marked yet.' : `${counted(marked, 'member is', 'members are')} marked.`} Those who
      sign in through an identity provider, or are added by it, are marked. Mark others on their own page, under
      <a href="${place.link(`${path}/people`)}">People</a>: they keep their account when they first sign in that way.
    </p>
    <form ${writingOver(place.link(`${path}/single-sign-on/insisting`))}>
      ${hidden({ form, seen: now })}
      <ul class="rows" role="list">
        ${choice('off', 'Other ways to sign in are allowed', 'Members with their own account can sign in with codes and use their tokens.')}
        ${choice('on', 'Single sign-on is required for marked members', whoIsBound(parts))}
      </ul>
      <button class="btn">Save</button>
    </form>`
}

const whoIsBound = ({ isReady, bound }: SignOnParts): HtmlValue =>
  html`Codes and tokens do not work for them here. Administrators are exempt, so that somebody can repair it.
  ${!isReady && bound > 0 && html`<strong>No identity provider works yet: ${counted(bound, 'member')} could not sign in.</strong>`}`

function scim(place: Place, { path, form, scimUrl }: SignOnParts): Html {
  return html`${codeBlock('Base URL, tenant URL', html`${scimUrl}`)}
    <form method="post" action="${place.link(`${path}/single-sign-on/token`)}" class="fields inline one work-short">
      ${hidden({ form })}
      <label class="field grow">
        <span>Token valid for</span>
        <select name="life">
          ${Object.entries(tokenLives).map(
            ([id, { label }]) => html`<option value="${id}" ${id === '365' && html`selected`}>${label}</option>`,
          )}
        </select>
      </label>
      <button class="btn">Create token</button>
    </form>
    <p class="aside">
      The token can only manage members and teams, here and wherever else you are an administrator. It is listed in
      <a href="${place.link('/account')}#tokens">your account</a>, where you can revoke it, and stops working when you
      are no longer an administrator. Best create it with an account that stays when people leave.
    </p>`
}

const freshToken = (secret: string) =>
  html`<div tabindex="-1" autofocus class="fresh" role="status">
    <p><strong>Copy the token now.</strong> The identity provider asks for it. It is not shown again.</p>
    ${codeBlock('Bearer token, secret token', html`${secret}`)}
  </div>`
