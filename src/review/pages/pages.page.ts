import type { Entry } from '../../content/merge/entry.ts'
import type { Place } from '../../front/layout.ts'
import { type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import { textsWith } from '../editor/edit.texts.ts'
import { type ReviewParts, mayWrite } from '../parts.ts'
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
  const { path, pages } = parts
  if (!mayWrite(parts)) return undefined
  const isOpen = parts.changes.changes.length === 0 || pages.sought !== ''
  return html`<section aria-label="Pages" class="review-pages" id="pages">
    <details ${isOpen && 'open'}>
      <summary class="btn">Edit pages</summary>
      ${pageFinder(place, path, pages)}
      ${treeOf(
        pages,
        (page) => html`${titled(page, editAddress(place, parts, page))} ${doings(place, `${path}/pages/`, page)}`,
      )}
    </details>
    <a class="btn" href="${place.link(`${path}/pages/new`)}">Add a page</a>
    <a class="btn" href="${place.link(`${path}/files`)}">Files</a>
    <a class="btn" href="${place.link(`${path}/~/reusable-contents`)}">Reusable contents</a>
    <a class="btn" href="${place.link(`${path}/~/variables`)}">Variables</a>
  </section>`
}

function doings(place: Place, base: string, page: Entry) {
  const { title } = pageData(page)
  const at = (what: string) => place.link(`${base}${page.entry}/${what}`)
  return html`<span class="review-doings">
    <a href="${at('place')}" aria-label="Move ${title}">Move</a>
    <a href="${at('copy')}" aria-label="Copy ${title}">Copy</a>
    <a href="${at('delete')}" aria-label="Delete ${title}">Delete</a>
  </span>`
}
