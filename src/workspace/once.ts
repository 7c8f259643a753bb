import type { FastifyRequest } from 'fastify'
import { type Fields, fieldsOf } from '../account/forms.ts'
import { onlyOnce, twoClicksMs } from '../account/once.ts'
import type { Transaction } from '../db/transaction.ts'

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
  const first = async () => ({ answer: await work(), at: Date.now() })
  const { answer } = await once(tx, request, first, fields, ({ at }) => Date.now() - at < twoClicksMs)
  return answer
}

/** A secret is on the answer alone: whoever loads that again, however late, sees the same one and makes no other. */
export const makeOnce = <Answer>(tx: Transaction, request: FastifyRequest, work: () => Promise<Answer>) =>
  once(tx, request, work, fieldsOf(request))

function once<Answer>(
  tx: Transaction,
  request: FastifyRequest,
  work: () => Promise<Answer>,
  fields: Fields,
  isStill?: (answer: Answer) => boolean,
): Promise<Answer> {
  // The answer is kept along with what was added.
  tx.hold()
  const sent = { userId: tx.by.actorId!, fields: { ...fields, url: request.url } }
  return onlyOnce(tx, request.server.secrets, sent, work, isStill)
}
