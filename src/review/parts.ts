import { type Html, html } from '../http/html.ts'
import type { Reviewed } from './load.ts'

export interface ReviewParts extends Reviewed, Kept {
  /** Where the page is: its forms lead below it. */
  path: string
  form: string
  done?: string
  error?: string
}

/** What somebody wrote before their form was refused. */
export interface Kept {
  comment?: string
  /** About a page, or a line of it. */
  beside?: Beside
  reply?: { to: string; text: string }
  /** Other words for a comment or a reply of theirs. */
  reworded?: Reworded
  about?: About
  /** The address of whom they want to ask. */
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
  /** How it read when the form was opened. */
  seen: string
}

/** What a change request says of itself, as a form has it. */
export interface About {
  subject: string
  description: string
  /** What it said when the form was opened. */
  seen: string
}

/** As a field counts them. */
export const longestComment = 8_000

export const tones = { draft: 'info', open: 'success', merged: 'violet', archived: 'warning' } as const

export const isOpen = ({ access: { changeRequest } }: Pick<ReviewParts, 'access'>) =>
  ['draft', 'open'].includes(changeRequest.status)

export const mayWrite = (parts: Pick<ReviewParts, 'access' | 'rights'>) => parts.rights.edit && isOpen(parts)

/** What was just done about a comment, as the page says it. */
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
