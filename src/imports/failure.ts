import { FetchFailure } from '../fetch/failure.ts'

/** Why an import cannot be done, or a part of it: a short word, and a sentence for whoever asked for it. */
export class ImportFailure extends Error {
  readonly rule: string

  constructor(rule: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.rule = rule
  }
}

/** What was wrong with what was asked for, in one sentence. */
export function reasonOf(error: unknown): { rule: string; message: string } | undefined {
  if (error instanceof ImportFailure) return { rule: error.rule, message: error.message }
  return error instanceof FetchFailure ? { rule: error.reason, message: error.message } : undefined
}
