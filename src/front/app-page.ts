import { type Html, html } from '../http/html.ts'
import { gate } from './gate.ts'
import type { Place } from './layout.ts'

/** Stands at every address of the authors' app until there is one. It knows nothing of what the address names. */
export function appPage(place: Place): Html {
  return gate(place, {
    title: 'Not here yet',
    description: 'The app for authors is not part of this version.',
    heading: 'The authors’ app is not here yet',
    body: html`<p>
        What this address names can be read and changed through the API today. Once the app is part of Lectern, it opens
        right here.
      </p>
      <a class="btn primary big" href="${place.link('/docs/api')}">Open the API reference</a>`,
    note: html`<a href="${place.link('/')}">About this Lectern</a>`,
  })
}
