import { type Html, html } from '../http/html.ts'
import { type Place, layout, mark } from './layout.ts'

/** Stands at every address of the authors' app until there is one. It knows nothing of what the address names. */
export function appPage(place: Place): Html {
  return layout({
    place,
    title: 'Not here yet · Lectern',
    description: 'The app for authors is not part of this version.',
    kind: 'notice',
    icons: [],
    head: html`<meta name="robots" content="noindex" />`,
    body: html`<main id="content" class="plain">
      <div class="gate">
        <div class="gate-card">
          ${mark}
          <h1>The authors’ app is not here yet</h1>
          <p>
            What this address names can be read and changed through the API today. Once the app is part of Lectern, it
            opens right here.
          </p>
          <a class="btn primary big" href="${place.link('/docs/api')}">Open the API reference</a>
        </div>
        <p class="gate-note"><a href="${place.link('/')}">About this Lectern</a></p>
      </div>
    </main>`,
  })
}
