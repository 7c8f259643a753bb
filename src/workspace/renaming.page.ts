import { hidden, writingOver } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'

export interface Renaming {
  action: string
  form: string
  /** The current title, and what the user typed if it was refused. */
  now: string
  typed: string | undefined
  shortest?: number
  longest: number
}

/** The form for changing the title of something. */
export const renamingForm = (place: Place, { action, form, now, typed, shortest = 1, longest }: Renaming): Html =>
  html`<form ${writingOver(place.link(action))} class="fields inline one">
    ${hidden({ form, seen: now })}
    <label class="field grow">
      <span>Title</span>
      <input
        name="title"
        value="${typed ?? now}"
        minlength="${shortest}"
        maxlength="${longest}"
        autocomplete="off"
        required
      />
    </label>
    <button class="btn">Save title</button>
  </form>`
