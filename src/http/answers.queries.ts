import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

/** An answer that is stored for a day, encrypted, for a caller who repeats the same request. */
export interface AnswerRow {
  request_hash: Buffer
  status: number
  body: Buffer
}

/** The user whom the answer is for, and the request that it answers. */
export interface AnswerKey {
  userId: string
  keyHash: Buffer
}

const isKept = ({ userId, keyHash }: AnswerKey) =>
  sql`user_id = ${userId} and key_hash = ${keyHash} and created_at > now() - interval '1 day'`

export async function findAnswer(db: Db, key: AnswerKey): Promise<AnswerRow | undefined> {
  return db.find(sql<AnswerRow>`select request_hash, status, body from idempotency where ${isKept(key)}`)
}

export async function hasAnswer(db: Db, key: AnswerKey): Promise<boolean> {
  return (await db.find(sql`select from idempotency where ${isKept(key)}`)) !== undefined
}

/** Sent together with the commit. An answer that is older than a day may still exist, and is replaced. */
export function upsertAnswer(tx: Transaction, { userId, keyHash }: AnswerKey, row: AnswerRow): void {
  tx.runLater(sql`
    insert into idempotency (user_id, key_hash, request_hash, status, body)
    values (${userId}, ${keyHash}, ${row.request_hash}, ${row.status}, ${row.body})
    on conflict (user_id, key_hash) do update
    set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`)
}
