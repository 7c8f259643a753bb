import { type Html, html } from '../../content/html/template.ts'
import type { Icons } from '../icons/icons.ts'
import type { Words } from '../words/words.ts'
import type { SiteView } from './view.ts'

export function drawSearchDialog({ search, words }: SiteView, icons: Icons): Html {
  const scopes = search.scopes.map(
    ({ id, title }) => html`<button type="button" value="${id}" aria-pressed="false">${title}</button>`,
  )
  return html`<dialog
    class="search"
    aria-label="${words.search}"
    data-words="${JSON.stringify(scriptWords(words))}"
    data-answers="${search.answers}"
  >
    <div class="search-bar">
      ${icons.draw('search')}<input
        type="text"
        inputmode="search"
        role="combobox"
        aria-label="${words.searchLong}"
        aria-controls="~hits"
        aria-expanded="false"
        aria-autocomplete="list"
        placeholder="${words.searchLong}"
        autocomplete="off"
        spellcheck="false"
        enterkeyhint="go"
        maxlength="512"
      />
      <button type="button" class="icon-btn" data-search-close aria-label="${words.closeSearch}">
        ${icons.draw('x')}
      </button>
    </div>
    ${
      scopes.length > 1 &&
      html`<div class="scope" role="group" aria-label="${words.searchIn}">
        <button type="button" value="" aria-pressed="true">${words.allSections}</button>${scopes}
      </div>`
    }
    <div class="hits scroll" id="~hits" role="listbox" aria-label="${words.results}" tabindex="-1"></div>
    <div class="sr" role="status" data-count></div>
    <div class="keys" aria-hidden="true">
      <span><kbd>↑</kbd><kbd>↓</kbd> ${words.move}</span><span><kbd>${icons.draw('enter')}</kbd> ${words.open}</span
      ><span><kbd>Ctrl</kbd><kbd>${icons.draw('enter')}</kbd> ${words.newTab}</span
      ><span><kbd>Esc</kbd> ${words.close}</span>
    </div>
  </dialog>`
}

/** The phrases that the script uses. */
function scriptWords(words: Words): Partial<Words> {
  return Object.fromEntries(saidByScript.map((name) => [name, words[name]]))
}

const saidByScript = [
  ...(['allResults', 'onePage', 'manyPages', 'over', 'nothing', 'nothingText'] as const),
  ...(['nothingInSection', 'suggested', 'copied', 'cannotCopy', 'busy', 'busyText', 'silent', 'silentText'] as const),
]
