import type { Caller } from '../access/caller.ts'
import { type SpaceAccess, accessSpace } from '../access/content.ts'
import { type CommentRight, commentRights } from '../access/rights.ts'
import { type ChangeRequestAccess, accessChangeRequest } from '../change-requests/access.ts'
import { branchHeadOf } from '../change-requests/queries.ts'
import type { Db } from '../db/connect.ts'
import { forbidden, notFound } from '../http/errors.ts'
import type { PlaceParams } from './families.ts'
import type { Place } from './place.ts'
import { type Comment, findComment } from './queries.ts'

export async function accessPlace(
  db: Db,
  caller: Caller,
  { spaceId, changeRequestId }: PlaceParams,
  right: 'view' | 'comment',
): Promise<Place> {
  const access =
    changeRequestId === undefined
      ? await accessSpace(db, caller, spaceId, right)
      : await accessChangeRequest(db, caller, { spaceId, changeRequestId }, right)
  return placeOf(access, caller)
}

export function placeOf(access: SpaceAccess | ChangeRequestAccess, caller: Caller): Place {
  const { space, role, main } = access
  const changeRequest = 'changeRequest' in access ? access.changeRequest : undefined
  return {
    organizationId: space.organization_id,
    spaceId: space.id,
    changeRequestId: changeRequest?.id ?? null,
    at: changeRequest ? branchHeadOf(changeRequest) : main,
    userId: caller.user.id,
    role,
  }
}

/** Returns a comment that was posted in exactly this place. */
export async function accessComment(db: Db, place: Place, commentId: string): Promise<Comment> {
  const row = await findComment(db, place, { id: commentId, parentId: null })
  if (!row) throw notFound('comment')
  return row
}

export async function accessReply(db: Db, place: Place, commentId: string, replyId: string): Promise<Comment> {
  const row = await findComment(db, place, { id: replyId, parentId: commentId })
  if (!row) throw notFound('reply')
  return row
}

export const isAuthor = (row: Pick<Comment, 'author_id'>, { userId }: Place) => row.author_id === userId

export const rightsOn = (row: Pick<Comment, 'author_id'>, place: Place) =>
  commentRights(place.role, isAuthor(row, place))

export function requireRight(row: Comment, place: Place, right: CommentRight, what: string): void {
  if (!rightsOn(row, place)[right]) throw forbidden(what)
}

/** Only the author may change the text of a comment, whatever role others have. */
export function requireAuthor(row: Comment, place: Place): void {
  if (!isAuthor(row, place)) throw forbidden('change the words of somebody else')
}
