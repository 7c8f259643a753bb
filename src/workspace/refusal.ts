import { type ApiError, asApiError, inSentence } from '../http/errors.ts'

export interface Refusal {
  reason: string
  status: number
}

/**
 * Returns what may be shown on the page that the user is on, including errors of the database that are translated.
 * Errors with a status of 500 and above are thrown again, because they are not for the user.
 */
export function refusalOf(error: unknown, say: (error: ApiError) => string = inPlainWords): Refusal {
  const known = asApiError(error)
  if (known.status >= 500) throw error
  return { reason: say(known), status: known.status }
}

/**
 * The same for messages at the top of a page, far from the field that they are about. `nameOf` returns the name of the
 * field for its path.
 */
export const naming =
  (nameOf: (path: string) => string | undefined) =>
  (error: ApiError): string => {
    const [detail] = error.details ?? []
    const name = error.type === 'invalid_request' && detail ? nameOf(detail.path) : undefined
    if (name === undefined) return inSentence(error)
    return `${name}${/^(?:must|is)\b/.test(detail!.message) ? ' ' : ': '}${detail!.message}.`
  }

/** Puts an error into words. Merge rules have names for programs, so what they require is shown instead. */
export function inPlainWords(error: ApiError): string {
  const { type, details = [] } = error
  return type === 'merge_rule' && details.length > 0
    ? lacking(details.map(({ message }) => message))
    : inSentence(error)
}

/** Says what a change request needs before it can be merged. */
export const lacking = (wanted: readonly string[]) => `It cannot be merged yet: ${wanted.join('; ')}.`
