import type { FastifyReply } from 'fastify'

/**
 * An answer that was given, for functions that may also have none. A reply by itself would not do: whoever awaits one
 * gets nothing, once it was sent, and would answer a second time.
 */
export interface Given {
  reply: FastifyReply
}
