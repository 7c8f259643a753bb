import { rightsOn } from '../comments/access.ts'
import type { Place } from '../comments/place.ts'
import { type Comment, listComments, listRepliesTo } from '../comments/queries.ts'
import type { App } from '../http/routes.ts'
import { type PartAsked, loadPart } from '../workspace/paging.ts'

const mostReplies = 50

/** A comment or reply, and what may be done about it. */
export interface Saying {
  comment: Comment
  may: ReturnType<typeof rightsOn>
}

export interface Said {
  /** The last ones, or those before them, from the first to the last; each with what was replied. */
  said: (Saying & { replies: Saying[] })[]
  /** Which part that is, where it is not the last one: what is done about a comment leads back there. */
  saidPart: string | undefined
  /** Where those before them are, and the last ones, where these are others. */
  saidBefore: string | undefined
  saidLast: string | undefined
}

const newestFirst = { order: 'desc', status: 'all', pageId: undefined, authors: undefined } as const

export async function loadSaid(app: App, place: Place, asked: PartAsked): Promise<Said> {
  const part = await loadPart(
    app,
    asked,
    (page) => listComments(app.db, place, newestFirst, page),
    ({ posted_at, id }) => [posted_at.toISOString(), id],
  )
  const said = part.rows.toReversed()
  const answered = said.filter(({ replies }) => replies > 0).map(({ id }) => id)
  const replies = Map.groupBy(await listRepliesTo(app.db, place, answered, mostReplies), ({ parent_id }) => parent_id!)
  const saying = (comment: Comment): Saying => ({ comment, may: rightsOn(comment, place) })
  return {
    said: said.map((comment) => ({ ...saying(comment), replies: (replies.get(comment.id) ?? []).map(saying) })),
    saidPart: part.first && asked.page,
    saidBefore: part.next,
    saidLast: part.first,
  }
}

/** All that was written there, for whoever draws it. */
export const textsIn = ({ said }: Said): string[] =>
  said.flatMap(({ comment, replies }) => [comment.markdown, ...replies.map((reply) => reply.comment.markdown)])
