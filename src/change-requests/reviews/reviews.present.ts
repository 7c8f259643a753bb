import type { Static } from 'typebox'
import type { Comment } from '../../comments/schema.ts'
import { presentUser } from '../../users/present.ts'
import { locationOf } from '../present.ts'
import type { ChangeRequest } from '../queries.ts'
import { type ReviewRow, isCurrent } from './reviews.queries.ts'
import type { Review } from './reviews.schema.ts'

/** Presents a review, with the comment that its reviewer wrote along with it. */
export function presentReview(
  row: ReviewRow,
  changeRequest: ChangeRequest,
  comment: Static<typeof Comment> | undefined,
  url: string,
): Static<typeof Review> {
  return {
    object: 'change-request-review',
    id: row.id,
    revision: row.revision_id,
    reviewer: presentUser(row.reviewer, url),
    ...(row.requested_by && { requestedBy: presentUser(row.requested_by, url) }),
    status: row.status,
    outdated: !isCurrent(row, changeRequest),
    ...(comment && { comment }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    urls: { location: `${locationOf(changeRequest, url)}/reviews/${row.id}` },
  }
}
