import { type Html, html } from '../http/html.ts'
import { rows } from './rows.ts'

/** More would not be read by anybody. */
const mostShown = 200

/** What an import left out, and why. */
export function leftOut(skipped: readonly { source: string; reason: string }[]): Html {
  const items = skipped.slice(0, mostShown).map(
    ({ source, reason }) =>
      html`<li>
        <span class="row-main"><strong>${source}</strong> <span class="row-more">${reason}</span></span>
      </li>`,
  )
  return html`<section aria-label="Not imported">
    <h2>What was not imported, or only partly</h2>
    ${rows(items, '', skipped.length - items.length)}
  </section>`
}
