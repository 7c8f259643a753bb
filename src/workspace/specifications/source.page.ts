import { hidden, inField, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { sizeInWords } from '../../size-in-words.ts'

/** What the user typed before it was refused. A file has to be chosen again. */
export interface TypedSource {
  name: string
  address: string
  text: string
}

export interface SourceForm {
  action: string
  /** The hidden fields. The token is the first one. */
  fields: { form: string; seen?: string }
  mostBytes: number
  typed: TypedSource | undefined
  /** What comes before the other fields. */
  naming?: Html
  button: Html
}

/**
 * The form for where a specification comes from: one of three sources. The file is the last field, so that everything
 * else has already arrived if it is too large.
 */
export const sourceForm = (place: Place, { action, fields, mostBytes, typed, naming, button }: SourceForm): Html =>
  html`<form ${writingOver(place.link(action))} enctype="multipart/form-data" class="fields work-new">
    ${hidden(fields)} ${naming}
    <label class="field">
      <span>Address: fetched from there, and again every six hours</span>
      <input
        name="address"
        type="url"
        value="${typed?.address ?? ''}"
        maxlength="2048"
        placeholder="https://"
        autocomplete="off"
      />
    </label>
    <label class="field">
      <span>Or the text, as JSON or YAML</span>
      <textarea name="text" rows="4" spellcheck="false">${inField(typed?.text)}</textarea>
    </label>
    <label class="field">
      <span>Or a file, of at most ${sizeInWords(mostBytes)}</span>
      <input type="file" name="file" accept=".json,.yaml,.yml,application/json,application/yaml" />
    </label>
    <div>${button}</div>
  </form>`

export const nameField = (typed: TypedSource | undefined): Html =>
  html`<label class="field">
    <span>Name used in pages: lowercase letters, digits and hyphens</span>
    <input
      name="name"
      value="${typed?.name ?? ''}"
      maxlength="100"
      pattern="[a-z0-9]+(-[a-z0-9]+)*"
      title="Lowercase letters, digits and hyphens, such as pet-shop"
      placeholder="pet-shop"
      autocomplete="off"
      autocapitalize="none"
      required
    />
  </label>`
