import { hidden } from '../../account/parts.ts'
import type { ChangeRequest } from '../../change-requests/queries.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import { frame } from '../../workspace/frame.ts'
import { type Around, buttonsWithBack, withinPage } from '../within.page.ts'
import type { ListedPages } from './first-pages.ts'
import { unlisted } from './place.page.ts'
import { choicesOf } from './tree.page.ts'

/** What the user entered for a copy. */
export interface AskedCopy {
  /** Id of the target space. */
  to: string
  /** Number of the change request there; empty for a new one. */
  change: string
  below: string
  /** Whether the pages below it are copied too. */
  whole: boolean
}

export interface CopyParts {
  page: Entry
  /** How many pages are below it. */
  below: number
  /** Spaces in which the user may write. */
  spaces: readonly Pick<SpaceRow, 'id' | 'title'>[]
  /** Change requests of the target space. */
  changes: readonly ChangeRequest[]
  pages: ListedPages
  asked: AskedCopy
}

export function copyPage(place: Place, around: Around, action: string, parts: CopyParts): Html {
  const { page, spaces } = parts
  const none = html`<p class="none">There is no space you can write in.</p>`
  return withinPage(
    place,
    around,
    `Copy “${pageData(page).title}”`,
    spaces.length === 0
      ? none
      : html`${spaces.length > 1 && spaceForm(place, action, parts)} ${copyForm(place, around, action, parts)}`,
  )
}

/** The other choices depend on the space, so it is chosen first. */
const spaceForm = (place: Place, action: string, { spaces, asked }: CopyParts): Html =>
  html`<form method="get" action="${place.link(action)}#copy" class="fields inline one review-place">
    <label class="field grow">
      <span>Target space</span>
      <select name="to">
        ${spaces.map(
          ({ id, title }) => html`<option value="${id}" ${id === asked.to && html` selected`}>${title}</option>`,
        )}
      </select>
    </label>
    <button class="btn">Choose</button>
  </form>`

function copyForm(place: Place, around: Around, action: string, { below, spaces, changes, pages, asked }: CopyParts) {
  const { path, form } = around
  const into = spaces.find(({ id }) => id === asked.to)
  return html`<form method="post" action="${place.link(action)}" id="copy" class="fields review-place">
    ${hidden({ form, to: asked.to })} ${into && html`<p>Into the space <strong>${into.title}</strong>.</p>`}
    <label class="field">
      <span>Change request</span>
      <select name="change">
        <option value="">A new one</option>
        ${changes.map(
          ({ number, subject }) =>
            html`<option value="${number}" ${String(number) === asked.change && html` selected`}>
              #${number} ${subject}
            </option>`,
        )}
      </select>
    </label>
    <label class="field">
      <span>Parent page</span>
      <select name="below">
        <option value="">None (top level)</option>
        ${choicesOf(pages, asked.below)}
      </select>
    </label>
    ${unlisted(pages)} ${below > 0 && withBelow(below, asked)}
    ${buttonsWithBack(place, path, html`<button class="btn primary">Copy</button>`)}
  </form>`
}

const withBelow = (below: number, { whole }: AskedCopy): Html =>
  html`<label class="choice">
    <input type="checkbox" name="whole" value="on" ${whole && html`checked`} />
    <span class="row-main">
      <span>With ${below === 1 ? 'the page' : `the ${below} pages`} below it</span>
      <span class="row-more">Links between them lead to the copies.</span>
    </span>
  </label>`

/** What could not be copied, shown before the user goes on to the copy. */
export const leftPage = (
  place: Place,
  { title, left, next }: { title: string; left: readonly string[]; next: { label: string; path: string } },
): Html =>
  frame(
    place,
    title,
    html`<h1>${title}</h1>
      <p>Some things could not be copied as they were:</p>
      <ul class="review-named">
        ${left.slice(0, mostNamed).map((each): HtmlValue => html`<li>${each}</li>`)}
      </ul>
      ${left.length > mostNamed && html`<p class="none">And ${left.length - mostNamed} more.</p>`}
      <div class="review-buttons"><a class="btn primary" href="${place.link(next.path)}">${next.label}</a></div>`,
  )

const mostNamed = 50
