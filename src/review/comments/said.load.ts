import { isAuthor, rightsOn } from '../../comments/access.ts'
import type { Place } from '../../comments/place.ts'
import { type Comment, listComments, listCommentsOnPages, listRepliesTo } from '../../comments/queries.ts'
import { writeToken } from '../../http/paging.ts'
import type { App } from '../../http/routes.ts'
import { nilId } from '../../ids.ts'
import { type Part, type PartAsked, loadPart } from '../../workspace/paging.ts'

const mostReplies = 50

/** A comment or reply, and what may be done about it. */
export interface Saying {
  comment: Comment
  /** `reword`: to say it in other words, which is for its author alone. */
  may: ReturnType<typeof rightsOn> & { reword: boolean }
}

/** A comment, with what was replied. */
export type Conversation = Saying & { replies: Saying[] }

export interface Said {
  /** The last ones, or those before them, from the first to the last. */
  said: Conversation[]
  /** What was said about the pages whose changes are shown, by the id of the page. These are shown there. */
  saidBeside: ReadonlyMap<string, Conversation[]>
  /** Which part that is, where it is not the last one: what is done about a comment leads back there. */
  saidPart: string | undefined
  /** Where those before them are, and the last ones, where these are others. */
  saidBefore: string | undefined
  saidLast: string | undefined
}

const newestFirst = { order: 'desc', status: 'all', pageId: undefined, authors: undefined } as const

/** Of one page, in each state; and beside all pages, for each has its replies and forms. Others stand among all comments. */
const mostBeside = { ofPage: 20, inAll: 100 }

const loadComments = (app: App, place: Place, asked: PartAsked): Promise<Part<Comment>> =>
  loadPart(
    app,
    asked,
    (page) => listComments(app.db, place, newestFirst, page),
    ({ posted_at, id }) => [posted_at.toISOString(), id],
  )

/** `pageIds`: of the pages whose changes are shown. */
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
 * Where a comment is among those that are shown at `path`, however much was said since. Undefined: among the last
 * ones.
 */
export async function findPartOf(app: App, place: Place, path: string, comment: Comment): Promise<string | undefined> {
  const { rows } = await loadComments(app, place, { path })
  if (rows.some(({ id }) => id === comment.id)) return undefined
  // It is the last one of its part, but for those of the same instant.
  const behind = new Date(comment.posted_at.getTime() + 1).toISOString()
  return writeToken({ server: app, url: path, query: {} }, [behind, nilId])
}

function sayingOf(place: Place, comment: Comment): Saying {
  const may = rightsOn(comment, place)
  return { comment, may: { ...may, reword: may.edit && isAuthor(comment, place) } }
}

/** All comments that are on the page, wherever they stand. */
export const everyConversation = ({ said, saidBeside }: Said): Conversation[] => [
  ...[...saidBeside.values()].flat(),
  ...said,
]

/** The same with all replies. */
export const everySaying = (said: Said): Saying[] => everyConversation(said).flatMap((each) => [each, ...each.replies])
