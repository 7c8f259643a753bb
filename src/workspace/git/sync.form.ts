import { hidden } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { Into, Over, TypedSync } from './typed.ts'

interface FormParts {
  action: string
  form: string
  typed: TypedSync
  /** How the fields of the repository look: where there is one, they are out of the way unless something is wrong. */
  look: 'plain' | 'folded' | 'open'
}

type Ways = Record<string, { title: string; more: string }>

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
    ${look === 'plain' ? repositoryFields(typed) : folded(repositoryFields(typed), look === 'open')}
    <div class="work-pair">
      ${field('User name', 'For a private repository. May be empty.', 'user', typed.user)}
      ${field('Token or password', 'Its host makes one. Used now, and not kept.', 'token', '', html`type="password"`)}
    </div>
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

const folded = (fields: Html, isOpen: boolean) =>
  html`<details ${isOpen && html`open`}>
    <summary class="btn">Another repository, branch or folder</summary>
    <div class="fields">${fields}</div>
  </details>`

const repositoryFields = ({ address, branch, folder }: TypedSync) =>
  html`${field(
      'Address of the repository',
      'Its host shows it under “Clone”, with HTTPS.',
      'address',
      address,
      html`required inputmode="url" placeholder="https://github.com/me/book.git"`,
    )}
    <div class="work-pair">
      ${field('Branch', 'Which line of versions. Most have main.', 'branch', branch, html`required maxlength="255"`)}
      ${field('Folder', 'The one with the pages; empty for all of it.', 'folder', folder, html`placeholder="docs"`)}
    </div>`

const field = (label: string, more: string, name: string, value: string, attributes?: HtmlValue) =>
  html`<label class="field">
    <span>${label}</span>
    <input name="${name}" value="${value}" autocomplete="off" ${attributes} />
    <small class="row-more">${more}</small>
  </label>`

const choices = (name: string, ways: Ways, chosen: string) =>
  Object.entries(ways).map(
    ([value, { title, more }]) =>
      html`<label class="choice">
        <input type="radio" name="${name}" value="${value}" ${value === chosen && html`checked`} />
        <span class="row-main"><strong>${title}</strong> <span class="row-more">${more}</span></span>
      </label>`,
  )
