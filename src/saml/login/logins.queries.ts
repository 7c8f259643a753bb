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
  /** Of all logins that were begun from the same network a while ago, and have no answer. */
  tries_nearby: number
  answer: Asserted | null
  answered_at: Date | null
  finished_at: Date | null
}

const columns = sql`l.organization_id, l.provider_id, l.id, l.request_id, l.browser_hash, l.next_path, l.answer,
  l.answered_at, l.finished_at`

/** Time for a person to sign in there, a second factor included. */
const unexpired = sql`l.created_at > now() - interval '20 minutes'`
/** From the answer on it is one redirect. */
const fresh = sql`l.answered_at > now() - interval '5 minutes'`

/** How many logins that were begun from this network a while ago wait for their end. */
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

/** In whatever state it is. */
export async function findLogin(db: Db, provider: ProviderKey, id: string): Promise<LoginRow | undefined> {
  return db.find(sql<LoginRow>`
    select ${columns}, ${nearby} from saml_logins l
    where l.organization_id = ${provider.organization_id} and l.provider_id = ${provider.id} and l.id = ${id}
      and ${unexpired}`)
}

/** Answers false where it has an answer already: of two at once, one is kept. */
export async function keepAnswer(tx: Transaction, login: LoginRow, answer: Asserted): Promise<boolean> {
  const kept = await tx.run(sql`
    update saml_logins l set answer = ${JSON.stringify(answer)}::jsonb, answered_at = now()
    where l.organization_id = ${login.organization_id} and l.provider_id = ${login.provider_id} and l.id = ${login.id}
      and l.answer is null and ${unexpired}`)
  return kept === 1
}

/** Answers false where this assertion was used before. A day is enough: its login is over much sooner. */
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

/** Answers false where there were too many. Counted before an answer is looked at: of many at once, few are. */
export async function takeTry(db: Db, login: LoginRow, most: number): Promise<boolean> {
  const taken = await db.run(sql`
    update saml_logins set tries = tries + 1
    where organization_id = ${login.organization_id} and provider_id = ${login.provider_id} and id = ${login.id}
      and tries < ${most}`)
  return taken === 1
}

/** Ends a login that has its answer: once, and only for the browser that began it. */
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
