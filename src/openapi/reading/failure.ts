import type { SpecErrorCode } from '../schema.ts'

/** Why a specification could not be read. The message is for whoever keeps it here. */
export class SpecFailure extends Error {
  readonly code: SpecErrorCode

  constructor(code: SpecErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /** Whether it is in the text itself. What could not be fetched, or a process that ended, may do better the next time. */
  get isLasting(): boolean {
    return this.code === 'PARSE_ERROR' && this.cause === undefined
  }
}

/** Found while reading: thrown in the process that reads. */
export class Refused extends Error {}
