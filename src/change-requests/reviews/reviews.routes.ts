import { placeOf } from '../../comments/access.ts'
import { requireRevision } from '../../http/conditional.ts'
import { notFound } from '../../http/errors.ts'
import { byAge, listOf, pageOf, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessChangeRequest, lockUnmerged } from '../access.ts'
import { submitReview } from './reviews.actions.ts'
import { findReview, listReviews } from './reviews.queries.ts'
import { NewReview, Review, ReviewQuery, ReviewsQuery } from './reviews.schema.ts'
import { reviewPresenter, showReview } from './reviews.show.ts'
import { markdownOf } from '../text.ts'

const ofChangeRequest = Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() })
const tags = ['change-requests']

export const reviewRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/reviews',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'getReviewsByChangeRequestId',
        summary: 'List the reviews of a change request',
        tags,
        params: ofChangeRequest,
        querystring: ReviewsQuery,
        response: { 200: listOf(Review), ...refusals },
      },
    },
    async (request) => {
      const access = await accessChangeRequest(app.db, request.caller, request.params, 'view')
      const { changeRequest } = access
      const { format, outdated } = request.query
      const page = pageOf(request)
      const list = await listReviews(app.db, changeRequest, outdated === undefined ? {} : { outdated }, page)
      const rows = list.rows.slice(0, page.limit)
      const place = placeOf(access, request.caller)
      const present = await reviewPresenter(app, app.db, place, changeRequest, rows, format)
      return presentPage(request, page, list, byAge, present)
    },
  )

  app.post(
    '/spaces/:spaceId/change-requests/:changeRequestId/reviews',
    {
      config: { policy: token('space:write', 'the role review in the space') },
      schema: {
        operationId: 'submitChangeRequestReview',
        summary: 'Review a change request',
        description: 'Reviews the current revision; with `If-Match`, exactly that revision.',
        tags,
        params: ofChangeRequest,
        body: NewReview,
        response: { 201: Review, ...refusals },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const access = await accessChangeRequest(app.db, caller, params, 'review')
      const comment = body.comment === undefined ? null : markdownOf(body.comment, 'body.comment') || null

      return write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        requireRevision(request, changeRequest.head_id)
        const place = placeOf({ ...access, changeRequest }, caller)
        const review = await submitReview(tx, place, changeRequest, { status: body.status, comment })
        const { organization_id: organizationId } = changeRequest
        app.mail.tell(tx, { kind: 'said', organizationId, about: { review: review.id } })
        return showReview(app, tx, place, changeRequest, review)
      })
    },
  )

  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/reviews/:reviewId',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'getChangeRequestReviewById',
        summary: 'Get a review',
        tags,
        params: Type.Object({ spaceId: Type.String(), changeRequestId: Type.String(), reviewId: Type.String() }),
        querystring: ReviewQuery,
        response: { 200: Review, ...refusals },
      },
    },
    async (request) => {
      const access = await accessChangeRequest(app.db, request.caller, request.params, 'view')
      const { changeRequest } = access
      const review = await findReview(app.db, changeRequest, request.params.reviewId)
      if (!review) throw notFound('review')
      return showReview(app, app.db, placeOf(access, request.caller), changeRequest, review, request.query.format)
    },
  )
}
