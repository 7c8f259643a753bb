import { recordChange } from '../changes/record.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { about } from './actions.ts'
import { type ChangeRequest, touchChangeRequest } from './queries.ts'
import { type ReviewRow, findReview, insertReview } from './reviews.queries.ts'

/** About a change request that is locked: so the revision that is reviewed is the one the reviewer names, or none. */
export async function submitReview(
  tx: Transaction,
  row: ChangeRequest,
  review: Pick<ReviewRow, 'status' | 'comment' | 'reviewer_id'>,
): Promise<ReviewRow> {
  const id = newId()
  await insertReview(tx, row, { ...review, id })
  await touchChangeRequest(tx, row)
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'change-request.reviewed' })
  return (await findReview(tx, row, id))!
}
