import { hidden, inField, note } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import { frame } from '../workspace/frame.ts'

interface EditParts {
  /** Of the change request. */
  path: string
  subject: string
  title: string
  /** Of the page. */
  action: string
  form: string
  seen: string
  text: string
  /** Whether some site can show it. */
  isShown: boolean
  error?: string
}

/** One page of a change request, as Markdown. It works without script. */
export function editPage(place: Place, parts: EditParts): Html {
  const { path, subject, title, action, form, seen, text, isShown, error } = parts
  return frame(
    place,
    title,
    html`<p class="review-space"><a href="${place.link(path)}">${subject}</a></p>
      <h1>${title}</h1>
      ${error !== undefined && note('danger', error)}
      <form method="post" action="${place.link(action)}" class="fields review-edit">
        ${hidden({ form })}<input type="hidden" name="seen" value="${seen}" />
        <label class="field">
          <span>The page as Markdown</span>
          <textarea name="text" rows="28" spellcheck="true">${inField(text)}</textarea>
        </label>
        <div class="review-buttons">
          <button class="btn primary">Save</button>
          ${isShown && html`<button class="btn" name="next" value="look">Save, and see it as its readers will</button>`}
          <a class="btn" href="${place.link(path)}">Back without saving</a>
        </div>
      </form>
      <p class="review-beside">
        <a href="${place.link(`${action}/place`)}">Move this page</a>
        <a href="${place.link(`${action}/delete`)}">Delete it</a>
        <a href="${place.link(`${path}/files`)}" target="_blank" rel="noopener">Files and pictures, in a new tab</a>
      </p>`,
  )
}
