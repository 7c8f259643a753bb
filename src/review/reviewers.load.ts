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
/** More are no choice any more, but a search: then whoever asks knows the address. */
const mostPossible = 200

export interface Reviewers {
  /** Whom somebody asked for a review, and the last word of each. */
  asked: { reviewer: ReviewerRow; said: LatestReview | undefined }[]
  moreAsked: number
  /** Who else can be asked; undefined where somebody has to be named by their address. */
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

/** Nobody else is named to a guest, who may not know who belongs to the organization. */
async function listPossible(app: App, { space, role }: ChangeRequestAccess, { membership, user }: Opener) {
  if (!spaceRights(role).edit || !organizationRights(membership).listMembers) return undefined
  const people = await listPossibleReviewers(app.db, space, mostPossible)
  return people?.filter(({ id }) => id !== user.id)
}
