import { hidden, note } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import { frame } from './frame.ts'

interface EditParts {
  /** Of the change request. */
  path: string
  title: string
  error?: string
  /** Nothing where there is no page to write. */
  writing?: { form: string; subject: string; seen: string; text: string; action: string }
}

/** One page of a change request, as Markdown. It works without script. */
export function editPage(place: Place, { path, title, error, writing }: EditParts): Html {
  return frame(
    place,
    title,
    html`<p class="review-space">
        <a href="${place.link(path)}">${writing?.subject ?? 'Back to the change request'}</a>
      </p>
      <h1>${title}</h1>
      ${error !== undefined && note('danger', error)} ${writing && form(place, path, writing)}`,
  )
}

/** A line break right behind its beginning is no part of a field: so there is always one. */
const form = (place: Place, path: string, { form, seen, text, action }: NonNullable<EditParts['writing']>) =>
  html`<form method="post" action="${place.link(action)}" class="fields review-edit">
    ${hidden({ form })}<input type="hidden" name="seen" value="${seen}" />
    <label class="field">
      <span>The page as Markdown</span>
      <textarea name="text" rows="28" spellcheck="true">${`\n${text}`}</textarea>
    </label>
    <div class="review-buttons">
      <button class="btn primary">Save</button>
      <a class="btn" href="${place.link(path)}">Back without saving</a>
    </div>
  </form>`
