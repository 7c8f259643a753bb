import type { Static } from 'typebox'
import { parse } from '../content/parse.ts'
import { toDocument } from '../content/to-document.ts'
import { toHtml } from '../content/to-html.ts'
import { presentUser } from '../users/present.ts'
import { rightsOn } from './access.ts'
import type { Place } from './place.ts'
import type { Comment as Row } from './queries.ts'
import type { Reaction } from './reactions.queries.ts'
import type { Comment, CommentReply, Format } from './schema.ts'

/** What an answer depends on besides the row. */
export interface View {
  place: Place
  url: string
  format: Format
  reactions: Reaction[]
}

export type TargetPage = NonNullable<Static<typeof Comment>['target']['page']>

export function presentComment(row: Row, page: TargetPage | undefined, view: View): Static<typeof Comment> {
  const { url } = view
  return {
    object: 'comment',
    ...presentCommon(row, view),
    replies: row.replies,
    target: {
      space: row.space_id,
      revision: row.revision_id,
      ...(row.change_request_id !== null && { changeRequest: row.change_request_id }),
      ...(row.review_id !== null && { review: row.review_id }),
      ...(page && { page }),
      ...(row.node !== null && {
        node: { id: row.node, ...(row.node_preview !== null && { preview: row.node_preview }) },
      }),
    },
    ...(row.resolved_at !== null && row.resolver
      ? { status: 'resolved', resolvedAt: row.resolved_at.toISOString(), resolvedBy: presentUser(row.resolver, url) }
      : { status: 'open' }),
  }
}

export function presentReply(row: Row, view: View): Static<typeof CommentReply> {
  return { object: 'comment-reply', ...presentCommon(row, view) }
}

function presentCommon(row: Row, { place, url, format, reactions }: View) {
  return {
    id: row.id,
    postedBy: presentUser(row.author, url),
    postedAt: row.posted_at.toISOString(),
    ...(row.edited_at !== null && { editedAt: row.edited_at.toISOString() }),
    reactions: reactions.map(({ emoji, count, users }) => ({
      emoji,
      count,
      users: users.map(({ user, reacted_at }) => ({
        user: presentUser(user, url),
        reactedAt: new Date(reacted_at).toISOString(),
      })),
    })),
    body: presentBody(row.markdown, format),
    urls: { location: locationOf(row, url) },
    permissions: rightsOn(row, place),
  }
}

function presentBody(markdown: string, format: Format): Static<typeof Comment>['body'] {
  if (format === 'markdown') return { markdown }
  // After an empty line, so that a comment that begins with a rule is not parsed as front matter.
  const { blocks } = parse(`\n${markdown}`)
  return format === 'html' ? { html: toHtml(blocks) } : { document: toDocument(blocks) }
}

function locationOf({ space_id, change_request_id, parent_id, id }: Row, url: string): string {
  const place = change_request_id === null ? '' : `/change-requests/${change_request_id}`
  const comments = `${url}/v1/spaces/${space_id}${place}/comments`
  return parent_id === null ? `${comments}/${id}` : `${comments}/${parent_id}/replies/${id}`
}
