import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { TokenRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'
import { lastUse } from './queries.ts'

export type MemberTokenRow = Omit<TokenRow, 'revoked_at'> & { barred: boolean }

const live = sql`t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`

export async function listTokensOfMember(db: Db, organizationId: string, userId: string, page: Page) {
  const theirs = sql`from tokens t where t.user_id = ${userId} and ${live}`
  const after = behind(page, sql`t.created_at, t.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(sql<MemberTokenRow>`
      select t.id, t.user_id, t.label, t.scopes, t.created_at, t.expires_at, ${lastUse} as used_at,
        exists (select from barred_tokens b where b.organization_id = ${organizationId} and b.token_id = t.id) as barred
      ${theirs} ${after} order by t.created_at desc, t.id desc limit ${page.limit + 1}`),
    db.one(sql<{ count: number }>`select count(*) ${theirs}`),
  ])
  return { rows, count }
}

export async function findLiveTokenOf(db: Db, userId: string, id: string): Promise<{ id: string } | undefined> {
  return db.find(sql<{ id: string }>`
    select t.id from tokens t where t.id = ${id} and t.user_id = ${userId} and ${live}`)
}

/** Returns false if it is already barred. */
export async function insertBar(db: Db, organizationId: string, tokenId: string): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into barred_tokens (organization_id, token_id) values (${organizationId}, ${tokenId}) on conflict do nothing`)
  return inserted === 1
}

/** Returns false if it was not barred. */
export async function deleteBar(db: Db, organizationId: string, tokenId: string): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from barred_tokens where organization_id = ${organizationId} and token_id = ${tokenId}`)
  return deleted === 1
}

export async function copyBars(db: Db, fromTokenId: string, toTokenId: string): Promise<void> {
  await db.run(sql`
    insert into barred_tokens (organization_id, token_id)
    select organization_id, ${toTokenId} from barred_tokens where token_id = ${fromTokenId}`)
}
