import { conflict } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'

export const longestTitle = 50

/** One emoji may be made of many characters: a flag, a family. */
export const longestEmoji = 50

/** The emoji that stands before the title of a space; nothing takes it away. */
export function emojiIn(text: string): string | null {
  if (text === '') return null
  if ([...text].length > longestEmoji || !formats.emoji!(text))
    throw conflict('Enter one emoji, such as 📘, or leave the icon empty.')
  return text
}

/** What somebody typed, if a space or a collection can be called so. */
export function contentTitleIn(text: string, what: 'space' | 'collection'): string {
  if (text === '' || [...text].length > longestTitle || !formats['one-line']!(text))
    throw conflict(`A ${what} needs a title of at most ${longestTitle} characters.`)
  return text
}
