import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

export const codeMinutes = 10
const mostWrongTries = 5

export interface CodeRow {
  kind: 'mailed' | 'handed'
  browser_hash: Buffer
  user_id: string | null
  code_hash: string
}

/** A new code replaces the previous one of the same browser. */
export async function upsertCode(
  db: Db,
  row: {
    addressHash: Buffer
    kind: CodeRow['kind']
    userId: string | null
    codeHash: string
    browserHash: Buffer
  },
): Promise<void> {
  await db.run(sql`
    insert into sign_in_codes (address_hash, kind, user_id, code_hash, browser_hash, expires_at)
    values (${row.addressHash}, ${row.kind}, ${row.userId}, ${row.codeHash}, ${row.browserHash},
      now() + make_interval(mins => ${codeMinutes}))
    on conflict (address_hash, kind, browser_hash) do update set user_id = excluded.user_id,
      code_hash = excluded.code_hash, wrong_tries = 0, expires_at = excluded.expires_at`)
}

/**
 * Returns the codes that this browser may try for the address. They are locked so that of two simultaneous tries the
 * second is counted too.
 */
export async function lockCodes(db: Db, addressHash: Buffer, browserHash: Buffer): Promise<CodeRow[]> {
  return db.all(sql<CodeRow>`
    select kind, browser_hash, user_id, code_hash from sign_in_codes
    where address_hash = ${addressHash} and browser_hash in (''::bytea, ${browserHash}) and expires_at > now()
      and wrong_tries < ${mostWrongTries}
    order by kind for update`)
}

export async function countWrongTry(db: Db, addressHash: Buffer, rows: CodeRow[]): Promise<void> {
  await db.run(sql`
    update sign_in_codes set wrong_tries = wrong_tries + 1
    where address_hash = ${addressHash} and browser_hash = any (${rows.map((row) => row.browser_hash)}::bytea[])`)
}

export async function deleteCodes(db: Db, addressHash: Buffer): Promise<void> {
  await db.run(sql`delete from sign_in_codes where address_hash = ${addressHash}`)
}

export interface Count {
  times: number
  seconds_left: number
}

type Counted = 'asked-by' | 'asked-for' | 'asked-for-by' | 'failed-by' | 'wrong-password-by'

/** Counts one more time, across all nodes. An hour begins with the first count after the previous hour ended. */
export async function countOnce(db: Db, what: Counted, keyHash: Buffer): Promise<Count> {
  return db.one(sql<Count>`
    insert into sign_in_counts as n (what, key_hash, since, times) values (${what}, ${keyHash}, now(), 1)
    on conflict (what, key_hash) do update set
      times = case when now() < n.since + interval '1 hour' then n.times + 1 else 1 end,
      since = case when now() < n.since + interval '1 hour' then n.since else now() end
    returning n.times, ceil(extract(epoch from n.since + interval '1 hour' - now()))::int as seconds_left`)
}

export async function findCount(db: Db, what: Counted, keyHash: Buffer): Promise<Count | undefined> {
  return db.find(sql<Count>`
    select n.times, ceil(extract(epoch from n.since + interval '1 hour' - now()))::int as seconds_left
    from sign_in_counts n where n.what = ${what} and n.key_hash = ${keyHash} and now() < n.since + interval '1 hour'`)
}
