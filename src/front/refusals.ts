import type { FastifyReply, FastifyRequest } from 'fastify'
import { weightsIn } from '../http/accept.ts'
import { type ApiError, answerError, inSentence, readError } from '../http/errors.ts'
import { type Html, html } from '../http/html.ts'
import { gate } from './gate.ts'
import type { Place } from './layout.ts'
import { leadToPage, leadWithoutSlash } from './page-instead.ts'
import { placeOf } from './place.ts'
import { policyOfPages } from './policy.ts'

/** Answers a refusal outside the API: people with a browser get a page that says so, programs the error itself. */
export function answerInKind(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ vary: 'accept', 'cache-control': 'private, no-store' })
  if (!takesPages(request)) return leadWithoutSlash(request.server, reply) ?? answerError(error, request, reply)
  const known = readError(error, request)
  const isAtNothing = known.status === 404 || known.status === 405
  return (isAtNothing && leadToPage(request.server, reply)) || answerRefusal(request, reply, known)
}

const answerRefusal = (request: FastifyRequest, reply: FastifyReply, known: ApiError) =>
  reply
    .code(known.status)
    .headers({
      ...known.headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOfPages("'none'"),
      'x-frame-options': 'DENY',
    })
    .send(String(refusalPage(placeOf(request.server), known)))

/**
 * Only browsers name pages in what they accept. A program that accepts anything gets JSON, and so does a client that
 * prefers JSON.
 */
function takesPages({ headers }: FastifyRequest): boolean {
  const weights = weightsIn(headers.accept)
  const [pages = 0, json = 0] = [weights.get('text/html'), weights.get('application/json')]
  return pages > 0 && pages >= json
}

function refusalPage(place: Place, error: ApiError): Html {
  const { status } = error
  return gate(place, {
    title: titleOf(status),
    body: html`<p>${status === 404 ? 'There is no page at this address, or you may not see it.' : inSentence(error)}</p>
      <a class="btn primary big" href="${place.link('/')}">Go to the start page</a>`,
  })
}

export function titleOf(status: number): string {
  if (status === 404) return 'Nothing here'
  if (status === 503) return 'In a moment'
  return status >= 500 ? 'Something went wrong' : 'That did not work'
}
