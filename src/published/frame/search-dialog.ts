import { type Html, html } from '../../content/html/template.ts'
import type { Icons } from '../icons.ts'
import type { SiteView } from './view.ts'

export function drawSearchDialog({ search }: SiteView, icons: Icons): Html {
  const scopes = search.scopes.map(
    ({ id, title }) => html`<button type="button" value="${id}" aria-pressed="false">${title}</button>`,
  )
  return html`<dialog class="search" aria-label="Search" data-answers="${search.answers}" data-results="${search.page}">
    <div class="search-bar">
      ${icons.draw('search')}<input
        type="text"
        inputmode="search"
        role="combobox"
        aria-label="Search the documentation"
        aria-controls="hits"
        aria-expanded="false"
        aria-autocomplete="list"
        placeholder="Search the documentation"
        autocomplete="off"
        spellcheck="false"
        enterkeyhint="go"
        maxlength="512"
      />
      <button type="button" class="icon-btn" data-search-close aria-label="Close search">${icons.draw('x')}</button>
    </div>
    ${
      scopes.length > 1 &&
      html`<div class="scope" role="group" aria-label="Search in">
        <button type="button" value="" aria-pressed="true">All sections</button>${scopes}
      </div>`
    }
    <div class="hits scroll" id="hits" role="listbox" aria-label="Results" tabindex="-1"></div>
    <div class="sr" role="status" data-count></div>
    <div class="keys" aria-hidden="true">
      <span><kbd>↑</kbd><kbd>↓</kbd> move</span><span><kbd>↵</kbd> open</span
      ><span><kbd>Ctrl</kbd><kbd>↵</kbd> new tab</span><span><kbd>Esc</kbd> close</span>
    </div>
  </dialog>`
}
