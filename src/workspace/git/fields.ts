import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { TypedPlace } from './typed.ts'

export type Ways = Record<string, { title: string; more: string }>

/**
 * How the fields for the repository are shown. If one is already known, they are folded away unless something is wrong.
 */
export type PlaceLook = 'plain' | 'folded' | 'open'

export const placeFields = (typed: TypedPlace, look: PlaceLook): Html =>
  look === 'plain' ? repositoryFields(typed) : folded(repositoryFields(typed), look === 'open')

const folded = (fields: Html, isOpen: boolean) =>
  html`<details ${isOpen && html`open`}>
    <summary class="btn">Another repository, branch or folder</summary>
    <div class="fields">${fields}</div>
  </details>`

const repositoryFields = ({ address, branch, folder }: TypedPlace) =>
  html`${field(
      'Address of the repository',
      'Shown by its host under “Clone”, with HTTPS.',
      'address',
      address,
      html`required inputmode="url" placeholder="https://github.com/me/book.git"`,
    )}
    <div class="work-pair">
      ${field('Branch', 'Usually main.', 'branch', branch, html`required maxlength="255"`)}
      ${field('Folder', 'The folder with the pages; empty for the whole repository.', 'folder', folder, html`placeholder="docs"`)}
    </div>`

/** `more` explains what happens to the token. */
export const signInFields = ({ user }: TypedPlace, more: string): Html =>
  html`<div class="work-pair">
    ${field('User name', 'For a private repository (optional).', 'user', user)}
    ${field('Token or password', more, 'token', '', html`type="password"`)}
  </div>`

export const field = (label: string, more: string, name: string, value: string, attributes?: HtmlValue): Html =>
  html`<label class="field">
    <span>${label}</span>
    <input name="${name}" value="${value}" autocomplete="off" ${attributes} />
    <small class="row-more">${more}</small>
  </label>`

export const choices = (name: string, ways: Ways, chosen: string): Html[] =>
  Object.entries(ways).map(
    ([value, { title, more }]) =>
      html`<label class="choice">
        <input type="radio" name="${name}" value="${value}" ${value === chosen && html`checked`} />
        <span class="row-main"><strong>${title}</strong> <span class="row-more">${more}</span></span>
      </label>`,
  )
