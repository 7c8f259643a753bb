import type { Membership } from '../../access/caller.ts'
import { day, hidden, inField, section, writingOver } from '../../account/parts.ts'
import type { TeamRow } from '../../db/tables.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { serviceOf } from '../../saml/addresses.ts'
import type { SamlKeyRow } from '../../saml/keys/keys.queries.ts'
import { longestMetadata } from '../../saml/provider-metadata.ts'
import { type SamlProviderRow, isReady } from '../../saml/queries.ts'
import { longestTeamTitle } from '../../teams/schema.ts'
import { asking } from '../asking.ts'
import { frame } from '../frame.ts'
import { roleOptions } from '../roles.ts'
import { counted } from '../rows.ts'
import type { Said } from '../said.ts'
import { saidOn } from '../top.ts'
import { keysPart } from './keys.page.ts'
import { type ProviderForm, marksOf } from './provider.form.ts'
import { longestLabel, readiness } from './single-sign-on.page.ts'

export type TeamName = Pick<TeamRow, 'id' | 'title'>

interface ProviderParts extends Said {
  membership: Membership
  /** The path of the organization. */
  path: string
  form: string
  provider: SamlProviderRow
  /** The current settings. `settings` is what the form shows. */
  now: ProviderForm
  /** The URL of this server. */
  url: string
  settings: ProviderForm
  /** Undefined if there are too many to choose from. */
  teams: TeamName[] | undefined
  /** Our keys for this provider. The one that signs comes first. */
  keys: SamlKeyRow[]
  leaving: Leaving
  /** The metadata that was pasted before it was refused. */
  metadata?: string
}

/** What happens to people when the provider is deleted. */
export interface Leaving {
  /** The members who signed in through it. `isOwn`: whether the current user is one of them. */
  through: { names: string[]; count: number; isOwn: boolean }
  /** Whether they can sign in through another provider. */
  hasOther: boolean
  /** Whether single sign-on is required, so that nothing else works for them. */
  isInsisted: boolean
  /** How many members could no longer sign in at all. */
  shutOut: number
  sendsMail: boolean
}

const longestEntity = 1024
const longestAddress = 2048
export const longestCertificate = 10_000

/** One identity provider: what to enter at the provider, its settings and keys here, and how to delete it. */
export function providerPage(place: Place, parts: ProviderParts): Html {
  const { membership, path, provider } = parts
  return frame(
    place,
    `${provider.label} · Single sign-on`,
    html`<p class="review-space">
        <a href="${place.link(path)}">${membership.organization.title}</a> ›
        <a href="${place.link(`${path}/settings`)}">Settings</a> ›
        <a href="${place.link(`${path}/single-sign-on`)}">Single sign-on</a>
      </p>
      <h1>${provider.label}</h1>
      <p class="review-standing">${readiness(provider)} ${standing(parts)}</p>
      ${saidOn(parts)}
      ${section('there', '1. Tell the provider', 'Copy these into the provider’s settings for Lectern.', telling(parts))}
      ${section('here', '2. Tell Lectern', 'What the provider shows, often called “metadata”.', settingsForm(place, parts))}
      ${section('keys', 'Signatures and encryption', 'Only if the provider requires it. Most do not.', keysPart(place, parts))}
      ${section('end', 'Delete', 'To stop sign-in through this provider.', deleting(place, parts))}`,
    ['copy', 'check'],
  )
}

function standing({ provider, url, leaving }: ProviderParts): HtmlValue {
  const { entity_id, sso_url, certificate } = provider
  if (isReady(provider)) {
    const { startURL } = serviceOf(url, provider)
    return html`People find it on the sign-in page. <a href="${startURL}">Try it</a>, best in another browser.`
  }
  const missing = [
    ...(entity_id === null ? ['its entity ID'] : []),
    ...(sso_url === null ? ['its address'] : []),
    ...(certificate === null ? ['its certificate'] : []),
  ]
  const { count } = leaving.through
  return html`Nobody can sign in through it yet. What is missing below: ${missing.join(', ')}.
  ${count > 0 && html`<strong>${counted(count, 'member')} signed in through it and cannot use codes in the meantime.</strong>`}`
}

function telling({ provider, url }: ProviderParts): Html {
  const { entityID, acsURL, startURL } = serviceOf(url, provider)
  return html`<div class="work-links">
      ${codeBlock('Entity ID, audience, identifier, client ID', html`${entityID}`)}
      ${codeBlock('Assertion consumer service, reply URL, single sign-on URL', html`${acsURL}`)}
      ${codeBlock('Sign-on URL, where a login begins, home URL', html`${startURL}`)}
    </div>
    <p class="aside">Some providers can read these from <a href="${entityID}">Lectern’s metadata (XML)</a>.</p>
    <p class="aside">
      The provider must sign the assertion with RSA and SHA-256 or better, send a name ID that stays the same for a
      person, and send the e-mail address as the attribute <code>email</code> or as the name ID. It may encrypt the
      assertion once it has Lectern’s certificate.
    </p>`
}

const signings = [
  ['no', 'are not signed: most need none'],
  ['yes', 'are signed, as it asks for it'],
]

function settingsForm(place: Place, parts: ProviderParts): Html {
  const { path, form, provider, now, settings } = parts
  const metadata = inField(parts.metadata)
  const certificate = inField(settings.certificate)
  return html`<form ${writingOver(place.link(`${path}/single-sign-on/${provider.id}`))}>
    ${hidden({ form, seen: marksOf(now) })}
    <label class="field">
      <span>Metadata, if available (the complete XML): the three fields below are read from it</span>
      <textarea name="metadata" rows="3" maxlength="${longestMetadata}">${metadata}</textarea>
    </label>
    ${field('Entity ID or issuer', 'entity', settings.entity, longestEntity)}
    ${field('Login address (SSO URL, Login URL, with the binding HTTP-Redirect)', 'address', settings.address, longestAddress)}
    <label class="field">
      <span>Signing certificate (X.509, as PEM or base64)</span>
      <textarea name="certificate" rows="6" maxlength="${longestCertificate}">${certificate}</textarea>
    </label>
    ${expiry(provider)}
    <div class="work-pair">
      <label class="field">
        <span>Role of new members</span>
        <select name="role">
          ${roleOptions(settings.role)}
        </select>
      </label>
      ${teamField(parts)}
    </div>
    <label class="field">
      <span>Name on the sign-in page</span>
      <input name="label" value="${settings.label}" maxlength="${longestLabel}" autocomplete="off" required />
    </label>
    <label class="field">
      <span>Requests</span>
      <select name="signing">
        ${signings.map(([value, words]) => html`<option value="${value}" ${value === settings.signing && html`selected`}>${words}</option>`)}
      </select>
    </label>
    <button class="btn primary">Save</button>
  </form>`
}

const field = (label: string, name: string, value: string, longest: number) =>
  html`<label class="field">
    <span>${label}</span>
    <input name="${name}" value="${value}" maxlength="${longest}" autocomplete="off" spellcheck="false" />
  </label>`

function expiry({ certificate_expires_at: time }: SamlProviderRow): HtmlValue {
  if (time === null) return undefined
  if (time.getTime() < Date.now())
    return html`<p class="aside">
      The certificate expired on ${day(time)}. Sign-ins still work, but the provider may have changed its key: save its
      current certificate.
    </p>`
  return html`<p class="aside">
    The certificate expires on ${day(time)}. Before the provider changes its key, save both certificates, one below the
    other. Both are accepted.
  </p>`
}

function teamField({ teams, settings }: ProviderParts): Html {
  return html`<label class="field">
    <span>Team for new members</span>
    ${
      teams
        ? html`<select name="team">
            <option value="">none</option>
            ${teams.map(({ id, title }) => html`<option value="${id}" ${id === settings.team && html`selected`}>${title}</option>`)}
          </select>`
        : html`<input name="name" value="${settings.name}" maxlength="${longestTeamTitle}" autocomplete="off" />`
    }
  </label>`
}

const deleting = (place: Place, { path, form, provider, leaving }: ProviderParts) =>
  asking(
    'Delete this identity provider',
    html`<form method="post" action="${place.link(`${path}/single-sign-on/${provider.id}/delete`)}" class="review-ask">
      ${hidden({ form })}
      <p>Delete “${provider.label}”? ${whoIsLeftOut(leaving)}</p>
      <button class="btn danger">Delete provider</button>
    </form>`,
  )

function whoIsLeftOut(leaving: Leaving): Html {
  const { through, shutOut } = leaving
  const { count, isOwn } = through
  const more = count - through.names.length
  const names = [...through.names, ...(more > 0 ? [`${more.toLocaleString('en')} more`] : [])].join(', ')
  return html`${
    count === 0
      ? 'Nobody has signed in through it yet.'
      : html`${counted(count, 'member')} signed in through it${isOwn && ', you among them'}: ${names}. They are signed
        out at once, and stay members.`
  }
  ${
    shutOut > 0 &&
    html`<strong
        >No other provider works, and ${counted(shutOut, 'member')} must use single sign-on: they could no longer sign
        in.</strong
      >
      Administrators can still sign in ${withCodes(leaving)}.`
  }
  ${shutOut === 0 && count > 0 && otherWays(leaving)}`
}

function otherWays(leaving: Leaving): string {
  if (!leaving.hasOther) return `They sign in ${withCodes(leaving)}.`
  const through = 'They sign in through another of your identity providers, with the same address'
  return leaving.isInsisted ? `${through}.` : `${through}, or ${withCodes(leaving)}.`
}

const withCodes = ({ sendsMail }: Leaving) =>
  sendsMail ? 'with a mailed code' : 'with a code from the operator of this server, as it sends no mail'
