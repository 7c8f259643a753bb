import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { markdownOf } from '../change-requests/text.ts'
import { requireMatch } from '../http/conditional.ts'
import { type CommentChanges, type Format, formats } from './schema.ts'

/** Returns the new text of a change; an empty body leaves the text as it is. */
export function newText({ body }: Pick<Static<typeof CommentChanges>, 'body'>): string | undefined {
  return body === undefined || Object.keys(body).length === 0 ? undefined : markdownOf(body, 'body.body')
}

/** `If-Match` names the state in the format in which the client read it. */
export async function requireSame(request: FastifyRequest, show: (format: Format) => Promise<object>): Promise<void> {
  if (request.headers['if-match'] === undefined) return
  requireMatch(request, ...(await Promise.all(formats.map(show))))
}
