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

/** Held until the transaction ends. */
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

/** In the place of what was there, of which nothing stays but for the hook, if that is given. */
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

/** Answers what there was, if anything. */
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
 * What was edited is written out once nobody has edited anything for so long: many edits are one commit. Whoever goes on and
 * on is not waited for longer than until the next look.
 */
const quiet = sql`interval '10 seconds'`

/**
 * Makes those due whose main content has changed since the last look, also where an export failed: whoever edits may have done
 * what that asked for. A host that is down hears no sooner of it. Costs two look-ups for each that is written out: one in
 * the other, so that no plan begins with all revisions of an organization.
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

/** Looking takes less than that. Should whoever looks never come back, somebody else does it then. */
const claimed = sql`now() + interval '2 minutes'`

/** Takes the one that is due for longest. */
export async function takeDueFollowing(db: Db): Promise<GitFollowingRow | undefined> {
  return db.find(sql<GitFollowingRow>`
    update git_following f set looks = f.looks + 1, claimed_until = ${claimed}, next_look_at = ${claimed}
    where (f.organization_id, f.space_id) = (select d.organization_id, d.space_id from git_following d
      where d.next_look_at <= now() order by d.next_look_at limit 1 for update skip locked)
    returning ${columns}`)
}

export type Taken = Pick<GitFollowingRow, 'organization_id' | 'space_id' | 'id' | 'looks'>

/** Unless somebody set it up anew, ended it, or looks again since. */
const isMine = ({ organization_id, space_id, id, looks }: Taken) =>
  sql`organization_id = ${organization_id} and space_id = ${space_id} and id = ${id} and looks = ${looks}`

/** Never quite the same, so that not all come at once. */
const usually = sql`now() + make_interval(secs => 120 * (0.9 + random() / 5))`

/** Twice as long each time, up to an hour. */
const later = sql`now() + make_interval(secs => least(3600, 120 * power(2, least(failures, 10))) * (0.9 + random() / 5))`

/**
 * However often a host calls, no repository is asked more often than that. The calls that came meanwhile are one look.
 */
export const betweenCalls = sql`interval '5 seconds'`

/** Somebody has pushed since this look began: what was pushed may not have been there yet. */
const unlessCalled = (then: Statement) =>
  sql`case when wanted_look > looks then now() + ${betweenCalls} else ${then} end`

/** Holds it, to ask for something. Undefined where that is no matter of this look any more. */
export async function lockTaken(tx: Transaction, taken: Taken): Promise<GitFollowingRow | undefined> {
  return tx.find(sql<GitFollowingRow>`select ${columns} from git_following f where ${isMine(taken)} for update`)
}

export interface Found {
  branchOid: string | undefined
  mainSeq: number
}

/** Both sides say the same, or wait for people. */
export async function noteLooked(db: Db, taken: Taken, { branchOid, mainSeq }: Found): Promise<void> {
  await db.run(sql`
    update git_following set next_look_at = ${unlessCalled(usually)}, claimed_until = null, looked_at = now(),
      branch_oid = ${branchOid ?? null}, main_seq = ${mainSeq}, problem = null, failing_since = null, failures = 0, told_at = null,
      operation_id = null
    where ${isMine(taken)}`)
}

/** What is wrong stays until the operation has ended well. */
export async function noteAsked(db: Db, taken: Taken, found: Found, operationId: string): Promise<void> {
  await db.run(sql`
    update git_following set next_look_at = ${usually}, claimed_until = null, looked_at = now(),
      branch_oid = ${found.branchOid ?? null}, main_seq = ${found.mainSeq}, operation_id = ${operationId}
    where ${isMine(taken)}`)
}

/** Nothing was seen: what main is by now is for the next look that comes through. */
export async function noteFailed(db: Db, taken: Taken, problem: string): Promise<void> {
  await db.run(sql`
    update git_following set next_look_at = ${unlessCalled(later)}, claimed_until = null, looked_at = now(), failures = failures + 1,
      main_seq = null, problem = ${problem}, failing_since = coalesce(failing_since, now())
    where ${isMine(taken)}`)
}

/** Something else is under way, or the space is in the trash: nothing was looked at. Whoever called for it still waits. */
export async function lookLater(db: Db, taken: Taken): Promise<void> {
  await db.run(sql`
    update git_following set next_look_at = ${usually}, claimed_until = null,
      wanted_look = case when wanted_look < looks then wanted_look else looks + 1 end
    where ${isMine(taken)}`)
}

/** For somebody else to look, at once. */
export async function giveBackLook(db: Db, taken: Taken): Promise<void> {
  await db.run(sql`update git_following set next_look_at = now(), claimed_until = null where ${isMine(taken)}`)
}

/** Nobody looks any more, and what it signed in with is gone. Answers whether it was still to be stopped. */
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
 * It is looked at once more right away: the other side may have something, too. So it is where people did it themselves.
 * Whoever looks just now does so in vain.
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
