import { type HtmlValue, html } from '../../http/html.ts'
import { type Step, addressBelow, pathOf } from '../../sites/addresses.ts'
import { isOpen } from './audiences.ts'
import type { BuiltParts } from './site.parts.ts'

/** Where readers find a part of a site, in short form. It is a link if the plain address opens the site. */
export function whereIn({ address, seen }: BuiltParts, ...steps: (Step | null)[]): HtmlValue {
  const short = shortOf(steps)
  return isOpen(seen.site) ? html`at <a href="${addressBelow(address, ...steps)}">${short}</a>` : html`at ${short}`
}

/** The same for a draft, which readers do not find there yet. */
export const whereLater = (...steps: (Step | null)[]): HtmlValue => html`at ${shortOf(steps)} once it is shown`

function shortOf(steps: (Step | null)[]): HtmlValue {
  const path = decodeURIComponent(pathOf(...steps))
  return path === '' ? 'the address of the site' : html`<code>…/${path}</code>`
}

/** The same with the full address, if that address opens the site. */
export function addressIn(parts: BuiltParts, ...steps: (Step | null)[]): HtmlValue {
  if (!isOpen(parts.seen.site)) return whereIn(parts, ...steps)
  const address = addressBelow(parts.address, ...steps)
  return html`<a href="${address}">${address}</a>`
}
