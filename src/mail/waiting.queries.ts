import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { MailKind } from './kinds.ts'
import type { Listener } from './notices.queries.ts'

/**
 * Until the transaction ends, nobody else can add to the mails about this thread. So each reader has at most one mail
 * waiting.
 */
export async function holdThread(tx: Transaction, thread: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${thread}, 0))`)
}

/** Limit for the list of ids in one mail: about 50 ids. */
const mostLetters = 50 * 37

/**
 * Adds to the waiting mails about the same thread, and returns the users whose mails these are. Each mail waits until
 * nobody has written anything for a while, though not for ever.
 */
export async function addToWaiting(
  tx: Transaction,
  organizationId: string,
  listeners: readonly Listener[],
  wait: { quietSeconds: number; longestSeconds: number },
): Promise<Set<string>> {
  const rows = await tx.all(sql<{ user_id: string }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(listeners)}::jsonb) g (user_id uuid, kind text, said text, thread text)),
    waiting as (
      select m.id, given.said from given join mails m on m.user_id = given.user_id
      where m.organization_id = ${organizationId} and m.kind = given.kind and m.about ->> 'thread' = given.thread
        and m.tries = 0 and length(m.about ->> 'said') < ${mostLetters} for update of m skip locked)
    update mails m set about = m.about || jsonb_build_object('said', (m.about ->> 'said') || ',' || waiting.said),
      due_at = least(m.created_at + make_interval(secs => ${wait.longestSeconds}),
        now() + make_interval(secs => ${wait.quietSeconds}))
    from waiting where m.id = waiting.id returning m.user_id`)
  return new Set(rows.map(({ user_id }) => user_id))
}

/**
 * Removes a comment, reply or review from the waiting mails of these users, and returns the users whose mails contained
 * it.
 */
export async function takeOutOfWaiting(
  tx: Transaction,
  organizationId: string,
  said: { id: string; thread: string },
  userIds: readonly string[],
  kinds: readonly MailKind[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await tx.all(sql<{ user_id: string }>`
    with waiting as (
      select m.id, m.user_id, array_remove(string_to_array(m.about ->> 'said', ','), ${said.id}) as others from mails m
      where m.user_id = any (${userIds}::uuid[]) and m.organization_id = ${organizationId} and m.kind = any (${kinds}::text[])
        and m.about ->> 'thread' = ${said.thread} and m.tries = 0
        and ${said.id} = any (string_to_array(m.about ->> 'said', ',')) for update of m skip locked),
    emptied as (delete from mails m using waiting where m.id = waiting.id and waiting.others = '{}'),
    shorter as (
      update mails m set about = m.about || jsonb_build_object('said', array_to_string(waiting.others, ','))
      from waiting where m.id = waiting.id and waiting.others <> '{}')
    select user_id from waiting`)
  return new Set(rows.map(({ user_id }) => user_id))
}
