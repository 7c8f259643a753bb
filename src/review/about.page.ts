import { hash } from 'node:crypto'
import { buttonForm, hidden, inField, note, noteWith, writingOver } from '../account/parts.ts'
import type { ChangeRequest } from '../change-requests/queries.ts'
import { longestSubject } from '../change-requests/subject.ts'
import type { Place } from '../front/layout.ts'
import { type HtmlValue, html } from '../http/html.ts'
import { type About, type ReviewParts, mayWrite } from './parts.ts'

/** The description of a change request. */
export function aboutOf({ access, texts }: ReviewParts): HtmlValue {
  const { description } = access.changeRequest
  return description && html`<div class="review-about">${texts.get(description)}</div>`
}

/** Subject and description as one text, for a user who has to copy it. */
export const wordsOf = ({ subject, description }: About) =>
  [subject, description].filter((text) => text.trim() !== '').join('\n\n')

export const mayTell = ({ access, rights }: ReviewParts) => rights.edit && access.changeRequest.status !== 'merged'

/** Identifies the current state, to detect whether somebody else has changed it since. */
export const stateOfAbout = ({ subject, description }: Pick<ChangeRequest, 'subject' | 'description'>) =>
  hash('sha256', JSON.stringify([subject, description]), 'base64url')

/** For users who can edit: the form to change subject and description. */
export function tellingOf(place: Place, parts: ReviewParts): HtmlValue {
  const { access, path, form, about } = parts
  const { changeRequest } = access
  if (!mayTell(parts)) return undefined
  const { subject, description } = about ?? changeRequest
  const seen = about?.seen ?? stateOfAbout(changeRequest)
  return html`<details class="review-telling" ${about && 'open'}>
    <summary class="btn quiet">Edit subject and description</summary>
    <form ${writingOver(place.link(`${path}/about`))} class="fields">
      ${hidden({ form, seen })}
      <label class="field">
        <span>Subject</span>
        <input name="subject" value="${subject}" maxlength="${longestSubject}" autocomplete="off" />
      </label>
      <label class="field">
        <span>Description (Markdown)</span>
        <textarea name="description" rows="8" data-unsaved>${inField(description)}</textarea>
      </label>
      <div class="review-buttons"><button class="btn primary">Save</button></div>
    </form>
  </details>`
}

/** Tells everybody that a change request is archived. Users who can edit can reopen it. */
export function reopeningOf(place: Place, { access: { changeRequest }, rights, path, form }: ReviewParts): HtmlValue {
  if (changeRequest.status !== 'archived') return undefined
  const words = 'It is archived: its pages cannot be changed, and it cannot be reviewed or merged until it is reopened.'
  if (!rights.edit) return note('info', words)
  const reopening = buttonForm(place, { action: `${path}/open`, fields: { form }, label: 'Reopen' })
  return noteWith('info', `${words} Everything in it is kept.`, reopening)
}

/** The form to archive a change request without merging it. */
export function archivingOf(place: Place, parts: ReviewParts): HtmlValue {
  const { path, form } = parts
  if (!mayWrite(parts)) return undefined
  return html`<section aria-label="Archive">
    <details class="review-archive">
      <summary class="btn">Archive this change request</summary>
      <form method="post" action="${place.link(`${path}/archive`)}" class="review-ask">
        ${hidden({ form })}
        <p>
          Archive without merging? It can no longer be changed and leaves the list of open change requests. Its content
          is kept, and you can reopen it from the list of merged and archived ones.
        </p>
        <button class="btn danger">Archive</button>
      </form>
    </details>
  </section>`
}
