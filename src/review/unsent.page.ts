import { inField } from '../account/parts.ts'
import { type Html, html } from '../http/html.ts'
import { mayTell, wordsOf } from './about.page.ts'
import { type ReviewParts, isOpen } from './parts.ts'

/** What somebody wrote that could not be kept: so that they can. */
export const unsentText = (text: string): Html =>
  html`<label class="field review-left">
    <span>What you wrote: copy it, it is kept nowhere else</span>
    <textarea rows="${Math.min(20, text.split('\n').length + 3)}" readonly>${inField(text)}</textarea>
  </label>`

/** The same for a form that the page does not have any more. */
export function unsentOf(parts: ReviewParts): Html[] {
  const { comment, reply, about } = parts
  const texts = [
    isOpen(parts) && parts.rights.comment ? undefined : comment,
    parts.said.some((said) => said.comment.id === reply?.to && said.may.reply) ? undefined : reply?.text,
    mayTell(parts) ? undefined : about && wordsOf(about),
  ]
  return texts.filter((text) => text !== undefined && text.trim() !== '').map((text) => unsentText(text!))
}
