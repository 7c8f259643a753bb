import { invalid } from '../http/errors.ts'
import { formats } from '../http/formats.ts'

/** The limit of the API and the database for an address. */
const longest = 2048

/** Returns an address outside the site in its normalized form. `at` is its place in the request. */
export function checkedAddress(text: string, at: string): string {
  if (!formats['http-url']!(text)) {
    throw invalid(at, 'format', 'must be an address that starts with http:// or https://')
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw invalid(at, 'format', 'must not contain a name or password')
  // Characters of other scripts get longer when they are encoded.
  if (url.href.length > longest) throw invalid(at, 'maxLength', `must not have more than ${longest} characters`)
  return url.href
}
