import type { Entry } from '../../content/merge/entry.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { Place } from '../../front/layout.ts'
import { searchText } from '../../workspace/search-text.ts'
import type { ListedPages, SoughtPages } from './first-pages.ts'

/** Deeper pages are shown at this depth, because the width of a line is limited. */
const deepest = 6

/** What a script and an anchor need in a list, and in each page of it. */
interface Marks {
  list?: HtmlValue
  of?: (page: Entry) => Html
}

/** Shows pages as an indented list, each with its actions. */
export const treeOf = (
  { shown, more }: ListedPages,
  draw: (page: Entry) => HtmlValue,
  { list, of }: Marks = {},
): HtmlValue =>
  shown.length > 0 &&
  html`<ul class="review-tree" role="list" ${list}>
      ${shown.map(({ page, depth }) => {
        const at = Math.min(depth, deepest)
        return of
          ? html`<li data-depth="${at}" ${of(page)}>${draw(page)}</li>`
          : html`<li data-depth="${at}">${draw(page)}</li>`
      })}
    </ul>
    ${more > 0 && html`<p class="none">And ${more} more: search by title.</p>`}`

/** Above this number, nobody wants to look through all pages. */
const many = 20
export const isMany = ({ all }: SoughtPages): boolean => all > many
const longestSought = 100

/** `path`: the page that shows the list. */
export function pageFinder(place: Place, path: string, pages: SoughtPages): HtmlValue {
  const { sought, all, shown } = pages
  if (!isMany(pages) && sought === '') return undefined
  return html`<form method="get" action="${place.link(path)}#pages" class="fields inline one" role="search">
      <label class="field grow">
        <span>Find a page by its title</span>
        <input name="find" type="search" value="${sought}" maxlength="${longestSought}" autocomplete="off" />
      </label>
      <button class="btn">Find</button>
    </form>
    ${
      sought !== '' &&
      html`<p class="aside">
        ${shown.length === 0 && 'No title contains these words.'}
        <a href="${place.link(path)}#pages">All ${all} pages</a>
      </p>`
    }`
}

/** Reads the search text from the address that the form leads to. */
export function soughtIn({ query }: { query: unknown }): string {
  const { find } = query as { find?: unknown }
  return searchText(find, longestSought)
}

const kinds = { document: undefined, group: 'group', link: 'link', computed: 'generated' } as const

/**
 * The title of a page, as a link if `href` is given. Pages of another type are labelled with it, and hidden ones as
 * hidden.
 */
export function titled(page: Entry, href?: string): Html {
  const { title, type, hidden } = pageData(page)
  const kind = [kinds[type], hidden === true ? 'hidden' : undefined].filter((word) => word !== undefined).join(', ')
  return html`<span class="review-title"
    >${href === undefined ? title : html`<a href="${href}">${title}</a>`}${
      kind !== '' && html` <span class="row-more">${kind}</span>`
    }</span
  >`
}

/** The same as a list of choices. Options cannot be styled, so spaces indicate the depth. */
export const choicesOf = (
  { shown }: ListedPages,
  chosen: string | undefined,
  nameOf: (page: Entry) => string = ({ entry }) => entry,
): Html[] =>
  shown.map(
    ({ page, depth }) =>
      html`<option value="${nameOf(page)}" ${nameOf(page) === chosen && html` selected`}>
        ${'\u2003'.repeat(Math.min(depth, deepest)) + pageData(page).title}
      </option>`,
  )
