import { organizationRights, spaceRights } from '../access/rights.ts'
import type { ChangeRequestAccess } from '../change-requests/access.ts'
import {
  type ReviewerRow,
  listPossibleReviewers,
  listRequestedReviewers,
} from '../change-requests/reviews/reviewers.queries.ts'
import { type LatestReview, listLatestReviews } from '../change-requests/reviews/reviews.queries.ts'
import type { App } from '../http/routes.ts'
import type { Person } from '../users/present.ts'
import type { Opener } from '../workspace/open.ts'

const mostAsked = 50
/** With more people, a list is no choice but a search. The user then enters an e-mail address instead. */
const mostPossible = 200

export interface Reviewers {
  /** The people asked for a review, each with their latest review. */
  asked: { reviewer: ReviewerRow; said: LatestReview | undefined }[]
  moreAsked: number
  /** Other people who can be asked. Undefined if the user has to enter an e-mail address. */
  possible: Person[] | undefined
}

export async function loadReviewers(app: App, access: ChangeRequestAccess, caller: Opener): Promise<Reviewers> {
  const { changeRequest } = access
  const [{ rows, count }, latest, possible] = await Promise.all([
    listRequestedReviewers(app.db, changeRequest, { limit: mostAsked, after: undefined }),
    listLatestReviews(app.db, changeRequest),
    listPossible(app, access, caller),
  ])
  const said = new Map(latest.map((review) => [review.reviewer_id, review]))
  const asked = rows.slice(0, mostAsked).map((reviewer) => ({ reviewer, said: said.get(reviewer.user_id) }))
  return { asked, moreAsked: count - asked.length, possible }
}

/** Guests are shown no other people, because they may not know who belongs to the organization. */
async function listPossible(app: App, { space, role }: ChangeRequestAccess, { membership, user }: Opener) {
  if (!spaceRights(role).edit || !organizationRights(membership).listMembers) return undefined
  const people = await listPossibleReviewers(app.db, space, mostPossible)
  return people?.filter(({ id }) => id !== user.id)
}
