import { ApiError, invalid } from '../http/errors.ts'

/** Where a change stands in its batch, so that a refusal can name what is to blame. */
export class ChangePath {
  readonly #path: string

  constructor(index: number) {
    this.#path = `body.changes.${index}`
  }

  at(field: string): string {
    return `${this.#path}.${field}`
  }

  invalid(field: string, rule: string, message: string): ApiError {
    return invalid(this.at(field), rule, message)
  }

  /** What is asked for is fine in itself, and does not fit what is there. */
  conflict(field: string, rule: string, message: string): ApiError {
    const path = this.at(field)
    return new ApiError('conflict', `${path}: ${message}`, { details: [{ path, rule, message }] })
  }

  taken(field: string, message: string): ApiError {
    const path = this.at(field)
    return new ApiError('taken', `${path}: ${message}`, { details: [{ path, rule: 'unique', message }] })
  }
}
