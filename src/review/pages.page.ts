import { hidden } from '../account/parts.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { Place } from '../front/layout.ts'
import { type HtmlValue, html } from '../http/html.ts'
import { pageData } from '../pages/entry-data.ts'
import { type ReviewParts, isOpen } from './parts.ts'

/** Undefined where they may not write there. */
export function editAddress(place: Place, parts: ReviewParts, page: Entry): string | undefined {
  const mayWrite = parts.rights.edit && isOpen(parts) && pageData(page).type === 'document'
  return mayWrite ? place.link(`${parts.path}/pages/${page.entry}`) : undefined
}

/** For those who write: all pages there are, and a new one. */
export function pagesOf(place: Place, parts: ReviewParts): HtmlValue {
  const { rights, path, form, pages } = parts
  if (!rights.edit || !isOpen(parts)) return undefined
  return html`<section aria-label="Pages">
    <details class="review-pages">
      <summary class="btn">Edit other pages, or add one</summary>
      <ul role="list">
        ${pages.shown.map(({ page, depth }) => {
          const { title } = pageData(page)
          const href = editAddress(place, parts, page)
          return html`<li data-depth="${Math.min(depth, 6)}">
            ${href === undefined ? html`<span>${title}</span>` : html`<a href="${href}">${title}</a>`}
          </li>`
        })}
      </ul>
      ${pages.more > 0 && html`<p class="none">And ${pages.more} more, which the API lists.</p>`}
      <form method="post" action="${place.link(`${path}/pages`)}" class="fields inline one">
        ${hidden({ form })}
        <label class="field grow">
          <span>Title of a new page</span>
          <input name="title" maxlength="100" autocomplete="off" required />
        </label>
        <button class="btn">Add page</button>
      </form>
    </details>
  </section>`
}
