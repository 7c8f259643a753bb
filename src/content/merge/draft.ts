import { Conflicts, type Revisions } from './conflicts.ts'
import type { Entry, Row } from './entry.ts'
import type { Lookups } from './lookups.ts'

export type MergeInput = {
  /** What the branch changed: its net rows. Those with state 2 say nothing. */
  overlay: readonly Row[]
  /** The revisions of branch and main: ids of conflicts are made from them. */
  revisions: Revisions
  /** How the database names a body. */
  hash(markdown: string): string
}

/** A merge while it is being worked out. */
export class Draft {
  readonly input: MergeInput
  readonly lookups: Lookups
  readonly conflicts: Conflicts
  /** How entries will look where the branch has a say; null is deleted. All else is as on main. */
  readonly entries = new Map<string, Entry | null>()
  /** Bodies that neither side had. */
  readonly bodies = new Map<string, string>()
  /** Link texts that the two sides bound to different things, by entry. */
  readonly unbound = new Map<string, string[]>()

  constructor(input: MergeInput, lookups: Lookups) {
    this.input = input
    this.lookups = lookups
    this.conflicts = new Conflicts(input.revisions)
  }

  /** The parent of an entry in the result so far; null where it is not there. */
  parentOf(entry: string): string | null {
    const merged = this.entries.get(entry)
    return merged === undefined ? this.lookups.parentOf(entry) : (merged?.parent ?? null)
  }
}
