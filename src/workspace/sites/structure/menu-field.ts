import { type Html, html } from '../../../http/html.ts'
import type { ShownGroup } from '../../../sites/structure/structure.ts'

/** The form field for whether a section or a link is a tab of its own or in a menu. */
export const menuField = (menus: readonly ShownGroup[], chosen: string): Html =>
  html`<label class="field grow">
    <span>Position in the header</span>
    <select name="menu">
      <option value="">As its own tab</option>
      ${menus.map(
        ({ id, title }) =>
          html`<option value="${id}" ${id === chosen && html`selected`}>In the menu “${title}”</option>`,
      )}
    </select>
  </label>`
