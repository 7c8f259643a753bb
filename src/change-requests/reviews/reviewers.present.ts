import type { Static } from 'typebox'
import { presentUser } from '../../users/present.ts'
import type { ContributorRow } from '../contributors.queries.ts'
import type { ReviewerRow } from './reviewers.queries.ts'
import type { Contributor, RequestedReviewer } from './reviewers.schema.ts'

export function presentRequestedReviewer(row: ReviewerRow, url: string): Static<typeof RequestedReviewer> {
  return {
    object: 'change-request-requested-reviewer',
    revision: row.revision_id,
    ...(row.requested_by && { requestedBy: presentUser(row.requested_by, url) }),
    createdAt: row.created_at.toISOString(),
    kind: 'user',
    user: presentUser(row.person, url),
  }
}

export function presentContributor(row: ContributorRow, url: string): Static<typeof Contributor> {
  return {
    user: presentUser(row.person, url),
    updatedAt: row.updated_at.toISOString(),
    count: row.count,
    actionType: row.action,
  }
}
