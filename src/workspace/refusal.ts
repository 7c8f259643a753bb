import { ApiError, inSentence } from '../http/errors.ts'

export interface Refusal {
  reason: string
  status: number
}

/** What somebody may be told on the page that they are on. All else is no matter of theirs. */
export function refusalOf(error: unknown, say: (error: ApiError) => string = inSentence): Refusal {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  return { reason: say(error), status: error.status }
}
