import { type Html, html } from '../http/html.ts'
import type { Reviewed } from './load.ts'

export interface ReviewParts extends Reviewed, Kept {
  /** Path of the page. Its forms lead to addresses below it. */
  path: string
  form: string
  done?: string
  error?: string
}

/** What the user had entered when their form was refused. */
export interface Kept {
  comment?: string
  /** A comment on a page, or on a line of it. */
  beside?: Beside
  reply?: { to: string; text: string }
  /** A new text for one of their comments or replies. */
  reworded?: Reworded
  about?: About
  /** The e-mail address of the person they want to ask for a review. */
  email?: string
}

export interface Beside {
  page: string
  line: string
  text: string
}

export interface Reworded {
  id: string
  text: string
  /** Identifies the text as it was when the form was opened. */
  seen: string
}

/** Subject and description of a change request, as in its form. */
export interface About {
  subject: string
  description: string
  /** Identifies them as they were when the form was opened. */
  seen: string
}

/** In characters, as form fields count them. */
export const longestComment = 8_000

export const tones = { draft: 'info', open: 'success', merged: 'violet', archived: 'warning' } as const

export const isOpen = ({ access: { changeRequest } }: Pick<ReviewParts, 'access'>) =>
  ['draft', 'open'].includes(changeRequest.status)

export const mayWrite = (parts: Pick<ReviewParts, 'access' | 'rights'>) => parts.rights.edit && isOpen(parts)

/** Messages about what was just done with a comment. */
export const doneAbout = {
  said: 'Comment posted.',
  replied: 'Reply posted.',
  resolved: 'Comment resolved.',
  unresolved: 'Comment reopened.',
  reworded: 'Comment saved.',
  deleted: 'Deleted.',
}

export const mentionsExplained = (sendsMail: boolean): Html =>
  html`<p class="aside">
    @ and a name or an e-mail address mentions somebody who may read this
    space${sendsMail ? ', and they get a mail' : ''}.
  </p>`
