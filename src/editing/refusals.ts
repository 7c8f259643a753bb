import { ApiError, invalid } from '../http/errors.ts'

/** The place of a change in its batch, so that errors can name the field at fault. */
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

  /** The change is valid in itself, but does not fit what exists. */
  conflict(field: string, rule: string, message: string): ApiError {
    const path = this.at(field)
    return new ApiError('conflict', `${path}: ${message}`, { details: [{ path, rule, message }] })
  }

  taken(field: string, message: string): ApiError {
    const path = this.at(field)
    return new ApiError('taken', `${path}: ${message}`, { details: [{ path, rule: 'unique', message }] })
  }
}
