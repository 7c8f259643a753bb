import { type ApiError, asApiError, inSentence } from '../http/errors.ts'

export interface Refusal {
  reason: string
  status: number
}

/** What somebody may be told on the page that they are on, of what the database refused as well. All else is no matter of theirs. */
export function refusalOf(error: unknown, say: (error: ApiError) => string = inPlainWords): Refusal {
  const known = asApiError(error)
  if (known.status >= 500) throw error
  return { reason: say(known), status: known.status }
}

/** The same where it is said at the top of a page, far from the field that it is about: `nameOf` knows its name by its path. */
export const naming =
  (nameOf: (path: string) => string | undefined) =>
  (error: ApiError): string => {
    const [detail] = error.details ?? []
    const name = error.type === 'invalid_request' && detail ? nameOf(detail.path) : undefined
    if (name === undefined) return inSentence(error)
    return `${name}${/^(?:must|is)\b/.test(detail!.message) ? ' ' : ': '}${detail!.message}.`
  }

/** Rules for merges have names for programs, and say what they want for people. */
export function inPlainWords(error: ApiError): string {
  const { type, details = [] } = error
  return type === 'merge_rule' && details.length > 0
    ? lacking(details.map(({ message }) => message))
    : inSentence(error)
}

/** What a change request has to have first. */
export const lacking = (wanted: readonly string[]) => `It cannot be merged yet: ${wanted.join('; ')}.`
