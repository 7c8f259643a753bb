import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { emojiOf } from '../../published/icons/emoji.ts'

/** The emoji of a space, before its title. */
export const iconOf = ({ emoji }: { emoji: string | null }): HtmlValue =>
  emoji !== null && html`<span aria-hidden="true">${emojiOf(emoji)}</span> `

/** What a space is called, as people know it. */
export const nameOfSpace = (space: { title: string; emoji: string | null }): Html =>
  html`${iconOf(space)}${space.title}`
