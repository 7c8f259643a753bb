import type { TSchema } from 'typebox'
import { token } from '../http/routes.ts'
import Type from '../http/type.ts'

/**
 * There are comments on a space, and on a change request of it. The operations are the same; only their names and the
 * beginning of their paths differ.
 */
export interface Family {
  base: string
  params: Record<string, TSchema>
  tags: string[]
  /** Completes a summary: "List the comments …". */
  where: string
  operations: Record<'list' | 'post' | 'get' | 'update' | 'delete' | 'commenters', string> &
    Record<'listReplies' | 'postReply' | 'getReply' | 'updateReply' | 'deleteReply', string>
}

/** The path parameters of comments. */
export interface PlaceParams {
  spaceId: string
  changeRequestId?: string
}

export const families: Family[] = [
  {
    base: '/spaces/:spaceId',
    params: { spaceId: Type.String() },
    tags: ['space-comments'],
    where: 'on a space',
    operations: {
      list: 'listCommentsInSpace',
      post: 'postCommentInSpace',
      get: 'getCommentInSpace',
      update: 'updateCommentInSpace',
      delete: 'deleteCommentInSpace',
      listReplies: 'listCommentRepliesInSpace',
      postReply: 'postCommentReplyInSpace',
      getReply: 'getCommentReplyInSpace',
      updateReply: 'updateCommentReplyInSpace',
      deleteReply: 'deleteCommentReplyInSpace',
      commenters: 'listCommentersInSpace',
    },
  },
  {
    base: '/spaces/:spaceId/change-requests/:changeRequestId',
    params: { spaceId: Type.String(), changeRequestId: Type.String() },
    tags: ['change-request-comments'],
    where: 'in a change request',
    operations: {
      list: 'listCommentsInChangeRequest',
      post: 'postCommentInChangeRequest',
      get: 'getCommentInChangeRequest',
      update: 'updateCommentInChangeRequest',
      delete: 'deleteCommentInChangeRequest',
      listReplies: 'listCommentRepliesInChangeRequest',
      postReply: 'postCommentReplyInChangeRequest',
      getReply: 'getCommentReplyInChangeRequest',
      updateReply: 'updateCommentReplyInChangeRequest',
      deleteReply: 'deleteCommentReplyInChangeRequest',
      commenters: 'listCommentersInChangeRequest',
    },
  },
]

export const readPolicy = token('space:read', 'the role read in the space')
export const talkPolicy = token('space:write', 'the role comment in the space')

/** Documents with lists in lists are nested deeper than other request bodies. */
export const bodyDepth = 256
