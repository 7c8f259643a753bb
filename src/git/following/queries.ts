import type { Db } from '../../db/connect.ts'
import { type Statement, sql } from '../../db/sql.ts'
import type { GitFollowingRow, GitOperationRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'

const columns = sql`f.organization_id, f.space_id, f.id, f.url, f.ref, f.project_directory, f.credentials, f.direction,
  f.message, f.info, f.asked_by, f.asked_at, f.next_look_at, f.looks, f.looked_at, f.branch_oid, f.main_seq, f.operation_id,
  f.problem, f.failing_since, f.failures, f.told_at, f.hook_id, f.hook_secret, f.hook_set_at, f.hook_called_at, f.hook_result,
  f.hook_refused_at`

export async function findFollowing(
  db: Db,
  organizationId: string,
  spaceId: string,
): Promise<GitFollowingRow | undefined> {
  return db.find(sql<GitFollowingRow>`
    select ${columns} from git_following f where f.organization_id = ${organizationId} and f.space_id = ${spaceId}`)
}

/** The row stays locked until the transaction ends. */
export async function lockFollowing(
  tx: Transaction,
  organizationId: string,
  spaceId: string,
): Promise<GitFollowingRow | undefined> {
  return tx.find(sql<GitFollowingRow>`
    select ${columns} from git_following f where f.organization_id = ${organizationId} and f.space_id = ${spaceId}
    for update`)
}

export type Hook = Pick<
  GitFollowingRow,
  'hook_id' | 'hook_secret' | 'hook_set_at' | 'hook_called_at' | 'hook_result' | 'hook_refused_at'
>

export type NewFollowing = Pick<
  GitFollowingRow,
  | 'organization_id'
  | 'space_id'
  | 'id'
  | 'url'
  | 'ref'
  | 'project_directory'
  | 'credentials'
  | 'direction'
  | 'message'
  | 'info'
  | 'asked_by'
>

/** Replaces the previous row. Nothing of it is kept except for the hook, if that is passed. */
export async function replaceFollowing(
  tx: Transaction,
  row: NewFollowing,
  hook: Hook | undefined,
): Promise<GitFollowingRow> {
  await deleteFollowing(tx, row.organization_id, row.space_id)
  return tx.one(sql<GitFollowingRow>`
    insert into git_following as f (organization_id, space_id, id, url, ref, project_directory, credentials, direction,
      message, info, asked_by, hook_id, hook_secret, hook_set_at, hook_called_at, hook_result, hook_refused_at)
    values (${row.organization_id}, ${row.space_id}, ${row.id}, ${row.url}, ${row.ref}, ${row.project_directory},
      ${row.credentials}, ${row.direction}, ${row.message}, ${row.info}::jsonb, ${row.asked_by},
      ${hook?.hook_id ?? null}, ${hook?.hook_secret ?? null}, ${hook?.hook_set_at ?? null},
      ${hook?.hook_called_at ?? null}, ${hook?.hook_result ?? null}, ${hook?.hook_refused_at ?? null})
    returning ${columns}`)
}

/** Returns the deleted row, if there was one. */
export async function deleteFollowing(
  tx: Transaction,
  organizationId: string,
  spaceId: string,
): Promise<GitFollowingRow | undefined> {
  return tx.find(sql<GitFollowingRow>`
    delete from git_following f where f.organization_id = ${organizationId} and f.space_id = ${spaceId}
    returning ${columns}`)
}

/**
 * Edits are written out once nobody has edited anything for this long, so that many edits become one commit. If the
 * edits never pause, they are written out at the next regular look.
 */
const quiet = sql`interval '10 seconds'`

/**
 * Makes those due whose main content has changed since the last look, also after a failed export: an edit may have
 * fixed what made it fail. A host that is down is not asked any sooner. Costs two look-ups for each space that is
 * written out, one nested in the other, so that no query plan starts with all revisions of an organization.
 */
export async function hurryChanged(db: Db): Promise<void> {
  await db.run(sql`
    update git_following f set next_look_at = now()
    where f.direction <> 'import' and f.main_seq is not null and f.next_look_at > now() and f.operation_id is null
      and (f.claimed_until is null or f.claimed_until < now())
      and (select r.created_at from revisions r where r.organization_id = f.organization_id and r.id = (
        select l.head_id from lines l where l.organization_id = f.organization_id and l.space_id = f.space_id
          and l.main_id is null and l.head_seq > f.main_seq)) < now() - ${quiet}`)
}

/** A look takes less time than this. If the node that looks never comes back, another one takes over then. */
const claimed = sql`now() + interval '2 minutes'`

/** Takes the one that has been due for the longest time. */
export async function takeDueFollowing(db: Db): Promise<GitFollowingRow | undefined> {
  return db.find(sql<GitFollowingRow>`
    update git_following f set looks = f.looks + 1, claimed_until = ${claimed}, next_look_at = ${claimed}
    where (f.organization_id, f.space_id) = (select d.organization_id, d.space_id from git_following d
      where d.next_look_at <= now() order by d.next_look_at limit 1 for update skip locked)
    returning ${columns}`)
}

export type Taken = Pick<GitFollowingRow, 'organization_id' | 'space_id' | 'id' | 'looks'>

/** Matches the row unless it was set up anew, ended, or taken for another look since. */
const isMine = ({ organization_id, space_id, id, looks }: Taken) =>
  sql`organization_id = ${organization_id} and space_id = ${space_id} and id = ${id} and looks = ${looks}`

/** Varies slightly, so that they do not all come at once. */
const usually = sql`now() + make_interval(secs => 120 * (0.9 + random() / 5))`

/** Twice as long after each failure, up to an hour. */
const later = sql`now() + make_interval(secs => least(3600, 120 * power(2, least(failures, 10))) * (0.9 + random() / 5))`

/**
 * No repository is asked more often than this, however often its host calls. All calls in between result in one look.
 */
export const betweenCalls = sql`interval '5 seconds'`

/** If somebody has pushed since this look began, the next look is soon: what was pushed may not have been there yet. */
const unlessCalled = (then: Statement) =>
  sql`case when wanted_look > looks then now() + ${betweenCalls} else ${then} end`

/** Locks the row, to start an operation. Undefined if the row no longer belongs to this look. */
export async function lockTaken(tx: Transaction, taken: Taken): Promise<GitFollowingRow | undefined> {
  return tx.find(sql<GitFollowingRow>`select ${columns} from git_following f where ${isMine(taken)} for update`)
}

export interface Found {
  branchOid: string | undefined
  mainSeq: number
}

/** Records that both sides have the same content, or wait for people. */
export async function noteLooked(db: Db, taken: Taken, { branchOid, mainSeq }: Found): Promise<void> {
  await db.run(sql`
    update git_following set next_look_at = ${unlessCalled(usually)}, claimed_until = null, looked_at = now(),
      branch_oid = ${branchOid ?? null}, main_seq = ${mainSeq}, problem = null, failing_since = null, failures = 0, told_at = null,
      operation_id = null
    where ${isMine(taken)}`)
}

/** Records that an operation was started. A problem stays until the operation has succeeded. */
export async function noteAsked(db: Db, taken: Taken, found: Found, operationId: string): Promise<void> {
  await db.run(sql`
    update git_following set next_look_at = ${usually}, claimed_until = null, looked_at = now(),
      branch_oid = ${found.branchOid ?? null}, main_seq = ${found.mainSeq}, operation_id = ${operationId}
    where ${isMine(taken)}`)
}

/** Records that a look failed. Nothing was seen, so the state of main is left to the next look that succeeds. */
export async function noteFailed(db: Db, taken: Taken, problem: string): Promise<void> {
  await db.run(sql`
    update git_following set next_look_at = ${unlessCalled(later)}, claimed_until = null, looked_at = now(), failures = failures + 1,
      main_seq = null, problem = ${problem}, failing_since = coalesce(failing_since, now())
    where ${isMine(taken)}`)
}

/**
 * Postpones the look, because something else is under way or the space is in the trash. A look that a call requested
 * stays requested.
 */
export async function lookLater(db: Db, taken: Taken): Promise<void> {
  await db.run(sql`
    update git_following set next_look_at = ${usually}, claimed_until = null,
      wanted_look = case when wanted_look < looks then wanted_look else looks + 1 end
    where ${isMine(taken)}`)
}

/** Lets another node look at once. */
export async function giveBackLook(db: Db, taken: Taken): Promise<void> {
  await db.run(sql`update git_following set next_look_at = now(), claimed_until = null where ${isMine(taken)}`)
}

/** Stops the looks and deletes the credentials. Returns whether the row still belonged to this look. */
export async function stopFollowing(tx: Transaction, taken: Taken, problem: string): Promise<boolean> {
  const stopped = await tx.run(sql`
    update git_following set next_look_at = null, claimed_until = null, looked_at = now(), credentials = null,
      problem = ${problem}, failing_since = now(), failures = failures + 1
    where ${isMine(taken)}`)
  return stopped > 0
}

export async function noteTold(tx: Transaction, taken: Taken): Promise<void> {
  await tx.run(sql`update git_following set told_at = now() where ${isMine(taken)}`)
}

type Ended = Pick<GitOperationRow, 'organization_id' | 'space_id' | 'id'>

/**
 * After a success, the repository is looked at again right away, since the other side may have changes, too. The same
 * holds for operations that people started. A look that is under way at this moment has no effect.
 */
export async function noteSucceeded(tx: Transaction, { organization_id, space_id, id }: Ended): Promise<void> {
  await tx.run(sql`
    update git_following set next_look_at = now(), claimed_until = null, looks = looks + 1,
      operation_id = nullif(operation_id, ${id}),
      problem = case when operation_id = ${id} then null else problem end,
      failing_since = case when operation_id = ${id} then null else failing_since end,
      failures = case when operation_id = ${id} then 0 else failures end,
      told_at = case when operation_id = ${id} then null else told_at end
    where organization_id = ${organization_id} and space_id = ${space_id} and next_look_at is not null`)
}

export async function noteNotSucceeded(tx: Transaction, ended: Ended, problem: string): Promise<void> {
  await tx.run(sql`
    update git_following set next_look_at = ${unlessCalled(later)}, claimed_until = null, looks = looks + 1, operation_id = null,
      failures = failures + 1, problem = ${problem}, failing_since = coalesce(failing_since, now())
    where organization_id = ${ended.organization_id} and space_id = ${ended.space_id} and operation_id = ${ended.id}
      and next_look_at is not null`)
}
