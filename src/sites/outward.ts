import { invalid } from '../http/errors.ts'
import { formats } from '../http/formats.ts'

/** What the API and the database keep of an address. */
const longest = 2048

/** An address out of a site, in the one way in which it is written; `at` is where the request has it. */
export function checkedAddress(text: string, at: string): string {
  if (!formats['http-url']!(text)) {
    throw invalid(at, 'format', 'must be an address that starts with http:// or https://')
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw invalid(at, 'format', 'must not contain a name or password')
  // What stands in it in other letters is longer when it is encoded.
  if (url.href.length > longest) throw invalid(at, 'maxLength', `must not have more than ${longest} characters`)
  return url.href
}
