import { hidden, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { LoadedChanges } from '../../pages/changes.ts'
import { changesShown } from '../changes/changes.page.ts'
import { type Around, buttonsWithBack, withinPage } from '../within.page.ts'

/** What a change request does to a page that it did not make. */
export interface Undone {
  id: string
  title: string
  isDeleted: boolean
  changes: LoadedChanges
  /** What the question is about: nothing else is undone. */
  seen: string
}

/** Of a page that is as in the main content there is nothing to undo. */
export function undoPage(place: Place, around: Around, { id, title, isDeleted, changes, seen }: Undone): Html {
  const { path, form } = around
  const heading = isDeleted ? `Bring back “${title}”?` : `Undo what is changed of “${title}”?`
  if (changes.changes.length === 0)
    return withinPage(place, around, heading, html`<p>This change request changes nothing of it.</p>`)
  return withinPage(
    place,
    around,
    heading,
    html`<p>
        ${
          isDeleted
            ? 'It comes back as it was, with the pages that were below it.'
            : 'Its text, title, settings and place are those of the main content again, as this change request has found it. What is written here of it is lost:'
        }
      </p>
      ${!isDeleted && html`<section aria-label="Changes" class="review-changes">${changesShown(place, changes, new Map(), path)}</section>`}
      <form ${writingOver(place.link(`${path}/~/pages/${id}/undo`))} class="fields review-place">
        ${hidden({ form, seen })}
        ${buttonsWithBack(
          place,
          path,
          isDeleted
            ? html`<button class="btn primary">Bring it back</button>`
            : html`<button class="btn danger">Undo all of it</button>`,
        )}
      </form>`,
  )
}
