import { conflict } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'

export const longestTitle = 50

/** What somebody typed, if a space or a collection can be called so. */
export function contentTitleIn(text: string, what: 'space' | 'collection'): string {
  if (text === '' || [...text].length > longestTitle || !formats['one-line']!(text))
    throw conflict(`A ${what} needs a title, of at most ${longestTitle} characters.`)
  return text
}
