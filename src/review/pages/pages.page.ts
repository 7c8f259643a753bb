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
 * Where a page or a reusable content is written, and a group or a link is given another title. Undefined where they may
 * not.
 */
export function editAddress(place: Place, parts: ReviewParts, entry: Entry): string | undefined {
  if (!mayWrite(parts)) return undefined
  const texts = textsWith(entry)
  if (texts) return place.link(`${parts.path}/${texts.folder}/${entry.entry}`)
  return pageData(entry).type === 'computed' ? undefined : place.link(`${parts.path}/pages/${entry.entry}/title`)
}

/** For those who write: all pages there are, what can be done with each, and a new one. */
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

/** What became of a page is said where it stands, for that is what somebody looks at. */
export const isSaidInList = (parts: ReviewParts): boolean =>
  parts.done !== undefined && parts.pages.at !== undefined && mayWrite(parts)

/** Those that were looked for stand for themselves: none of them is beside another. */
const isTree = ({ sought, shown }: SoughtPages) => sought === '' && shown.length > 1

const howToMove = 'Drag a page by its handle to its new place. With the keyboard: Alt and the arrow keys on the handle.'

/** A script moves pages by the form that each of them has, to where it says. */
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
