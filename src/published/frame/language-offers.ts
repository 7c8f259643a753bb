import { type Html, html } from '../../content/html/template.ts'
import type { Icons } from '../icons/icons.ts'
import { directionOf, hasWords, wordsFor } from '../words/words.ts'
import type { PageView, SiteView } from './view.ts'

/**
 * Each offer is in its own language, and hidden until the script knows the reader's language. Without script, the menu
 * has all of them.
 */
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

/** Returns the name of a language in that language. */
function nameOf(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
}
