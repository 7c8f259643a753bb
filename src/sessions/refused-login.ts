/** A sign-in was refused. The reason, one word, is recorded, and the message is shown to the user. */
export class RefusedLogin<Reason extends string> extends Error {
  readonly reason: Reason
  readonly status: number

  constructor(reason: Reason, told: { status: number; message: string }, options?: ErrorOptions) {
    super(told.message, options)
    this.reason = reason
    this.status = told.status
  }
}
