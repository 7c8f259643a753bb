import type { Scope } from '../access/scopes.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { TokenRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'

/** When a token `t` was last used. */
export const lastUse = sql`(select x.used_at from token_uses x where x.token_id = t.id)`

const columns = sql`t.id, t.user_id, t.label, t.scopes, t.created_at, t.expires_at, t.revoked_at, ${lastUse} as used_at`

export async function listTokensOf(db: Db, userId: string, page: Page) {
  const own = sql`from tokens t where t.user_id = ${userId} and t.revoked_at is null`
  const after = behind(page, sql`t.created_at, t.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<TokenRow>`select ${columns} ${own} ${after} order by t.created_at desc, t.id desc limit ${page.limit + 1}`,
    ),
    db.one(sql<{ count: number }>`select count(*) ${own}`),
  ])
  return { rows, count }
}

export async function listUnrevoked(db: Db, userId: string): Promise<{ id: string }[]> {
  return db.all(sql<{ id: string }>`select id from tokens where user_id = ${userId} and revoked_at is null`)
}

export async function findTokenOf(db: Db, userId: string, id: string): Promise<TokenRow | undefined> {
  return db.find(sql<TokenRow>`
    select ${columns} from tokens t where t.id = ${id} and t.user_id = ${userId} and t.revoked_at is null`)
}

/** The same, but nobody can revoke the token until the transaction ends. */
export async function holdTokenOf(db: Db, userId: string, id: string): Promise<TokenRow | undefined> {
  return db.find(sql<TokenRow>`
    select ${columns} from tokens t where t.id = ${id} and t.user_id = ${userId} and t.revoked_at is null for share of t`)
}

export interface NewTokenRow {
  id: string
  userId: string
  hash: Buffer
  label: string
  scopes: Scope[] | null
  expiresAt: Date | null
  fromEnvironment: boolean
}

export async function insertToken(db: Db, row: NewTokenRow): Promise<TokenRow> {
  return db.one(sql<TokenRow>`
    insert into tokens as t (id, user_id, hash, label, scopes, expires_at, from_environment)
    values (${row.id}, ${row.userId}, ${row.hash}, ${row.label}, ${row.scopes}, ${row.expiresAt}, ${row.fromEnvironment})
    returning ${columns}`)
}

/** Returns undefined if it is already revoked. */
export async function markRevoked(db: Db, id: string): Promise<TokenRow | undefined> {
  return db.find(sql<TokenRow>`
    update tokens t set revoked_at = now() where t.id = ${id} and t.revoked_at is null returning ${columns}`)
}

export async function findTokenByHash(db: Db, hash: Buffer): Promise<TokenRow | undefined> {
  return db.find(sql<TokenRow>`select ${columns} from tokens t where t.hash = ${hash}`)
}

export async function findTokenFromEnvironment(db: Db): Promise<TokenRow | undefined> {
  return db.find(sql<TokenRow>`select ${columns} from tokens t where t.from_environment and t.revoked_at is null`)
}

export async function findToken(db: Db, id: string): Promise<TokenRow | undefined> {
  return db.find(sql<TokenRow>`select ${columns} from tokens t where t.id = ${id}`)
}

/**
 * Rows are locked in a fixed order, so that several nodes do not deadlock. A token may have been deleted together with
 * its owner.
 */
export async function insertUses(db: Db, tokenIds: string[]): Promise<void> {
  await db.run(sql`
    insert into token_uses (token_id, used_at)
    select id, now() from tokens where id = any(${tokenIds}::uuid[]) order by id for key share
    on conflict (token_id) do update set used_at = excluded.used_at`)
}
