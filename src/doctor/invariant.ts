import type { Statement } from '../db/sql.ts'

/** A promise about the data, and a statement that counts where it is broken. */
export interface Invariant {
  promise: string
  broken: Statement<{ count: number }>
}

/** Whatever is counted here is counted over all there is. */
export const invariant = (promise: string, broken: Statement<{ count: number }>): Invariant => ({
  promise,
  broken: broken.asSlow(),
})
