import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Asserted } from '../answers/assertion.ts'
import type { ProviderKey } from '../queries.ts'

export interface LoginRow {
  organization_id: string
  provider_id: string
  id: string
  request_id: string
  browser_hash: Buffer
  next_path: string
  /** Number of tries in all logins that were begun from the same network in the last 10 minutes and have no answer. */
  tries_nearby: number
  answer: Asserted | null
  answered_at: Date | null
  finished_at: Date | null
}

const columns = sql`l.organization_id, l.provider_id, l.id, l.request_id, l.browser_hash, l.next_path, l.answer,
  l.answered_at, l.finished_at`

/** Time for a user to sign in at the provider, including a second factor. */
const unexpired = sql`l.created_at > now() - interval '20 minutes'`
/** After the answer, only one redirect is left. */
const fresh = sql`l.answered_at > now() - interval '5 minutes'`

/** Counts the unfinished logins that were begun from this network in the last 10 minutes. */
export async function countWaiting(db: Db, address: string): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from saml_logins l
    where l.address = ${address} and l.created_at > now() - interval '10 minutes' and l.finished_at is null`)
  return count
}

export async function insertLogin(
  db: Db,
  provider: ProviderKey,
  row: Pick<LoginRow, 'id' | 'request_id' | 'browser_hash' | 'next_path'> & { address: string },
): Promise<void> {
  await db.run(sql`
    insert into saml_logins (organization_id, provider_id, id, request_id, browser_hash, next_path, address)
    values (${provider.organization_id}, ${provider.id}, ${row.id}, ${row.request_id}, ${row.browser_hash},
      ${row.next_path}, ${row.address})`)
}

const nearby = sql`(select coalesce(sum(x.tries), 0)::int from saml_logins x
  where x.address = l.address and x.answer is null and x.created_at > now() - interval '10 minutes') as tries_nearby`

/** Returns a login in any state, unless it has expired. */
export async function findLogin(db: Db, provider: ProviderKey, id: string): Promise<LoginRow | undefined> {
  return db.find(sql<LoginRow>`
    select ${columns}, ${nearby} from saml_logins l
    where l.organization_id = ${provider.organization_id} and l.provider_id = ${provider.id} and l.id = ${id}
      and ${unexpired}`)
}

/** Returns false if there is an answer already: of two at once, one is kept. */
export async function keepAnswer(tx: Transaction, login: LoginRow, answer: Asserted): Promise<boolean> {
  const kept = await tx.run(sql`
    update saml_logins l set answer = ${JSON.stringify(answer)}::jsonb, answered_at = now()
    where l.organization_id = ${login.organization_id} and l.provider_id = ${login.provider_id} and l.id = ${login.id}
      and l.answer is null and ${unexpired}`)
  return kept === 1
}

/**
 * Returns false if this assertion was used before. Remembering it for a day is enough, since its login is over much
 * sooner.
 */
export async function insertAssertion(
  tx: Transaction,
  { organization_id, id }: ProviderKey,
  assertion: { idHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into saml_assertions (organization_id, provider_id, id_hash, expires_at)
    values (${organization_id}, ${id}, ${assertion.idHash}, least(${assertion.expiresAt}, now() + interval '1 day'))
    on conflict do nothing`)
  return inserted === 1
}

/**
 * Returns false after too many tries. Counted before an answer is verified, so that of many at once, only a few are
 * verified.
 */
export async function takeTry(db: Db, login: LoginRow, most: number): Promise<boolean> {
  const taken = await db.run(sql`
    update saml_logins set tries = tries + 1
    where organization_id = ${login.organization_id} and provider_id = ${login.provider_id} and id = ${login.id}
      and tries < ${most}`)
  return taken === 1
}

/** Ends a login that has an answer, only once, and only for the browser that began it. */
export async function finishLogin(
  tx: Transaction,
  provider: ProviderKey,
  id: string,
  browserHash: Buffer,
): Promise<{ answer: Asserted; next_path: string } | undefined> {
  return tx.find(sql<{ answer: Asserted; next_path: string }>`
    update saml_logins l set finished_at = now()
    where l.organization_id = ${provider.organization_id} and l.provider_id = ${provider.id} and l.id = ${id}
      and l.browser_hash = ${browserHash} and l.answer is not null and l.finished_at is null and ${fresh}
    returning l.answer, l.next_path`)
}
