import type { Db } from '../../../db/connect.ts'
import { sql } from '../../../db/sql.ts'
import type { GitFollowingRow } from '../../../db/tables.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { betweenCalls } from '../queries.ts'

/** What has to be known about the space that a call is for. */
export type CalledHook = Pick<GitFollowingRow, 'organization_id' | 'space_id' | 'ref'> & {
  hook_id: string
  hook_secret: Buffer
  /** Whether looks have stopped until somebody sets up the sync again. */
  is_stopped: boolean
}

/** Finds the hook, unless its space is in the trash. */
export async function findHook(db: Db, hookId: string): Promise<CalledHook | undefined> {
  return db.find(sql<CalledHook>`
    select f.organization_id, f.space_id, f.ref, f.hook_id, f.hook_secret, f.next_look_at is null as is_stopped
    from git_following f join spaces s on s.organization_id = f.organization_id and s.id = f.space_id
    where f.hook_id = ${hookId} and s.deleted_at is null`)
}

type Following = Pick<GitFollowingRow, 'organization_id' | 'space_id'>

/** Also clears the results of earlier calls, which say nothing about the new secret. */
export async function updateHook(tx: Transaction, row: Following, hookId: string, secret: Buffer): Promise<void> {
  await tx.run(sql`
    update git_following set hook_id = ${hookId}, hook_secret = ${secret}, hook_set_at = now(), hook_called_at = null,
      hook_result = null, hook_refused_at = null
    where organization_id = ${row.organization_id} and space_id = ${row.space_id}`)
}

export async function deleteHook(tx: Transaction, row: Following): Promise<void> {
  await tx.run(sql`
    update git_following set hook_id = null, hook_secret = null, hook_set_at = null, hook_called_at = null, hook_result = null,
      hook_refused_at = null
    where organization_id = ${row.organization_id} and space_id = ${row.space_id}`)
}

const isOf = ({ organization_id, space_id, hook_id }: CalledHook) =>
  sql`f.organization_id = ${organization_id} and f.space_id = ${space_id} and f.hook_id = ${hook_id}`

/** Whether the same result was recorded within the last second: of many calls at once, not every one is recorded. */
const isSoonAgain = (result: GitFollowingRow['hook_result']) =>
  sql`coalesce(f.hook_result = ${result} and f.hook_called_at > now() - interval '1 second', false)`

/**
 * Schedules a look as soon as possible, because somebody has pushed. If a look or something else is under way, that
 * means once it is over. Calls for a look that is already requested do nothing. Returns whether a look is due now.
 */
export async function hurryCalled(db: Db, hook: CalledHook): Promise<boolean> {
  const found = await db.find(sql<{ is_due: boolean }>`
    update git_following f set hook_called_at = now(), hook_result = 'look', wanted_look = f.looks + 1,
      next_look_at = case when f.claimed_until > now() then f.next_look_at
        else least(f.next_look_at, greatest(now(), f.looked_at + ${betweenCalls})) end
    where ${isOf(hook)} and f.next_look_at is not null and not (f.wanted_look > f.looks and ${isSoonAgain('look')})
    returning f.next_look_at <= now() as is_due`)
  return found?.is_due ?? false
}

/** Records a call that is not a reason to look. */
export async function noteCalled(db: Db, hook: CalledHook, result: GitFollowingRow['hook_result']): Promise<void> {
  await db.run(sql`
    update git_following f set hook_called_at = now(), hook_result = ${result}
    where ${isOf(hook)} and not ${isSoonAgain(result)}`)
}

/** Records a refused call. Anybody who has the URL can cause this write, so it happens only now and then. */
export async function noteRefused(db: Db, hook: CalledHook): Promise<void> {
  await db.run(sql`
    update git_following f set hook_refused_at = now()
    where ${isOf(hook)} and (f.hook_refused_at is null or f.hook_refused_at < now() - interval '10 seconds')`)
}
