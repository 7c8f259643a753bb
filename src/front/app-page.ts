import { type Html, html } from '../http/html.ts'
import { gate } from './gate.ts'
import type { Place } from './layout.ts'

/**
 * The page at every address below `/app` that shows nothing, or nothing to the current user. It does not depend on what
 * the address refers to.
 */
export function appPage(place: Place): Html {
  return gate(place, {
    title: 'Nothing to show',
    description: 'Nothing is shown at this address.',
    heading: 'Nothing to show here',
    body: html`<p>
        There is nothing at this address, or you may not see it. Change requests, spaces and sites are reached from your
        account; what has no page here yet can be read and changed through the API.
      </p>
      <a class="btn primary big" href="${place.link('/account')}">Your account</a>`,
    note: html`<a href="${place.link('/docs/api')}">API reference</a>`,
  })
}
