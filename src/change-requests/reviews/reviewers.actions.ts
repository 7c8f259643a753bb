import { recordChange } from '../../changes/record.ts'
import type { Transaction } from '../../db/transaction.ts'
import { notFound } from '../../http/errors.ts'
import type { NewMail } from '../../mail/queries.ts'
import { about, changeChangeRequest } from '../actions.ts'
import type { ChangeRequest } from '../queries.ts'
import {
  type ReviewerRow,
  deleteRequestedReviewer,
  findRequestedReviewers,
  upsertRequestedReviewers,
} from './reviewers.queries.ts'

/** Asking for a review means that the change request is ready for one: a draft becomes open. */
export async function requestReviewers(
  tx: Transaction,
  row: ChangeRequest,
  asked: { users: string[]; subject?: string; description?: string | null },
): Promise<ReviewerRow[]> {
  const { users, ...changes } = asked
  await upsertRequestedReviewers(tx, row, users)
  await changeChangeRequest(tx, row, { ...changes, status: 'open' })
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'change-request.review-requested' })
  return findRequestedReviewers(tx, row, users)
}

/** The mails to the people who are asked for a review, except the person who asks. */
export const askingFor = ({ organization_id, id }: ChangeRequest, users: string[], askerId: string): NewMail[] =>
  users
    .filter((userId) => userId !== askerId)
    .map((userId) => ({
      kind: 'review-request',
      organizationId: organization_id,
      userId,
      about: { changeRequest: id },
    }))

export async function removeReviewer(tx: Transaction, row: ChangeRequest, userId: string): Promise<void> {
  if (!(await deleteRequestedReviewer(tx, row, userId))) throw notFound('user')
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'change-request.reviewer-removed' })
}
