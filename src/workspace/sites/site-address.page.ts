import { hidden, section, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { asking } from '../asking.ts'
import { type BelowSite, belowSite } from './below-site.ts'
import type { Said } from '../said.ts'

/** What the user typed before it was refused. */
export interface TypedAddress {
  basename?: string
  hostname?: string
}

interface AddressParts extends BelowSite, Said {
  /** The address that readers are given. */
  address: string
  /** The address that always works. */
  main: string
  /** The host name of Lectern itself. */
  host: string
  typed: TypedAddress
}

/** Where readers find a site. */
export function addressPage(place: Place, parts: AddressParts): Html {
  const { address, access } = parts
  const { proxy } = access.site
  return belowSite(
    place,
    parts,
    'Address',
    html`<div class="work-standing">
        <div class="work-where">
          <p>Readers use <code>${address}</code></p>
          ${
            proxy !== null &&
            html`<p class="row-more">
              Your own server shows the site there. This is set through the API and takes precedence over the settings
              here.
            </p>`
          }
        </div>
      </div>
      ${section('name', 'Name in the address', 'The last part of the site’s address.', naming(place, parts))}
      ${section('host', 'Custom domain', 'Such as docs.example.com.', hosting(place, parts))}`,
  )
}

const naming = (place: Place, { path, form, access: { site }, main, typed }: AddressParts) =>
  html`<form ${writingOver(place.link(`${path}/address/name`))} class="fields inline one">
      ${hidden({ form, seen: site.basename })}
      <label class="field grow">
        <span>Name</span>
        <input name="basename" value="${typed.basename ?? site.basename}" autocomplete="off" required />
      </label>
      <button class="btn">Save name</button>
    </form>
    <p class="aside">
      The site is always available at <code>${main}</code>. If you change the name, existing links to the old address
      stop working.
    </p>`

function hosting(place: Place, parts: AddressParts): Html {
  const { path, form, access, typed, host } = parts
  const { hostname } = access.site
  return html`<form ${writingOver(place.link(`${path}/address/host`))} class="fields inline one">
      ${hidden({ form, seen: hostname ?? '' })}
      <label class="field grow">
        <span>Domain</span>
        <input
          name="hostname"
          value="${typed.hostname ?? hostname ?? ''}"
          placeholder="docs.example.com"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          required
        />
      </label>
      <button class="btn">Save domain</button>
    </form>
    <p class="aside">
      Set up two things elsewhere, preferably first: the DNS of the domain points to the same server as
      <code>${host}</code>, and the proxy in front of that server has a certificate for the domain and passes on its
      name. From then on readers are given this address. The other one stays.
    </p>
    ${leaving(place, parts)}`
}

function leaving(place: Place, { path, form, access }: AddressParts): HtmlValue {
  const { hostname } = access.site
  if (hostname === null) return undefined
  return asking(
    'Remove the domain',
    html`<form ${writingOver(place.link(`${path}/address/host/remove`))} class="review-ask">
      ${hidden({ form, seen: hostname })}
      <p>Remove <code>${hostname}</code> from this site? Existing links to it will stop working.</p>
      <button class="btn danger">Remove</button>
    </form>`,
  )
}
