import { type Html, html } from '../../../http/html.ts'
import { iconNames } from '../../../published/icons/icon-names.ts'
import { longestIcon } from '../site-title.ts'

/** The form field for the icon of a part of a site. */
export const iconField = (value: string): Html =>
  html`<label class="field grow">
      <span>Icon name (optional)</span>
      <input
        name="icon"
        value="${value}"
        list="icons"
        maxlength="${longestIcon}"
        placeholder="book"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
      />
    </label>
    <datalist id="icons">${Object.keys(iconNames).map((name) => html`<option value="${name}"></option>`)}</datalist>`
