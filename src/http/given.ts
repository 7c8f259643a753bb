import type { FastifyReply } from 'fastify'

/**
 * Wraps an answer that was given, for functions that may also give none. A bare reply would not work: awaiting one that
 * was sent yields nothing, so the caller would answer a second time.
 */
export interface Given {
  reply: FastifyReply
}
