import type { Entry } from '../content/merge/entry.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import { pageData } from '../pages/entry-data.ts'
import type { ListedPages } from './first-pages.ts'

/** Deeper ones are shown as if they stood here: lines have an end. */
const deepest = 6

/** Pages as they stand below each other, each with what can be done about it. */
export const treeOf = ({ shown, more }: ListedPages, draw: (page: Entry) => HtmlValue): Html =>
  html`<ul class="review-tree" role="list">
      ${shown.map(({ page, depth }) => html`<li data-depth="${Math.min(depth, deepest)}">${draw(page)}</li>`)}
    </ul>
    ${more > 0 && html`<p class="none">And ${more} more, which the API lists.</p>`}`

const kinds = { document: undefined, group: 'group', link: 'link', computed: 'made by itself' } as const

/** The title of a page; `href` where it can be opened. What is no plain page says what it is. */
export function titled(page: Entry, href?: string): Html {
  const { title, type } = pageData(page)
  const kind = kinds[type]
  return html`<span class="review-title"
    >${href === undefined ? title : html`<a href="${href}">${title}</a>`}${
      kind !== undefined && html` <span class="row-more">${kind}</span>`
    }</span
  >`
}

/** The same to choose from. A list of choices takes no style, so blanks have to say how deep each stands. */
export const choicesOf = ({ shown }: ListedPages, chosen: string | undefined): Html[] =>
  shown.map(
    ({ page, depth }) =>
      html`<option value="${page.entry}" ${page.entry === chosen && html` selected`}>
        ${'\u2003'.repeat(Math.min(depth, deepest)) + pageData(page).title}
      </option>`,
  )
