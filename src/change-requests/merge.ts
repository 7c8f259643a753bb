import { recordChange } from '../changes/record.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { failpoint } from '../failpoints.ts'
import { conflict } from '../http/errors.ts'
import { type Line, commit, lockLine } from '../revisions/lines.ts'
import { about } from './actions.ts'
import { countOpenConflicts } from './conflicts.queries.ts'
import { addContribution } from './contributors.queries.ts'
import { countMove } from './counters.ts'
import { findMergeRules, requireMergeRules } from './merge-rules.ts'
import { branchOutcome } from './outcome.ts'
import { type ChangeRequest, mainHeadOf, setMerged } from './queries.ts'
import { listLatestReviews } from './reviews.queries.ts'

export interface MergeAnswer {
  /** Main's revision: the new one, or the one there is where conflicts kept it as it was. */
  revision: string
  result: 'merge' | 'conflicts'
}

/**
 * Merges a change request whose branch is locked. Main is held as short as can be: what the merge does is worked out
 * before, and again only if main has moved meanwhile. All of it is one transaction, so readers see main before or
 * after, never between, and two merges at once land one after the other.
 */
export async function mergeChangeRequest(tx: Transaction, row: ChangeRequest, branch: Line): Promise<MergeAnswer> {
  failpoint('merge.locked')
  if (row.status === 'merged') throw conflict('This change request is merged already.')
  if (row.status === 'archived') throw conflict('This change request is archived. Open it again to merge it.')

  const [rules, reviews, open, expected] = await Promise.all([
    findMergeRules(tx, row),
    listLatestReviews(tx, row),
    countOpenConflicts(tx, branch),
    branchOutcome(tx, branch.head, mainHeadOf(row)),
  ])
  const main = await lockLine(tx, row.organization_id, row.main_id)
  failpoint('merge.main-locked')

  requireMergeRules(rules, { row: { ...row, main_head_seq: main.head.seq }, reviews, mergerId: tx.by.actorId })
  const isSame = main.head.seq === row.main_head_seq
  const outcome = isSame ? expected : await branchOutcome(tx, branch.head, main.head)
  if (open > 0 || outcome.conflicts.length > 0) return { revision: main.head.id, result: 'conflicts' }

  const merged = await commit(tx, main, {
    type: 'merge',
    // A branch without a revision of its own stands on main's: that one is named once.
    parents: [...new Set([main.head.id, branch.head.id])],
    rows: outcome.rows,
    bodies: outcome.bodies,
    mergedFrom: row.id,
  })
  failpoint('merge.written')
  setMerged(tx, row, merged.head.id)
  failpoint('merge.marked')
  touchSpace(tx, row)
  addContribution(tx, row, 'edit')
  countMove(tx, row, row.status, 'merged')
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'change-request.merged' })
  failpoint('merge.counted')
  tx.afterCommit(() => failpoint('merge.committed'))
  return { revision: merged.head.id, result: 'merge' }
}

function touchSpace(tx: Transaction, { organization_id, space_id }: ChangeRequest): void {
  tx.runLater(sql`
    update spaces set updated_at = now() where organization_id = ${organization_id} and id = ${space_id}`)
}
