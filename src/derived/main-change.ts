import type { Row } from '../revisions/entries.ts'
import type { Bodies, Line } from '../revisions/lines.ts'

/** One revision that was added to a main line, in this transaction. */
export interface MainChange {
  /** The line before and after it. */
  before: Line
  after: Line
  /** The rows that it wrote. */
  rows: readonly Row[]
  /** Texts that are at hand. What a row names beyond them is in the database. */
  bodies: Bodies
}
