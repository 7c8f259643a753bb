import { hidden, inField, note, outcome, writingOver } from '../../account/parts.ts'
import { writingScripts } from '../../front/assets.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { frame } from '../../workspace/frame.ts'
import { leadOf, textOf } from '../../workspace/reading/reading.page.ts'
import type { Drawn } from './draft.ts'
import { questionsOf } from './edit.questions.ts'
import type { TextKind } from './edit.texts.ts'
import { toolbar } from './edit.tools.ts'

interface EditParts {
  /** The path of the change request. */
  path: string
  name: string
  texts: TextKind
  title: string
  /** The path of the page. */
  action: string
  form: string
  /** The state of the text that the user started from, a revision that has it, and what was last saved over it. */
  seen: string
  from: string
  base: string
  text: string
  /** Whether that text is not saved anywhere. */
  isUnsaved: boolean
  /** How it is drawn, if that was requested. */
  drawn?: Drawn
  /** For a file that is uploaded from here. */
  mostBytes: number
  /** Whether some site can show it. */
  isShown: boolean
  /** Whether the text contains both sides, between marker lines. */
  isInConflict: boolean
  /** Whether somebody else saved the page since it was opened. */
  isOvertaken: boolean
  done?: string
  error?: string
}

/**
 * Shows one page or reusable content of a change request as Markdown, to be edited. It works without script. With one,
 * the preview is shown beside the text and follows it.
 */
export function editPage(place: Place, parts: EditParts): Html {
  const { path, name, texts, title, action, isInConflict, isOvertaken, done, error } = parts
  return frame(
    place,
    title,
    html`<p class="review-space"><a href="${place.link(path)}">${name}</a></p>
      <h1>${title}</h1>
      ${done !== undefined && note('success', done)}
      ${error !== undefined && outcome('danger', html`${error} ${isOvertaken && openAnew(place, texts, action)}`)}
      ${isInConflict && note('info', inConflict)}
      <p class="aside ${texts.noun === 'page' && 'writing-how'}" id="~how">
        ${texts.noun === 'page' ? howOfPage : howOfReusable(place, path)}
      </p>
      <div class="writing">${writingForm(place, parts)} ${preview(parts)}</div>
      ${questionsOf(texts)}
      <p class="review-beside">
        ${
          texts.noun === 'page'
            ? html`<a href="${place.link(`${action}/place`)}">Move this page</a>
                <a href="${place.link(`${action}/copy`)}">Copy</a>`
            : html`<a href="${place.link(`${action}/title`)}">Rename</a>`
        }
        <a href="${place.link(`${action}/delete`)}">Delete</a>
        <a href="${place.link(`${path}/files`)}" target="_blank" rel="noopener">Files and pictures, in a new tab</a>
        <a href="${place.link(`${path}/~/links`)}" target="_blank" rel="noopener">Links to pages, in a new tab</a>
        <a href="${place.link(`${path}/~/reusable-contents`)}" target="_blank" rel="noopener"
          >Reusable contents, in a new tab</a
        >
      </p>`,
    [],
    html`${writingScripts.map((name) => html`<script src="${place.asset(name)}" defer></script>`)}`,
  )
}

const howOfPage = html`The first line that begins with # is its title. Settings come before it, between two lines of
  <code>---</code>.`

const howOfReusable = (place: Place, path: string) =>
  html`A reusable content: pages that <a href="${place.link(`${path}/~/reusable-contents`)}">include it</a> show this
    text.`

const labels = { page: 'The page as Markdown', 'reusable content': 'The reusable content as Markdown' } as const

function writingForm(place: Place, parts: EditParts): Html {
  const { path, texts, action, form, seen, from, base, text, isUnsaved, isShown, mostBytes } = parts
  const at = (part: string) => place.link(`${path}/${part}`)
  const state = html`data-unsaved="${isUnsaved ? 'unsaved' : ''}"`
  return html`<form ${writingOver(place.link(action))} class="fields review-edit">
    ${hidden({ form, seen, from, base })} ${waysToWrite(texts)}
    ${toolbar(
      { files: at('files'), links: at('~/links'), contents: at('~/reusable-contents'), pasted: at('~/pasted') },
      mostBytes,
    )}
    <label class="field">
      <span>${labels[texts.noun]}</span>
      <textarea name="text" rows="28" aria-describedby="~how" ${state} autofocus>${inField(text)}</textarea>
    </label>
    ${visualField(place.link(`${action}/visual`), texts)}
    <div class="writing-said" role="status"></div>
    <div class="review-buttons">
      <button class="btn primary">Save</button>
      ${isShown && html`<button class="btn" name="next" value="look">Save and preview as a reader</button>`}
      <button class="btn" formaction="${place.link(`${action}/preview#~preview`)}">Preview</button>
      <a class="btn" href="${place.link(path)}">Back without saving</a>
    </div>
  </form>`
}

/** Without script there is only one way of writing, and the settings are in the text. */
const waysToWrite = ({ noun }: TextKind): Html =>
  html`<div class="writing-head js-only">
    ${noun === 'page' && html`<button type="button" class="btn" data-settings>Page settings</button>`}
    <div class="writing-ways" role="group" aria-label="Way of writing">
      <button type="button" data-way="visual" aria-pressed="false">Visual</button>
      <button type="button" data-way="markdown" aria-pressed="true">Markdown</button>
    </div>
  </div>`

/** A script fills it with the page, for visual editing. */
const visualField = (address: string, { noun }: TextKind): Html =>
  html`<div
    class="writing-visual work-text"
    contenteditable="true"
    role="textbox"
    aria-multiline="true"
    aria-label="The ${noun} as it is seen"
    dir="auto"
    data-address="${address}"
    hidden
  ></div>`

/** Without script it is shown only after it was requested. */
const preview = ({ drawn }: EditParts): Html =>
  html`<div class="writing-preview ${drawn ? '' : 'js-only'}" id="~preview">
    <p role="status">${drawn ? 'Preview (not saved yet)' : 'Preparing the preview'}</p>
    <section aria-label="Preview" dir="auto" tabindex="0">${drawn && drawnText(drawn)}</section>
  </div>`

const drawnText = ({ title, description, body }: Drawn): Html =>
  html`<h2>${title}</h2>
    ${description && leadOf(description)} ${textOf(body)}`

const openAnew = (place: Place, { noun }: TextKind, action: string) =>
  html`<a href="${place.link(action)}" target="_blank" rel="noopener">Open the ${noun} as it is now, in a new tab</a>`

const inConflict =
  'This text is in conflict: it contains both sides, between lines that begin with <<<<<<<, ======= and >>>>>>>. Keep what you want, delete these lines, and save.'
