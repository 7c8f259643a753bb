import { Conflicts, type Revisions } from './conflicts.ts'
import type { Entry, Row } from './entry.ts'
import type { Lookups } from './lookups.ts'

export type MergeInput = {
  /** What the branch changed: its net rows. Rows with state 2 have no effect. */
  overlay: readonly Row[]
  /** The revisions of branch and main, from which the ids of conflicts are derived. */
  revisions: Revisions
  /** Returns the hash by which the database identifies a body. */
  hash(markdown: string): string
}

/** The state of a merge in progress. */
export class Draft {
  readonly input: MergeInput
  readonly lookups: Lookups
  readonly conflicts: Conflicts
  /** The merged state of the entries that the merge touches; null means deleted. All other entries are as on main. */
  readonly entries = new Map<string, Entry | null>()
  /** Bodies that neither side had. */
  readonly bodies = new Map<string, string>()
  /** Link texts that the two sides bound to different targets, by entry. */
  readonly unbound = new Map<string, string[]>()

  constructor(input: MergeInput, lookups: Lookups) {
    this.input = input
    this.lookups = lookups
    this.conflicts = new Conflicts(input.revisions)
  }

  /** Returns the parent of an entry in the result so far, or null if the entry does not exist. */
  parentOf(entry: string): string | null {
    const merged = this.entries.get(entry)
    return merged === undefined ? this.lookups.parentOf(entry) : (merged?.parent ?? null)
  }
}
