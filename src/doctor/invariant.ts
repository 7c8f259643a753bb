import type { Statement } from '../db/sql.ts'

/** A promise about the data, and a statement that counts the violations. */
export interface Invariant {
  promise: string
  broken: Statement<{ count: number }>
}

/** Each of these statements counts over whole tables, so it is run as a slow one. */
export const invariant = (promise: string, broken: Statement<{ count: number }>): Invariant => ({
  promise,
  broken: broken.asSlow(),
})
