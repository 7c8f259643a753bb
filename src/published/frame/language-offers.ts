import { type Html, html } from '../../content/html/template.ts'
import type { Icons } from '../icons/icons.ts'
import { directionOf, hasWords, wordsFor } from '../words/words.ts'
import type { PageView, SiteView } from './view.ts'

/** Each in its own language, and hidden until the script knows that of the reader. Without it, the menu has them all. */
export function drawLanguageOffers({ home }: SiteView, offers: PageView['offers'], icons: Icons): Html[] {
  return offers.map(({ language, href }) => {
    const words = wordsFor(language)
    return html`<aside
      class="offer"
      lang="${language}"
      dir="${directionOf(language)}"
      aria-label="${words.language}"
      data-site="${home}"
      hidden
    >
      <a href="${href}" hreflang="${language}">${hasWords(language) ? words.available : nameOf(language)}</a>
      <button type="button" class="icon-btn" aria-label="${words.dismiss}">${icons.draw('x')}</button>
    </aside>`
  })
}

/** What a language calls itself. */
function nameOf(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
}
