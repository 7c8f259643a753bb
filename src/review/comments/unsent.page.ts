import { inField } from '../../account/parts.ts'
import { type Html, html } from '../../http/html.ts'
import { mayTell, wordsOf } from '../about.page.ts'
import { hasBeside } from './beside.page.ts'
import { type ReviewParts, isOpen } from '../parts.ts'
import { everyConversation, everySaying } from './said.load.ts'

/** What somebody wrote that could not be kept: so that they can. */
export const unsentText = (text: string): Html =>
  html`<label class="field review-left">
    <span>What you wrote: copy it, it is kept nowhere else</span>
    <textarea rows="${Math.min(20, text.split('\n').length + 3)}" readonly>${inField(text)}</textarea>
  </label>`

/** The same for a form that the page does not have any more. */
export function unsentOf(parts: ReviewParts): Html[] {
  const { comment, beside, reply, reworded, about } = parts
  const says = everySaying(parts)
  const texts = [
    isOpen(parts) && parts.rights.comment ? undefined : comment,
    hasBeside(parts) ? undefined : beside?.text,
    everyConversation(parts).some((said) => said.comment.id === reply?.to && said.may.reply) ? undefined : reply?.text,
    says.some(({ comment: { id }, may }) => id === reworded?.id && may.reword) ? undefined : reworded?.text,
    mayTell(parts) ? undefined : about && wordsOf(about),
  ]
  return texts.filter((text) => text !== undefined && text.trim() !== '').map((text) => unsentText(text!))
}
