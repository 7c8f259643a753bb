import { isAuthor, rightsOn } from '../../comments/access.ts'
import type { Place } from '../../comments/place.ts'
import { type Comment, listComments, listCommentsOnPages, listRepliesTo } from '../../comments/queries.ts'
import { writeToken } from '../../http/paging.ts'
import type { App } from '../../http/routes.ts'
import { nilId } from '../../ids.ts'
import { type Part, type PartAsked, loadPart } from '../../workspace/paging.ts'

const mostReplies = 50

/** A comment or reply, and what the current user may do about it. */
export interface Saying {
  comment: Comment
  /** `reword`: to edit the text, which only its author can do. */
  may: ReturnType<typeof rightsOn> & { reword: boolean }
}

/** A comment with its replies. */
export type Conversation = Saying & { replies: Saying[] }

export interface Said {
  /** The last comments, or an earlier part of them, the oldest first. */
  said: Conversation[]
  /** The comments on pages whose changes are shown, by the id of the page. They are shown beside these changes. */
  saidBeside: ReadonlyMap<string, Conversation[]>
  /** The part that is shown, if it is not the last one: actions on a comment lead back to it. */
  saidPart: string | undefined
  /** The addresses of the part before it, and of the last part if that is another one. */
  saidBefore: string | undefined
  saidLast: string | undefined
}

const newestFirst = { order: 'desc', status: 'all', pageId: undefined, authors: undefined } as const

/**
 * Limits for one page, in each state, and for all pages together, because each comment has its replies and forms. The
 * remaining ones are shown among all comments.
 */
const mostBeside = { ofPage: 20, inAll: 100 }

const loadComments = (app: App, place: Place, asked: PartAsked): Promise<Part<Comment>> =>
  loadPart(
    app,
    asked,
    (page) => listComments(app.db, place, newestFirst, page),
    ({ posted_at, id }) => [posted_at.toISOString(), id],
  )

/** `pageIds`: the pages whose changes are shown. */
export async function loadSaid(app: App, place: Place, asked: PartAsked, pageIds: string[]): Promise<Said> {
  const part = await loadComments(app, place, asked)
  const said = part.rows.toReversed()
  const beside = await listCommentsOnPages(app.db, place, pageIds, mostBeside)
  const answered = [...beside, ...said].filter(({ replies }) => replies > 0).map(({ id }) => id)
  const all = await listRepliesTo(app.db, place, [...new Set(answered)], mostReplies)
  const replies = Map.groupBy(all, ({ parent_id }) => parent_id!)
  const conversation = (comment: Comment): Conversation => ({
    ...sayingOf(place, comment),
    replies: (replies.get(comment.id) ?? []).map((reply) => sayingOf(place, reply)),
  })
  return {
    said: said.map(conversation),
    saidBeside: Map.groupBy(beside.map(conversation), ({ comment }) => comment.page_id!),
    saidPart: part.first && asked.page,
    saidBefore: part.next,
    saidLast: part.first,
  }
}

/**
 * Returns the part of the comments shown at `path` that contains a comment, however many were added since. Undefined if
 * it is among the last ones.
 */
export async function findPartOf(app: App, place: Place, path: string, comment: Comment): Promise<string | undefined> {
  const { rows } = await loadComments(app, place, { path })
  if (rows.some(({ id }) => id === comment.id)) return undefined
  // The comment is the last one of its part, except for others of the same millisecond.
  const behind = new Date(comment.posted_at.getTime() + 1).toISOString()
  return writeToken({ server: app, url: path, query: {} }, [behind, nilId])
}

function sayingOf(place: Place, comment: Comment): Saying {
  const may = rightsOn(comment, place)
  return { comment, may: { ...may, reword: may.edit && isAuthor(comment, place) } }
}

/** Returns all comments on the page, wherever they are shown. */
export const everyConversation = ({ said, saidBeside }: Said): Conversation[] => [
  ...[...saidBeside.values()].flat(),
  ...said,
]

/** The same, with all replies. */
export const everySaying = (said: Said): Saying[] => everyConversation(said).flatMap((each) => [each, ...each.replies])
