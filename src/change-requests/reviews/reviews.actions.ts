import { recordChange } from '../../changes/record.ts'
import { postComment } from '../../comments/actions.ts'
import type { Place } from '../../comments/place.ts'
import { wholePlace } from '../../comments/target.ts'
import type { Transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { about } from '../actions.ts'
import { type ChangeRequest, touchChangeRequest } from '../queries.ts'
import { type ReviewRow, findReview, insertReview } from './reviews.queries.ts'

/**
 * Requires the change request to be locked, so that a review is about the revision that the reviewer names, or is
 * refused.
 */
export async function submitReview(
  tx: Transaction,
  place: Place,
  row: ChangeRequest,
  review: Pick<ReviewRow, 'status'> & { comment: string | null },
): Promise<ReviewRow> {
  const { status, comment } = review
  const id = newId()
  await insertReview(tx, row, { id, status, reviewer_id: place.userId })
  if (comment !== null) await postComment(tx, place, { markdown: comment, target: wholePlace, reviewId: id })
  await touchChangeRequest(tx, row)
  recordChange(tx, {
    ...about(row.organization_id, row.id),
    action: 'change-request.reviewed',
    details: { review: id, status },
  })
  return (await findReview(tx, row, id))!
}
