import { recordChange } from '../../changes/record.ts'
import { updateRows } from '../../content/merge/rows.ts'
import type { Transaction } from '../../db/transaction.ts'
import { failpoint } from '../../failpoints.ts'
import { type Line, commit } from '../../revisions/lines.ts'
import { about } from '../actions.ts'
import { countOpenConflicts, insertConflicts } from '../conflicts/conflicts.queries.ts'
import { addContribution } from '../contributors.queries.ts'
import { requireLevels } from './levels.ts'
import { branchOutcome } from './outcome.ts'
import { requireSpecsSeen } from './specs-seen.ts'
import { type ChangeRequest, mainHeadOf, setAncestor } from '../queries.ts'

export interface UpdateAnswer {
  revision: string
  result: 'update' | 'conflicts'
}

/**
 * Brings the changes on main into a change request whose branch is locked. Main needs no lock: the revision read here
 * never changes. Conflicts are stored as records that somebody has to settle. While there are any, nothing is brought
 * in, since conflict markers would end up inside conflict markers.
 */
export async function updateFromMain(tx: Transaction, row: ChangeRequest, branch: Line): Promise<UpdateAnswer> {
  const revision = branch.head.id
  if (row.status === 'merged') return { revision, result: 'update' }

  const main = mainHeadOf(row)
  const open = await countOpenConflicts(tx, branch)
  if (open > 0) return { revision, result: 'conflicts' }
  if (branch.head.base!.seq === main.seq) return { revision, result: 'update' }

  const outcome = await branchOutcome(tx, branch.head, main)
  await requireLevels(tx, main, outcome)
  await requireSpecsSeen(tx, branch, tx.by.actorId, outcome)
  const updated = await commit(tx, branch, {
    type: 'update',
    parents: [...new Set([branch.head.id, main.id])],
    rows: updateRows(outcome.overlay, outcome),
    bodies: outcome.bodies,
    baseSeq: main.seq,
  })
  failpoint('update.written')
  await insertConflicts(tx, updated, outcome.conflicts)
  setAncestor(tx, row, main.id)
  addContribution(tx, row, 'edit')
  const details = { revision: updated.head.id }
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'change-request.brought-up-to-date', details })
  failpoint('update.recorded')
  return { revision: updated.head.id, result: outcome.conflicts.length > 0 ? 'conflicts' : 'update' }
}
