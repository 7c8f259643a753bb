import { hidden, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { LoadedChanges } from '../../pages/changes.ts'
import { changesShown } from '../changes/changes.page.ts'
import { type Around, buttonsWithBack, withinPage } from '../within.page.ts'

/** What a change request does to a page that it did not create. */
export interface Undone {
  id: string
  title: string
  isDeleted: boolean
  /** Whether the page stays where it is, because its former place no longer exists. */
  staysMoved: boolean
  changes: LoadedChanges
  /** Identifies what the question is about: nothing else is undone. */
  seen: string
}

/** If the page is as in the main content, there is nothing to undo. */
export function undoPage(place: Place, around: Around, undone: Undone): Html {
  const { id, title, isDeleted, staysMoved, changes, seen } = undone
  const { path, form } = around
  const heading = isDeleted ? `Restore “${title}”?` : `Undo the changes to “${title}”?`
  if (changes.changes.length === 0)
    return withinPage(place, around, heading, html`<p>This change request does not change it.</p>`)
  return withinPage(
    place,
    around,
    heading,
    html`<p>
        ${
          isDeleted
            ? 'It is restored as it was, with the pages below it that were deleted.'
            : 'Its text, title, settings and place will again be those of the main content that this change request is based on. These changes are lost:'
        }
      </p>
      ${staysMoved && html`<p>It stays where it is: the page that it was below is deleted, or below it now.</p>`}
      ${!isDeleted && html`<section aria-label="Changes" class="review-changes">${changesShown(place, changes, new Map(), path)}</section>`}
      <form ${writingOver(place.link(`${path}/~/pages/${id}/undo`))} class="fields review-place">
        ${hidden({ form, seen })}
        ${buttonsWithBack(
          place,
          path,
          isDeleted
            ? html`<button class="btn primary">Restore page</button>`
            : html`<button class="btn danger">Undo changes</button>`,
        )}
      </form>`,
  )
}
