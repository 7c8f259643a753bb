import { FetchFailure } from '../fetch/failure.ts'

/** Why an import, or a part of it, failed: the name of a rule, and a sentence for the user who started it. */
export class ImportFailure extends Error {
  readonly rule: string

  constructor(rule: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.rule = rule
  }
}

/** Returns what was wrong with the source of an import, in one sentence. */
export function reasonOf(error: unknown): { rule: string; message: string } | undefined {
  if (error instanceof ImportFailure) return { rule: error.rule, message: error.message }
  return error instanceof FetchFailure ? { rule: error.reason, message: error.message } : undefined
}
