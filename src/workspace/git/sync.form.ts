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
    title: 'Into the main content, if possible',
    more: 'If pages were edited here since the last import, it becomes a change request.',
  },
  change: { title: 'Into a change request', more: 'To review it first.' },
  force: { title: 'Over the main content (force)', more: 'It is replaced by the branch, whatever was edited here.' },
} satisfies Record<Into, Ways[string]>

const overs = {
  nothing: { title: 'If possible', more: 'If the branch has changes that were not imported, nothing is exported.' },
  force: {
    title: 'Over the branch (force)',
    more: 'Its files are replaced by what is here. Its history keeps the old ones.',
  },
} satisfies Record<Over, Ways[string]>

/**
 * One form with two buttons, which share what is typed about the repository. Enter triggers neither: browsers then
 * press the first button, which does nothing.
 */
export function syncForm(place: Place, { action, form, typed, look }: FormParts): Html {
  return html`<form method="post" action="${place.link(action)}" class="work-sync">
    ${hidden({ form })} <button hidden disabled></button>
    ${placeFields(typed, look)} ${signInFields(typed, 'Created at the host. It is used once and not stored.')}
    <fieldset>
      <legend>Import from Git</legend>
      <p class="aside">The pages here are replaced by the files of the branch.</p>
      ${choices('into', places, typed.into)}
      <div><button class="btn primary" name="direction" value="import">Import now</button></div>
    </fieldset>
    <fieldset>
      <legend>Export to Git</legend>
      <p class="aside">The files of the branch are replaced by the pages here, in one new commit.</p>
      ${choices('over', overs, typed.over)}
      ${field('Message', 'The commit message.', 'message', typed.message, html`maxlength="500"`)}
      <div><button class="btn" name="direction" value="export">Export now</button></div>
    </fieldset>
  </form>`
}
