import { hidden } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { type PlaceLook, type Ways, choices, field, placeFields, signInFields } from './fields.ts'
import type { Into, Over, TypedSync } from './typed.ts'

interface FormParts {
  action: string
  form: string
  typed: TypedSync
  look: PlaceLook
}

const places = {
  fitting: {
    title: 'Into the main content, if it fits',
    more: 'Where pages were edited here since the last time, it becomes a change request.',
  },
  change: { title: 'Into a change request', more: 'To look at it first.' },
  force: { title: 'Over the main content (force)', more: 'It becomes what the branch says, whatever was edited here.' },
} satisfies Record<Into, Ways[string]>

const overs = {
  nothing: { title: 'If it fits', more: 'Where the branch has changes that were not brought in, nothing is written.' },
  force: { title: 'Over the branch (force)', more: 'Its files become what is here. Its history keeps what they were.' },
} satisfies Record<Over, Ways[string]>

/**
 * One form with two buttons: what is typed about the repository holds for either of them. Enter is for neither: browsers
 * press the first button then, and that one does nothing.
 */
export function syncForm(place: Place, { action, form, typed, look }: FormParts): Html {
  return html`<form method="post" action="${place.link(action)}" class="work-sync">
    ${hidden({ form })} <button hidden disabled></button>
    ${placeFields(typed, look)} ${signInFields(typed, 'Its host makes one. Used now, and not kept.')}
    <fieldset>
      <legend>Bring in from Git</legend>
      <p class="aside">The pages here become what the files of the branch say.</p>
      ${choices('into', places, typed.into)}
      <div><button class="btn primary" name="direction" value="import">Bring in now</button></div>
    </fieldset>
    <fieldset>
      <legend>Write out to Git</legend>
      <p class="aside">The files of the branch become what the pages here say, in one new commit.</p>
      ${choices('over', overs, typed.over)}
      ${field('Message', 'What others read beside the commit.', 'message', typed.message, html`maxlength="500"`)}
      <div><button class="btn" name="direction" value="export">Write out now</button></div>
    </fieldset>
  </form>`
}
