import type { FastifyRequest } from 'fastify'
import { type Fields, fieldsOf } from '../account/forms.ts'
import { onlyOnce } from '../account/once.ts'
import type { Transaction } from '../db/transaction.ts'

/** Later, somebody has gone back to the form to send it again: perhaps they deleted meanwhile what it had added. */
const mostMs = 60_000

/**
 * What a form adds is there once, although somebody clicked twice. All forms of a page carry the same token: by their
 * addresses they are told apart.
 */
export async function addOnce<Answer>(
  tx: Transaction,
  request: FastifyRequest,
  work: () => Promise<Answer>,
  fields: Fields = fieldsOf(request),
): Promise<Answer> {
  // The answer is kept along with what was added.
  tx.hold()
  const sent = { userId: tx.by.actorId!, fields: { ...fields, url: request.url } }
  const first = async () => ({ answer: await work(), at: Date.now() })
  const { answer } = await onlyOnce(tx, request.server.secrets, sent, first, ({ at }) => Date.now() - at < mostMs)
  return answer
}
