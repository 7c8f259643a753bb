import { recordChange } from '../changes/record.ts'
import type { Transaction } from '../db/transaction.ts'
import { invalid, notFound } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { addCommenter, countComments, withdrawCommenters } from './counters.ts'
import { emojiName } from './emoji.ts'
import type { Place } from './place.ts'
import {
  type Comment,
  countAuthors,
  countReply,
  deleteRow,
  findComment,
  insertComment,
  updateResolved,
  updateText,
} from './queries.ts'
import { countReactionsBy, deleteReactions, insertReactions } from './reactions.queries.ts'
import { type Target, wholePlace } from './target.ts'

const mostReactions = 20

export async function postComment(
  tx: Transaction,
  place: Place,
  draft: { markdown: string; target: Target; reviewId?: string },
): Promise<Comment> {
  const { markdown, target, reviewId = null } = draft
  const row = await insert(tx, place, { parent_id: null, markdown, review_id: reviewId, ...target })
  countComments(tx, place, { open: 1, resolved: 0 })
  recordChange(tx, { ...about(row), action: 'comment.posted' })
  return row
}

export async function postReply(
  tx: Transaction,
  place: Place,
  commentId: string,
  draft: { markdown: string },
): Promise<Comment> {
  if (!(await countReply(tx, place, commentId, 1))) throw notFound('comment')
  const row = await insert(tx, place, { parent_id: commentId, ...draft, review_id: null, ...wholePlace })
  recordChange(tx, { ...about(row), action: 'comment-reply.posted' })
  return row
}

type Said = Pick<Comment, 'parent_id' | 'markdown' | 'review_id'> & Target

async function insert(tx: Transaction, place: Place, said: Said): Promise<Comment> {
  tx.leaveRights()
  const id = newId()
  const [, row] = await Promise.all([
    insertComment(tx, place, { ...said, id, author_id: place.userId, revision_id: place.at.id }),
    findComment(tx, place, { id, parentId: said.parent_id }),
  ])
  addCommenter(tx, place)
  return row!
}

export interface Changes {
  markdown?: string | undefined
  resolved?: boolean | undefined
  addedReactions?: string[] | undefined
  removedReactions?: string[] | undefined
}

/** Requires the comment or reply to be locked. Setting a value that it already has is not a change. */
export async function changeComment(tx: Transaction, place: Place, row: Comment, asked: Changes): Promise<Comment> {
  tx.leaveRights()
  const { markdown, resolved } = asked
  const fields: string[] = []
  if (markdown !== undefined && markdown !== row.markdown) {
    await updateText(tx, row, markdown)
    fields.push('body')
  }
  if (resolved !== undefined && resolved !== (row.resolved_at !== null)) {
    await updateResolved(tx, row, resolved ? place.userId : null)
    countComments(tx, place, resolved ? { open: -1, resolved: 1 } : { open: 1, resolved: -1 })
    fields.push('resolved')
  }
  if (await changeReactions(tx, place, row, asked)) fields.push('reactions')
  if (fields.length === 0) return row

  recordChange(tx, {
    ...about(row),
    action: row.parent_id === null ? 'comment.updated' : 'comment-reply.updated',
    fields,
  })
  return (await findComment(tx, place, { id: row.id, parentId: row.parent_id }))!
}

/** An emoji that is both to be added and to be removed is removed. */
async function changeReactions(tx: Transaction, { userId }: Place, row: Comment, asked: Changes): Promise<boolean> {
  const { addedReactions: added = [], removedReactions: removed = [] } = asked
  const names = new Set(removed.map(emojiName))
  const staying = added.filter((emoji) => !names.has(emojiName(emoji)))
  const gone = removed.length > 0 ? await deleteReactions(tx, row, userId, removed) : 0
  const come = staying.length > 0 ? await insertReactions(tx, row, userId, staying) : 0
  if (come > 0 && (await countReactionsBy(tx, row, userId)) > mostReactions) {
    throw invalid('body.addedReactions', 'maxItems', `at most ${mostReactions} different reactions per person`)
  }
  return gone + come > 0
}

/** Deletes a comment with its replies and all reactions. Requires the comment to be locked. */
export async function deleteComment(tx: Transaction, place: Place, row: Comment): Promise<void> {
  tx.leaveRights()
  const authors = await countAuthors(tx, row)
  await deleteRow(tx, row)
  // In the same order as when a comment is posted, so that transactions do not block each other.
  withdrawCommenters(tx, place, authors)
  countComments(tx, place, row.resolved_at === null ? { open: -1, resolved: 0 } : { open: 0, resolved: -1 })
  recordChange(tx, { ...about(row), action: 'comment.deleted' })
}

/** Deletes a reply. Requires its comment to be locked. */
export async function deleteReply(tx: Transaction, place: Place, row: Comment): Promise<void> {
  tx.leaveRights()
  await deleteRow(tx, row)
  await countReply(tx, place, row.parent_id!, -1)
  withdrawCommenters(tx, place, new Map([[row.author_id, 1]]))
  recordChange(tx, { ...about(row), action: 'comment-reply.deleted' })
}

const about = ({ organization_id, id, parent_id, space_id, change_request_id }: Comment) => ({
  organizationId: organization_id,
  target: { type: parent_id === null ? 'comment' : 'comment-reply', id },
  details: {
    space: space_id,
    ...(change_request_id !== null && { changeRequest: change_request_id }),
    ...(parent_id !== null && { comment: parent_id }),
  },
})
