import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Secrets, hashOf } from '../secrets.ts'
import type { Fields } from './forms.ts'

/**
 * Does what a form asks for once, however often the same form is sent: by a second click, or by loading its answer again.
 * Then the first answer counts. It is kept for a day, sealed, beside those of the API.
 */
export async function onlyOnce<Answer>(
  tx: Transaction,
  secrets: Secrets,
  { userId, fields }: { userId: string; fields: Fields },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const keyHash = hashOf(`form ${JSON.stringify(Object.entries(fields).toSorted())}`)
  await tx.run(sql`select pg_advisory_xact_lock(${keyHash.readBigInt64BE(0)})`)
  // A statement of its own: it sees what was committed while the lock was waited for.
  const found = await tx.find(sql<{ body: Buffer }>`
    select body from idempotency
    where user_id = ${userId} and key_hash = ${keyHash} and created_at > now() - interval '1 day'`)
  if (found) return JSON.parse(secrets.open('form', found.body)) as Answer
  const answer = await work()
  await tx.run(sql`
    insert into idempotency (user_id, key_hash, request_hash, status, body)
    values (${userId}, ${keyHash}, ${keyHash}, 200, ${secrets.seal('form', JSON.stringify(answer))})
    on conflict (user_id, key_hash) do update set body = excluded.body, created_at = now()`)
  return answer
}
