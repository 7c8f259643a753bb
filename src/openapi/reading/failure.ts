import type { SpecErrorCode } from '../schema.ts'

/** Why a specification could not be read. The message is for the people who maintain it here. */
export class SpecFailure extends Error {
  readonly code: SpecErrorCode

  constructor(code: SpecErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /**
   * Whether the failure is caused by the text itself. A failed fetch, or a process that ended, may succeed the next
   * time.
   */
  get isLasting(): boolean {
    return this.code === 'PARSE_ERROR' && this.cause === undefined
  }
}

/** Thrown in the reading process, for a specification that is refused. */
export class Refused extends Error {}
