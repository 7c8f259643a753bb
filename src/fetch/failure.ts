/**
 * Why a fetch failed. The answer of the other server is never disclosed: it may come from a place that the caller
 * cannot reach.
 */
const fetchReasons = {
  'bad-address': 'is not an http or https address without a user and a password',
  'private-address': 'leads to an address that is not public (LECTERN_FETCH_ALLOW can open it)',
  unreachable: 'cannot be reached',
  untrusted: 'has no trusted certificate',
  timeout: 'took too long to answer',
  'too-many-redirects': 'redirects too often',
  'too-large': 'is too large',
  'bad-status': 'responds with an error',
  'bad-answer': 'answers with something that cannot be read',
} as const

export type FetchReason = keyof typeof fetchReasons

export class FetchFailure extends Error {
  readonly reason: FetchReason

  constructor(reason: FetchReason) {
    super(fetchReasons[reason])
    this.reason = reason
  }
}
