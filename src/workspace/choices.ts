import type { Fields } from '../account/forms.ts'
import { type Html, html } from '../http/html.ts'

/** What was chosen of a list, in the order in which it stands on the page; `nameOf` says how a form names each. */
export const chosenIn = (fields: Fields, nameOf: (id: string) => string): string[] =>
  Object.keys(fields).flatMap((name) => (name.startsWith(nameOf('')) ? [name.slice(nameOf('').length)] : []))

/** One of several that exclude each other, as a row with what it means. */
export const oneOf = (name: string, word: string, chosen: string, title: string, more: string): Html =>
  html`<li>
    <label class="choice">
      <input type="radio" name="${name}" value="${word}" ${word === chosen && html`checked`} />
      <span class="row-main"><strong>${title}</strong> <span class="row-more">${more}</span></span>
    </label>
  </li>`
