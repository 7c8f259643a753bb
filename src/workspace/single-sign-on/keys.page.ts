import { buttonForm, day, hidden } from '../../account/parts.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { SamlKeyRow } from '../../saml/keys/keys.queries.ts'
import type { SamlProviderRow } from '../../saml/queries.ts'
import { asking } from '../asking.ts'

interface KeyParts {
  /** The path of the organization. */
  path: string
  form: string
  provider: SamlProviderRow
  /** Our keys for this provider. The one that signs comes first. */
  keys: SamlKeyRow[]
}

/** The keys that we use with a provider, explained for people who have never created one. */
export function keysPart(place: Place, parts: KeyParts): Html {
  const [old, next] = parts.keys
  if (!old) return noKey(place, parts)
  return next ? twoKeys(place, parts, old, next) : oneKey(place, parts, old)
}

const noKey = (place: Place, parts: KeyParts) =>
  html`<p class="aside">
      Some providers accept only signed requests, and some encrypt their answers. For either, Lectern needs its own key.
      It is created here and stays here; the provider gets its certificate.
    </p>
    ${makingForm(place, parts, 'Create key')}`

function oneKey(place: Place, parts: KeyParts, key: SamlKeyRow): Html {
  return html`<div class="work-links">${certificateOf('Certificate of Lectern', key)}</div>
    <p class="aside">
      Give it to the provider as the certificate of this application, for signatures, for encryption or for both.
      Providers that read Lectern’s metadata get it from there. It expires on ${day(key.expires_at)}.
    </p>
    <p class="aside">${standing(parts)}</p>
    ${asking(
      'Replace the key',
      html`<div class="review-ask">
        <p>
          At first both keys are in use, and answers encrypted for either can be read. Give the new certificate to the
          provider, then remove the old key here.
        </p>
        ${makingForm(place, parts, 'Create new key')}
      </div>`,
    )}
    ${
      !parts.provider.sign_requests &&
      removing(
        place,
        parts,
        key,
        'Remove the key',
        'If the provider encrypts its answers, nobody can sign in through it without the key. Turn encryption off there first.',
      )
    }`
}

const twoKeys = (place: Place, parts: KeyParts, old: SamlKeyRow, next: SamlKeyRow) =>
  html`<p class="aside">
      ${standing(parts)} A new key will replace the old one. Give the new certificate to the provider, or have it read
      our metadata again. Then remove the old
      key${parts.provider.sign_requests && ': from then on requests are signed with the new one'}.
    </p>
    <div class="work-links">${certificateOf('New certificate of Lectern', next)}</div>
    <p class="aside">It expires on ${day(next.expires_at)}, the old one on ${day(old.expires_at)}.</p>
    ${removing(
      place,
      parts,
      old,
      'Remove the old key',
      'Answers encrypted for it can no longer be read, so the provider must already use the new certificate.',
    )}
    ${removing(place, parts, next, 'Remove the new key', 'This undoes the creation of the new key.')}`

/** What the key is used for at the moment. */
const standing = ({ provider }: KeyParts): HtmlValue =>
  provider.sign_requests
    ? 'Requests to the provider are signed. Encrypted answers can be read.'
    : 'Requests to the provider are not signed; you can change that above. Encrypted answers can be read.'

const certificateOf = (label: string, { certificate }: SamlKeyRow) => codeBlock(label, html`${certificate}`)

const makingForm = (place: Place, { path, form, provider, keys }: KeyParts, label: string) =>
  buttonForm(place, {
    action: `${path}/single-sign-on/${provider.id}/keys`,
    // If the button is clicked twice, or by two people, only one key is created.
    fields: { form, seen: String(keys.length) },
    label,
  })

const removing = (
  place: Place,
  { path, form, provider }: KeyParts,
  { id }: SamlKeyRow,
  label: string,
  consequence: string,
) =>
  asking(
    label,
    html`<form
      method="post"
      action="${place.link(`${path}/single-sign-on/${provider.id}/keys/${id}/delete`)}"
      class="review-ask"
    >
      ${hidden({ form })}
      <p>${consequence}</p>
      <button class="btn danger">${label}</button>
    </form>`,
  )
