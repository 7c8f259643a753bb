import type { Row } from '../revisions/entries.ts'
import type { Bodies, Line } from '../revisions/lines.ts'

/** A revision that was added to a main line in this transaction. */
export interface MainChange {
  /** The line before and after the revision. */
  before: Line
  after: Line
  /** The rows that the revision wrote. */
  rows: readonly Row[]
  /** Bodies that are already loaded. Any other body that a row refers to is in the database. */
  bodies: Bodies
}
