import type { FastifyRequest } from 'fastify'
import { type Fields, fieldsOf } from '../account/forms.ts'
import { onlyOnce, twoClicksMs } from '../account/once.ts'
import type { Transaction } from '../db/transaction.ts'

/**
 * Adds what a form asks for only once, even after a double click. All forms of a page have the same token, so they are
 * distinguished by their addresses.
 */
export async function addOnce<Answer>(
  tx: Transaction,
  request: FastifyRequest,
  work: () => Promise<Answer>,
  fields: Fields = fieldsOf(request),
): Promise<Answer> {
  const first = async () => ({ answer: await work(), at: Date.now() })
  const { answer } = await once(tx, request, first, fields, ({ at }) => Date.now() - at < twoClicksMs)
  return answer
}

/**
 * Creates a secret, which is shown only in this answer. Reloading the answer shows the same secret, however late, and
 * creates no other one.
 */
export const makeOnce = <Answer>(tx: Transaction, request: FastifyRequest, work: () => Promise<Answer>) =>
  once(tx, request, work, fieldsOf(request))

function once<Answer>(
  tx: Transaction,
  request: FastifyRequest,
  work: () => Promise<Answer>,
  fields: Fields,
  isStill?: (answer: Answer) => boolean,
): Promise<Answer> {
  // The answer is stored in the same transaction as what was added.
  tx.hold()
  const sent = { userId: tx.by.actorId!, fields: { ...fields, url: request.url } }
  return onlyOnce(tx, request.server.secrets, sent, work, isStill)
}
