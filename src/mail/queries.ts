import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import type { MailKind } from './kinds.ts'

export interface MailRow {
  id: string
  organization_id: string | null
  /** `said`: an event from which the mails for its listeners are made. */
  kind: MailKind | 'sign-in-code' | 'invite' | 'said'
  user_id: string | null
  address: string | null
  about: Record<string, string>
  sealed: Buffer | null
  tries: number
  /** Measured by the clock of the database, like all times. */
  age_seconds: number
}

export interface NewMail {
  kind: MailRow['kind']
  organizationId?: string
  /** The recipient: a user or an address. */
  userId?: string
  address?: string
  about?: Record<string, string>
  sealed?: Buffer
  /** How long the mail waits, unless it is to be sent at once. */
  inSeconds?: number
}

/**
 * Sent to the database without waiting for the result, and committed together with the change that the mails report.
 */
export function insertMails(tx: Transaction, mails: readonly NewMail[]): void {
  const rows = mails.map(({ sealed, ...mail }) => ({
    id: newId(),
    ...mail,
    sealed: sealed?.toString('base64') ?? null,
  }))
  tx.runLater(sql`
    insert into mails (id, organization_id, kind, user_id, address, about, sealed, due_at)
    select id, "organizationId", kind, "userId", address, coalesce(about, '{}'), decode(sealed, 'base64'),
      now() + make_interval(secs => coalesce("inSeconds", 0))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) given (id uuid, "organizationId" uuid, kind text,
      "userId" uuid, address text, about jsonb, sealed text, "inSeconds" float8)`)
}

const leaseSeconds = 180

/**
 * Takes mails that are due. Sign-in codes come first, because people wait for them. If this process never finishes
 * them, they are due again after a while.
 */
export async function takeDue(db: Db, limit: number): Promise<MailRow[]> {
  return db.all(sql<MailRow>`
    update mails m set due_at = now() + make_interval(secs => ${leaseSeconds}), tries = m.tries + 1
    from (select id from mails where due_at <= now() order by kind = 'sign-in-code' desc, due_at limit ${limit}
      for update skip locked) due
    where m.id = due.id
    returning m.id, m.organization_id, m.kind, m.user_id, m.address, m.about, m.sealed, m.tries,
      extract(epoch from now() - m.created_at)::float8 as age_seconds`)
}

/** Returns false if the mail was already deleted. */
export async function deleteMail(db: Db, id: string): Promise<boolean> {
  return (await db.run(sql`delete from mails where id = ${id}`)) === 1
}

export async function sendLater(db: Db, id: string, seconds: number): Promise<void> {
  await db.run(sql`update mails set due_at = now() + make_interval(secs => ${seconds}) where id = ${id}`)
}

export async function listMuted(db: Db, userId: string): Promise<MailKind[]> {
  const rows = await db.all(sql<{ kind: MailKind }>`select kind from muted_mail where user_id = ${userId}`)
  return rows.map(({ kind }) => kind)
}

export async function mute(db: Db, userId: string, kinds: readonly MailKind[]): Promise<void> {
  await db.run(sql`
    insert into muted_mail (user_id, kind) select id, kind from users, unnest(${kinds}::text[]) kind
    where id = ${userId} on conflict do nothing`)
}

export async function unmute(db: Db, userId: string, kinds: readonly MailKind[]): Promise<void> {
  await db.run(sql`delete from muted_mail where user_id = ${userId} and kind = any (${kinds}::text[])`)
}
