import type { Fields } from '../account/forms.ts'
import { type Html, html } from '../http/html.ts'

/** Lists what was chosen from a list, in the order of the page. `nameOf` returns the name of the field for an id. */
export const chosenIn = (fields: Fields, nameOf: (id: string) => string): string[] =>
  Object.keys(fields).flatMap((name) => (name.startsWith(nameOf('')) ? [name.slice(nameOf('').length)] : []))

/** One of several options that exclude each other, as a row with its explanation. */
export const oneOf = (name: string, word: string, chosen: string, title: string, more: string): Html =>
  html`<li>
    <label class="choice">
      <input type="radio" name="${name}" value="${word}" ${word === chosen && html`checked`} />
      <span class="row-main"><strong>${title}</strong> <span class="row-more">${more}</span></span>
    </label>
  </li>`
