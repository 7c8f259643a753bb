import { rightsOn } from '../comments/access.ts'
import type { Place } from '../comments/place.ts'
import { type Comment, listComments, listRepliesTo } from '../comments/queries.ts'
import type { App } from '../http/routes.ts'

const mostSaid = 50

/** A comment or reply, and what may be done about it. */
export interface Saying {
  comment: Comment
  may: ReturnType<typeof rightsOn>
}

export interface Said {
  /** From the first to the last, each with what was replied. */
  said: (Saying & { replies: Saying[] })[]
  /** How much more there is, which the API lists. */
  moreSaid: number
}

const everything = { order: 'asc', status: 'all', pageId: undefined, authors: undefined } as const

export async function loadSaid(app: App, place: Place): Promise<Said> {
  const { rows, count } = await listComments(app.db, place, everything, { limit: mostSaid, after: undefined })
  const said = rows.slice(0, mostSaid)
  const answered = said.filter(({ replies }) => replies > 0).map(({ id }) => id)
  const replies = Map.groupBy(await listRepliesTo(app.db, place, answered, mostSaid), ({ parent_id }) => parent_id!)
  const saying = (comment: Comment): Saying => ({ comment, may: rightsOn(comment, place) })
  return {
    said: said.map((comment) => ({ ...saying(comment), replies: (replies.get(comment.id) ?? []).map(saying) })),
    moreSaid: Math.max(0, count - said.length),
  }
}

/** All that was written there, for whoever draws it. */
export const textsIn = ({ said }: Said): string[] =>
  said.flatMap(({ comment, replies }) => [comment.markdown, ...replies.map((reply) => reply.comment.markdown)])
