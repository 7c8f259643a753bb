import { pathWith } from '../../account/answer.ts'
import { outcome } from '../../account/parts.ts'
import { type Entry, top } from '../../content/merge/entry.ts'
import type { Place } from '../../front/layout.ts'
import { type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import { textsWith } from '../editor/edit.texts.ts'
import { type ReviewParts, mayWrite } from '../parts.ts'
import type { SoughtPages } from './first-pages.ts'
import { findAgain, placeInList } from './list.ts'
import { pageFinder, titled, treeOf } from './tree.page.ts'

/**
 * Returns the address where a page or a reusable content is edited, or a group or a link renamed. Undefined if there is
 * nothing that the user may edit.
 */
export function editAddress(place: Place, parts: ReviewParts, entry: Entry): string | undefined {
  if (!mayWrite(parts)) return undefined
  const texts = textsWith(entry)
  if (texts) return place.link(`${parts.path}/${texts.folder}/${entry.entry}`)
  return pageData(entry).type === 'computed' ? undefined : place.link(`${parts.path}/pages/${entry.entry}/title`)
}

/** For editors: all pages with their actions, and links to add a page and to the other content. */
export function pagesOf(place: Place, parts: ReviewParts): HtmlValue {
  const { path, pages, done } = parts
  if (!mayWrite(parts)) return undefined
  const isOpen = parts.changes.changes.length === 0 || pages.sought !== '' || pages.at !== undefined
  return html`<section aria-label="Pages" class="review-pages" id="pages">
    <details ${isOpen && 'open'}>
      <summary class="btn">Edit pages</summary>
      ${isSaidInList(parts) && outcome('success', done)} ${pageFinder(place, path, pages)}
      ${isTree(pages) && html`<p class="aside js-only" id="~moving">${howToMove}</p>`}
      ${treeOf(
        pages,
        (page) => html`${titled(page, editAddress(place, parts, page))} ${doings(place, parts, page)}`,
        marksOf(place, parts),
      )}
    </details>
    <a class="btn" href="${place.link(`${path}/pages/new`)}">Add a page</a>
    <a class="btn" href="${place.link(`${path}/files`)}">Files</a>
    <a class="btn" href="${place.link(`${path}/~/reusable-contents`)}">Reusable contents</a>
    <a class="btn" href="${place.link(`${path}/~/variables`)}">Variables</a>
  </section>`
}

/** Whether the outcome is shown in the list of pages, because that is where the user is looking. */
export const isSaidInList = (parts: ReviewParts): boolean =>
  parts.done !== undefined && parts.pages.at !== undefined && mayWrite(parts)

/** Search results are flat: none of them is beside another. */
const isTree = ({ sought, shown }: SoughtPages) => sought === '' && shown.length > 1

const howToMove = 'Drag a page by its handle to its new place. With the keyboard: Alt and the arrow keys on the handle.'

/** Marks for the script that moves pages. It sends the move form that every page has, and shows the result. */
function marksOf(place: Place, { path, pages, form }: ReviewParts): Parameters<typeof treeOf>[2] {
  const list = isTree(pages) && html`data-pages="${place.link(`${path}/pages`)}" data-form="${form}"`
  const tied = ({ entry, parent }: Entry) =>
    isTree(pages) && html`data-page="${entry}" ${parent !== top && html`data-parent="${parent}"`}`
  const of = (page: Entry) =>
    html`id="${placeInList(page.entry)}" ${tied(page)} ${pageData(page).type === 'link' && 'data-leaf'}
    ${page.entry === pages.at && 'data-here'}`
  return { list, of }
}

function doings(place: Place, { path, pages }: ReviewParts, page: Entry) {
  const { title } = pageData(page)
  const at = (what: string) => place.link(pathWith(`${path}/pages/${page.entry}/${what}`, findAgain(pages.sought)))
  return html`<span class="review-doings">
    <a href="${at('place')}" aria-label="Move ${title}">Move</a>
    <a href="${at('copy')}" aria-label="Copy ${title}">Copy</a>
    <a href="${at('delete')}" aria-label="Delete ${title}">Delete</a>
  </span>`
}
