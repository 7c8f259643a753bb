import { type Html, html } from '../http/html.ts'

/** A list of items with the number of further items, or the text `none` if it is empty. */
export const rows = (items: Html[], none: string, more = 0): Html =>
  html`${
    items.length === 0
      ? html`<p class="none">${none}</p>`
      : html`<ul class="rows" role="list">
          ${items}
        </ul>`
  }
  ${more > 0 && html`<p class="none">And ${more} more. Use the API to list them.</p>`}`

/** How many there are of something, in words. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
