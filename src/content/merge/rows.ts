import { gone, sameRow, type Row } from './entry.ts'
import type { MergeOutcome } from './merge.ts'

/**
 * Returns what an update writes to the branch: rows that changed, and state 2 for entries that have become as on main.
 * If only the branch changed an entry, the row that it has is still right.
 */
export function updateRows(overlay: readonly Row[], outcome: MergeOutcome): Row[] {
  const before = new Map(overlay.map((row) => [row.entry, row]))
  const rows = outcome.rows.filter((row) => {
    const old = before.get(row.entry)
    return !old || !sameRow(old, row)
  })
  const differing = new Set(outcome.rows.map((row) => row.entry))
  for (const { entry, kind, state } of overlay) {
    if (state !== 2 && !differing.has(entry)) rows.push(gone(entry, kind, 2))
  }
  return rows
}

/**
 * Returns the overlay that undoes main's revision n: each entry that n changed, as it was before. Merged with n as the
 * base and main's head as theirs, the rows of the outcome are the first revision of a new change request.
 */
export function revertOverlay(changedBy: readonly Row[], before: (entry: string) => Row | null): Row[] {
  return changedBy.map((row) => before(row.entry) ?? gone(row.entry, row.kind, 1))
}
