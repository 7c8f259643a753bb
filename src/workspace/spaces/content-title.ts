import { conflict } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'

export const longestTitle = 50

/** One emoji may consist of many characters, such as a flag or a family. */
export const longestEmoji = 50

/** Returns the emoji before the title of a space, or null to remove it. Throws if the text is not one emoji. */
export function emojiIn(text: string): string | null {
  if (text === '') return null
  if ([...text].length > longestEmoji || !formats.emoji!(text))
    throw conflict('Enter one emoji, such as 📘, or leave the icon empty.')
  return text
}

/** Returns the title that the user typed. Throws if a space or a collection cannot have it. */
export function contentTitleIn(text: string, what: 'space' | 'collection'): string {
  if (text === '' || [...text].length > longestTitle || !formats['one-line']!(text))
    throw conflict(`A ${what} needs a title of at most ${longestTitle} characters.`)
  return text
}
