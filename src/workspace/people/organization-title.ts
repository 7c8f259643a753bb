import { conflict } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'

/** The limits of the API. */
export const shortestTitle = 2
export const longestTitle = 255

export function requireOrganizationTitle(title: string): void {
  const { length } = [...title]
  if (length < shortestTitle || length > longestTitle || !formats['one-line']!(title))
    throw conflict(`An organization needs a title of ${shortestTitle} to ${longestTitle} characters.`)
}
