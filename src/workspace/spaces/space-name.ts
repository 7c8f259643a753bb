import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { emojiOf } from '../../published/icons/emoji.ts'

/** The emoji of a space, before its title. */
export const iconOf = ({ emoji }: { emoji: string | null }): HtmlValue =>
  emoji !== null && html`<span aria-hidden="true">${emojiOf(emoji)}</span> `

/** The name of a space as people know it: its emoji and title. */
export const nameOfSpace = (space: { title: string; emoji: string | null }): Html =>
  html`${iconOf(space)}${space.title}`
