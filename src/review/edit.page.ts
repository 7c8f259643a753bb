import { hidden, inField, note } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import { frame } from '../workspace/frame.ts'

interface EditParts {
  /** Of the change request. */
  path: string
  name: string
  title: string
  /** Of the page. */
  action: string
  form: string
  seen: string
  text: string
  /** Whether some site can show it. */
  isShown: boolean
  /** Whether both sides stand in the text, between marker lines. */
  isInConflict: boolean
  /** Whether somebody else saved the page since it was opened. */
  isOvertaken: boolean
  error?: string
}

/** One page of a change request, as Markdown. It works without script. */
export function editPage(place: Place, parts: EditParts): Html {
  const { path, name, title, action, form, seen, text, isShown, isInConflict, isOvertaken, error } = parts
  // What was refused is kept nowhere else.
  const state = error === undefined ? '' : 'refused'
  return frame(
    place,
    title,
    html`<p class="review-space"><a href="${place.link(path)}">${name}</a></p>
      <h1>${title}</h1>
      ${error !== undefined && note('danger', html`${error} ${isOvertaken && openAnew(place, action)}`)}
      ${isInConflict && note('info', inConflict)}
      <p class="aside" id="how">
        The first line that begins with # is its title. Settings stand above that, between two lines of ---.
      </p>
      <form method="post" action="${place.link(action)}" class="fields review-edit">
        ${hidden({ form })}<input type="hidden" name="seen" value="${seen}" />
        <label class="field">
          <span>The page as Markdown</span>
          <textarea name="text" rows="28" aria-describedby="how" data-unsaved="${state}">${inField(text)}</textarea>
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

const openAnew = (place: Place, action: string) =>
  html`<a href="${place.link(action)}" target="_blank" rel="noopener">Open the page as it is now, in a new tab</a>`

const inConflict =
  'This text is in conflict: both sides stand in it, between lines that begin with <<<<<<<, ======= and >>>>>>>. Leave what is to stay, delete these lines, and save.'
