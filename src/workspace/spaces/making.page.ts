import { hidden } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { longestTitle } from './content-title.ts'

/** What the user typed before it was refused. */
export interface Typed {
  /** For a new space. */
  title?: string
  /** For a new collection. */
  named?: string
}

/**
 * The forms for a new space and a new collection. `path` is that of an organization, for its top level, or of a
 * collection.
 */
export const makingForms = (place: Place, path: string, form: string, { title, named }: Typed): Html =>
  html`<section aria-label="New space">
      <h2>New space</h2>
      <form method="post" action="${place.link(`${path}/spaces`)}" class="fields inline one">
        ${hidden({ form })}
        <label class="field grow">
          <span>Name of the space</span>
          <input name="title" value="${title ?? ''}" maxlength="${longestTitle}" autocomplete="off" required />
        </label>
        <button class="btn primary">Create space</button>
      </form>
    </section>
    <section aria-label="New collection">
      <h2>New collection</h2>
      <p class="aside">
        A collection contains spaces and other collections. Roles given on it apply to everything in it.
      </p>
      <form method="post" action="${place.link(`${path}/collections`)}" class="fields inline one">
        ${hidden({ form })}
        <label class="field grow">
          <span>Name of the collection</span>
          <input name="title" value="${named ?? ''}" maxlength="${longestTitle}" autocomplete="off" required />
        </label>
        <button class="btn">Create collection</button>
      </form>
    </section>`
