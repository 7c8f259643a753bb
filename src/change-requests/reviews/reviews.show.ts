import type { Static } from 'typebox'
import type { Place } from '../../comments/place.ts'
import { listCommentsOfReviews } from '../../comments/queries.ts'
import type { Format } from '../../comments/schema.ts'
import { commentPresenter } from '../../comments/show.ts'
import type { Db } from '../../db/connect.ts'
import type { App } from '../../http/routes.ts'
import type { ChangeRequest } from '../queries.ts'
import { presentReview } from './reviews.present.ts'
import type { ReviewRow } from './reviews.queries.ts'
import type { Review } from './reviews.schema.ts'

export async function showReview(
  app: App,
  db: Db,
  place: Place,
  changeRequest: ChangeRequest,
  row: ReviewRow,
  format?: Format,
) {
  return (await reviewPresenter(app, db, place, changeRequest, [row], format))(row)
}

/** Returns a function that presents these reviews, with the comments submitted along with them. */
export async function reviewPresenter(
  app: App,
  db: Db,
  place: Place,
  changeRequest: ChangeRequest,
  rows: ReviewRow[],
  format?: Format,
): Promise<(row: ReviewRow) => Static<typeof Review>> {
  const ids = rows.map(({ id }) => id)
  const comments = await listCommentsOfReviews(db, place, ids)
  const present = await commentPresenter(app, db, place, comments, format)
  const byReview = new Map(comments.map((comment) => [comment.review_id, present(comment)]))
  return (row) => presentReview(row, changeRequest, byReview.get(row.id), app.url)
}
