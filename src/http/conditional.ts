import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asSeenBy } from './auth.ts'
import { ApiError } from './errors.ts'

/** A strong ETag for exactly these bytes. */
export function etagOf(bytes: string | Buffer): string {
  return `"${hash('sha1', bytes, 'base64url')}"`
}

/** Sets the ETag of the answer, unless its handler did. */
export function tagAnswer(reply: FastifyReply, payload: string | Buffer): void {
  if (!reply.hasHeader('etag')) reply.header('etag', etagOf(payload))
}

/**
 * Tags an answer that shows more than the state that writes are compared with. If only the additional parts change, the
 * tag differs for caches, but stays the same for a write that follows.
 */
export function tagWithState(request: FastifyRequest, reply: FastifyReply, state: object, shown: object): void {
  const [one, both] = [state, shown].map((each) => etagOf(JSON.stringify(asSeenBy(request, each))).slice(1, -1))
  reply.header('etag', `"${one}.${both}"`)
}

/** Whether the caller of a read already has the answer with this tag. */
export function isKnown({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>, tag: string): boolean {
  const asked = headers['if-none-match']
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && asked !== undefined && lists(asked, tag, true)
}

/**
 * For a write: refuses it if `If-Match` names a state other than the current one. A resource that can be read in
 * several formats has several representations of the same state.
 */
export function requireMatch(request: FastifyRequest, ...representations: object[]): void {
  requireTag(request, () => representations.map((each) => etagOf(JSON.stringify(asSeenBy(request, each)))))
}

/** The same for states that take some work to present: this is done only if the caller sent `If-Match`. */
export async function requireMatchWith(request: FastifyRequest, show: () => Promise<object | object[]>): Promise<void> {
  if (request.headers['if-match'] !== undefined) requireMatch(request, ...[await show()].flat())
}

/** For a write that creates something: a caller who names a state of it has read something else. */
export function requireNoMatch(request: FastifyRequest, what: string): void {
  if (request.headers['if-match'] === undefined) return
  throw new ApiError('precondition_failed', `This ${what} does not exist yet, so nothing matches If-Match.`)
}

/** For when the tag itself is known. */
export function requireTag(request: FastifyRequest, current: () => string | string[]): void {
  const asked = request.headers['if-match']
  if (asked === undefined || asked.trim() === '*') return
  if ([current()].flat().some((tag) => lists(asked, tag, false))) return
  throw new ApiError(
    'precondition_failed',
    'This has changed since you read it. Read it again, then repeat your change.',
  )
}

const aRevision = /"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-gzip|-br)?"/

/** For a write to content: the tag is the id of its current revision. */
export function requireRevision(request: FastifyRequest, id: string): void {
  const asked = request.headers['if-match']?.trim() ?? '*'
  if (asked !== '*' && !aRevision.test(asked)) {
    // A caller who sends the tag of another resource would read that again, and fail again each time.
    const message = 'If-Match must be the id of the revision that you have seen, in quotes.'
    throw new ApiError('precondition_failed', message)
  }
  requireTag(request, () => `"${id}"`)
}

/** The counterpart: tags the answer of such a write with the revision that it created. */
export function tagWithRevision<Answer>(reply: FastifyReply, answer: Answer, revision: string): Answer {
  reply.header('etag', `"${revision}"`)
  return answer
}

function lists(header: string, tag: string, weakToo: boolean): boolean {
  if (header.trim() === '*') return true
  const wanted = withoutSuffix(tag)
  return header.split(',').some((each) => {
    const one = withoutSuffix(each.trim())
    return weakToo ? one === wanted || one === `W/${wanted}` : stateIn(one) === wanted
  })
}

/** Returns the part of a tag from `tagWithState` that a write compares. */
const stateIn = (tag: string) => tag.replace(/\.[\w-]+"$/, '"')

/** A compressed form has the tag of the plain one with a suffix: both name the same state. */
const withoutSuffix = (tag: string) => tag.replace(/-(gzip|br)"$/, '"')
