import { type Html, html } from '../http/html.ts'

/** A list of things, how many more there are, or that there is none. */
export const rows = (items: Html[], none: string, more = 0): Html =>
  html`${
    items.length === 0
      ? html`<p class="none">${none}</p>`
      : html`<ul class="rows" role="list">
          ${items}
        </ul>`
  }
  ${more > 0 && html`<p class="none">And ${more} more, which the API lists.</p>`}`
