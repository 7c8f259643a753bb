import type { FastifyReply, FastifyRequest } from 'fastify'
import { tagAnswer } from './conditional.ts'

/**
 * Runs before an answer is sent: if the client asked for no body, it only gets the status 204. The tag stays, since it
 * names the state that the client would have read.
 */
export async function answerAsPreferred(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const isAnswer = typeof payload === 'string' && reply.statusCode >= 200 && reply.statusCode < 300
  if (!isAnswer || !request.routeOptions.config.minimal || !prefersNone(request)) return payload
  tagAnswer(reply, payload)
  reply.code(204).header('preference-applied', 'return=minimal').removeHeader('content-type')
  return null
}

function prefersNone({ headers }: FastifyRequest): boolean {
  const wishes = String(headers.prefer ?? '').split(/[,;]/)
  return wishes.some((wish) => wish.trim().toLowerCase() === 'return=minimal')
}
