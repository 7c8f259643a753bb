import { conflict } from '../http/errors.ts'
import { formats } from '../http/formats.ts'

export const shortestTitle = 2
export const longestTitle = 128

/** What somebody typed, if a site can be called so. */
export function siteTitleIn(text: string): string {
  const { length } = [...text]
  if (length < shortestTitle || length > longestTitle || !formats['one-line']!(text))
    throw conflict(`A site needs a title, of ${shortestTitle} to ${longestTitle} characters.`)
  return text
}
