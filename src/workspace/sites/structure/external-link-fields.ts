import type { Fields } from '../../../account/forms.ts'
import { type Html, html } from '../../../http/html.ts'
import type { LinkRow } from '../../../sites/structure/structure.ts'
import { asSeen } from '../../seen.ts'
import { longestTitle, shortestTitle } from '../site-title.ts'

/** The contents of the forms for a link among the sections of a site. */
export interface TypedLink {
  title: string
  url: string
  description: string
  icon: string
  /** The menu that it is in, if any. */
  menu: string
  condition: string
  draft: boolean
}

export const typedIn = (fields: Fields): TypedLink => ({
  title: (fields.title ?? '').trim(),
  url: (fields.url ?? '').trim(),
  description: (fields.description ?? '').trim(),
  icon: (fields.icon ?? '').trim(),
  menu: fields.menu ?? '',
  condition: (fields.condition ?? '').trim(),
  draft: fields.draft === 'on',
})

export const asTyped = (row: LinkRow): TypedLink => ({
  title: row.title,
  url: row.url,
  description: row.description ?? '',
  icon: row.icon ?? '',
  menu: row.group_id ?? '',
  condition: row.condition ?? '',
  draft: row.draft,
})

/** Identifies the state of a link that a user has seen when they change it. */
export const stateOfLink = (row: LinkRow) => asSeen(Object.values(asTyped(row)))

const longestUrl = 2048
export const longestDescription = 256

/** The required fields of a link. */
export const firstFields = (typed: Pick<TypedLink, 'title' | 'url'> | undefined): Html =>
  html`<label class="field">
      <span>Title</span>
      <input
        name="title"
        value="${typed?.title ?? ''}"
        minlength="${shortestTitle}"
        maxlength="${longestTitle}"
        autocomplete="off"
        required
      />
    </label>
    <label class="field">
      <span>Where it leads</span>
      <input
        name="url"
        type="url"
        value="${typed?.url ?? ''}"
        maxlength="${longestUrl}"
        placeholder="https://"
        autocomplete="off"
        required
      />
    </label>`

export const draftField = (isDraft: boolean): Html =>
  html`<label class="choice">
    <input type="checkbox" name="draft" value="on" ${isDraft && html`checked`} />
    <span class="row-main">
      <span>A draft</span>
      <span class="row-more">Readers do not see it yet. A preview of the site shows it.</span>
    </span>
  </label>`
