import { hidden } from '../../account/parts.ts'
import type { Hunk } from '../../content/diff.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import { shortened } from '../../shortened.ts'
import { linesToChoose, nameOfLine } from './changed-lines.ts'
import { type ReviewParts, isOpen } from '../parts.ts'
import { conversation, formPath, wordsField } from './said.page.ts'

/** Whether the current user can comment on a page that exists. */
const mayComment = (parts: ReviewParts) => parts.rights.comment && isOpen(parts)

/** Whether the form still exists that contains what the user wrote about a page. */
export const hasBeside = (parts: ReviewParts) =>
  mayComment(parts) &&
  parts.changes.after.byId.has(parts.beside?.page ?? '') &&
  parts.pagesShown.has(parts.beside!.page)

/** Shows the comments on a page, and the form to add one, beside what changed there. */
export function besideOf(place: Place, parts: ReviewParts, page: Entry, hunks: readonly Hunk[] | undefined): HtmlValue {
  const said = parts.saidBeside.get(page.entry) ?? []
  const mayAdd = mayComment(parts) && parts.changes.after.byId.has(page.entry)
  if (said.length === 0 && !mayAdd) return undefined
  return html`<div class="review-remarks">
    ${
      said.length > 0 &&
      html`<ul class="review-said" role="list" aria-label="Comments on ${pageData(page).title}">
        ${said.map((saying) => conversation(place, parts, saying))}
      </ul>`
    }
    ${mayAdd && commenting(place, parts, page, hunks)}
  </div>`
}

/** Open if a comment was refused, with its text still in the form. */
function commenting(place: Place, parts: ReviewParts, page: Entry, hunks: readonly Hunk[] | undefined): Html {
  const { title } = pageData(page)
  const kept = parts.beside?.page === page.entry ? parts.beside : undefined
  const lines = linesToChoose(hunks)
  return html`<details ${kept && 'open'}>
    <summary class="btn" aria-label="Comment on this page: ${title}">Comment on this page</summary>
    <form method="post" action="${place.link(formPath(parts, parts.path, 'comments'))}" class="fields">
      ${hidden({ form: parts.form, page: page.entry })}
      ${
        lines.length > 0 &&
        html`<label class="field">
          <span>About</span>
          <select name="line">
            <option value="">The page</option>
            ${lines.map((line) => {
              const name = nameOfLine(line)
              return html`<option value="${name}" ${kept?.line === name && 'selected'}>${labelOf(line)}</option>`
            })}
          </select>
        </label>`
      }
      ${wordsField('Your comment (Markdown)', kept?.text)}
      <div class="review-buttons"><button class="btn primary">Comment</button></div>
    </form>
  </details>`
}

const longestLabel = 80

const labelOf = ({ isNew, number, text }: ReturnType<typeof linesToChoose>[number]) =>
  `Line ${number}${isNew ? '' : ' before'}: ${text.length > longestLabel ? `${shortened(text, longestLabel)}…` : text}`
