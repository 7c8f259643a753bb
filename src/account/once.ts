import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { findAnswer, upsertAnswer } from '../http/answers.queries.ts'
import { type Secrets, hashOf } from '../secrets.ts'
import type { Fields } from './forms.ts'

/**
 * After this time, a repeat is not a double click: the person has gone back to the form to send it again, perhaps
 * because they deleted what it had added.
 */
export const twoClicksMs = 60_000

/**
 * Does what a form asks for once, however often the form is sent, by a double click or by reloading the answer. Repeats
 * get the first answer, unless `isStill` says that it no longer applies. The answer is kept for a day, sealed, beside
 * those of the API. An undefined answer is not kept.
 */
export async function onlyOnce<Answer>(
  tx: Transaction,
  secrets: Secrets,
  { userId, fields }: { userId: string; fields: Fields },
  work: () => Promise<Answer>,
  isStill: (answer: Answer) => boolean = () => true,
): Promise<Answer> {
  const keyHash = hashOf(`form ${JSON.stringify(Object.entries(fields).toSorted())}`)
  await tx.run(sql`select pg_advisory_xact_lock(${keyHash.readBigInt64BE(0)})`)
  // A separate statement, so that it sees what was committed while waiting for the lock.
  const found = await findAnswer(tx, { userId, keyHash })
  const first = found && (JSON.parse(secrets.open('form', found.body)) as Answer)
  if (first !== undefined && isStill(first)) return first
  const answer = await work()
  if (answer === undefined) return answer
  const body = secrets.seal('form', JSON.stringify(answer))
  upsertAnswer(tx, { userId, keyHash }, { request_hash: keyHash, status: 200, body })
  return answer
}
