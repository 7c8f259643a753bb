import type { Static } from 'typebox'
import { parse } from '../content/parse.ts'
import { toDocument } from '../content/to-document.ts'
import { presentUser } from '../users/present.ts'
import { locationOf } from './present.ts'
import type { ChangeRequest } from './queries.ts'
import { type ReviewRow, isCurrent } from './reviews.queries.ts'
import type { Review } from './reviews.schema.ts'

export type Format = 'document' | 'markdown'

export function presentReview(
  row: ReviewRow,
  changeRequest: ChangeRequest,
  url: string,
  format: Format = 'markdown',
): Static<typeof Review> {
  const location = `${locationOf(changeRequest, url)}/reviews/${row.id}`
  return {
    object: 'change-request-review',
    id: row.id,
    revision: row.revision_id,
    reviewer: presentUser(row.reviewer, url),
    ...(row.requested_by && { requestedBy: presentUser(row.requested_by, url) }),
    status: row.status,
    outdated: !isCurrent(row, changeRequest),
    ...(row.comment !== null && { comment: presentComment(row, row.comment, changeRequest, url, location, format) }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    urls: { location },
  }
}

/** In the shape of a comment. There are none yet beside these, so this one cannot be answered, edited or deleted. */
function presentComment(
  row: ReviewRow,
  markdown: string,
  { space_id, id }: ChangeRequest,
  url: string,
  location: string,
  format: Format,
): NonNullable<Static<typeof Review>['comment']> {
  return {
    object: 'comment',
    id: row.id,
    postedBy: presentUser(row.reviewer, url),
    postedAt: row.created_at.toISOString(),
    reactions: [],
    replies: 0,
    body: format === 'document' ? { document: toDocument(parse(markdown).blocks) } : { markdown },
    target: { space: space_id, changeRequest: id, review: row.id, revision: row.revision_id },
    urls: { location },
    permissions: { view: true, edit: false, reply: false, delete: false },
    status: 'open',
  }
}
