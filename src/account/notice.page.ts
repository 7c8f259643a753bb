import { type Html, type HtmlValue, html } from '../http/html.ts'
import { gate } from '../front/gate.ts'
import type { Place } from '../front/layout.ts'

/** Shows a message, and a link to continue. */
export function noticePage(
  place: Place,
  notice: { title: string; text: HtmlValue; link?: { label: string; path: string } },
): Html {
  const { title, text, link = { label: 'To your account', path: '/account' } } = notice
  return gate(place, {
    title,
    body: html`<p>${text}</p>
      <a class="btn primary big" href="${place.link(link.path)}">${link.label}</a>`,
  })
}
