/** Somebody was not signed in. The reason, a word, goes into the record, the message to the person. */
export class RefusedLogin<Reason extends string> extends Error {
  readonly reason: Reason
  readonly status: number

  constructor(reason: Reason, told: { status: number; message: string }, options?: ErrorOptions) {
    super(told.message, options)
    this.reason = reason
    this.status = told.status
  }
}
