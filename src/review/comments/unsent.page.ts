import { inField } from '../../account/parts.ts'
import { type Html, html } from '../../http/html.ts'
import { mayTell, wordsOf } from '../about.page.ts'
import { hasBeside } from './beside.page.ts'
import { type ReviewParts, isOpen } from '../parts.ts'
import { everyConversation, everySaying } from './said.load.ts'
import type { TalkParts } from './said.page.ts'

/** Shows a text that could not be saved, so that its author can copy it. */
export const unsentText = (text: string): Html =>
  html`<label class="field review-left">
    <span>Your text: copy it, it is not saved anywhere</span>
    <textarea rows="${Math.min(20, text.split('\n').length + 3)}" readonly>${inField(text)}</textarea>
  </label>`

/** The same for the text of a form that is no longer on the page. */
export function unsentOf(parts: ReviewParts): Html[] {
  const { comment, beside, about } = parts
  return unsentTexts(
    isOpen(parts) && parts.rights.comment ? undefined : comment,
    hasBeside(parts) ? undefined : beside?.text,
    ...unsentAbout(parts),
    mayTell(parts) ? undefined : about && wordsOf(about),
  )
}

/** The same for the page of a space. */
export const unsentOnSpace = (parts: TalkParts & { mayComment: boolean; comment?: string }): Html[] =>
  unsentTexts(parts.mayComment ? undefined : parts.comment, ...unsentAbout(parts))

/** The texts about a comment that is no longer on the page, or that the user may no longer change. */
function unsentAbout(parts: TalkParts): (string | undefined)[] {
  const { reply, reworded } = parts
  return [
    everyConversation(parts).some((said) => said.comment.id === reply?.to && said.may.reply) ? undefined : reply?.text,
    everySaying(parts).some(({ comment: { id }, may }) => id === reworded?.id && may.reword)
      ? undefined
      : reworded?.text,
  ]
}

const unsentTexts = (...texts: (string | undefined)[]): Html[] =>
  texts.filter((text) => text !== undefined && text.trim() !== '').map((text) => unsentText(text!))
