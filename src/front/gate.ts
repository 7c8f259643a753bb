import { type Html, type HtmlValue, html } from '../http/html.ts'
import { mark } from '../look/mark.ts'
import { type IconName, type Place, layout } from './layout.ts'

/** A page with a single card on it. */
export function gate(
  place: Place,
  parts: {
    title: string
    description?: string
    heading?: string
    icons?: IconName[]
    body: HtmlValue
    note?: HtmlValue
  },
): Html {
  return layout({
    place,
    title: `${parts.title} · Lectern`,
    description: parts.description ?? parts.title,
    kind: 'notice',
    icons: parts.icons ?? [],
    head: html`<meta name="robots" content="noindex" />`,
    body: html`<main id="~content" class="plain">
      <div class="gate">
        <div class="gate-card">
          <a class="gate-home" href="${place.link('/')}" aria-label="Lectern">${mark}</a>
          <h1>${parts.heading ?? parts.title}</h1>
          ${parts.body}
        </div>
        ${parts.note !== undefined && html`<p class="gate-note">${parts.note}</p>`}
      </div>
    </main>`,
  })
}
