import pg from 'pg'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { GitOperationRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { firstByTurns, turnsIn } from '../jobs/by-turns.ts'

export type NewOperation = Omit<
  GitOperationRow,
  'state' | 'phase' | 'result' | 'error' | 'attempts' | 'due_at' | 'asked_at' | 'started_at' | 'ended_at'
>

const columns = sql`o.organization_id, o.space_id, o.id, o.direction, o.state, o.url, o.ref, o.project_directory,
  o.credentials, o.force, o.standalone, o.message, o.info, o.asked_by, o.token_id, o.session_id, o.phase, o.result, o.error, o.attempts, o.due_at, o.asked_at,
  o.started_at, o.ended_at`

/** How many operations are listed. Older ones are deleted once they have ended. */
const remembered = 20

export async function insertOperation(tx: Transaction, row: NewOperation): Promise<void> {
  await tx.run(sql`
    insert into git_operations (organization_id, space_id, id, direction, url, ref, project_directory, credentials, force,
      standalone, message, info, asked_by, token_id, session_id)
    values (${row.organization_id}, ${row.space_id}, ${row.id}, ${row.direction}, ${row.url}, ${row.ref},
      ${row.project_directory}, ${row.credentials}, ${row.force}, ${row.standalone}, ${row.message}, ${row.info}::jsonb, ${row.asked_by},
      ${row.token_id}, ${row.session_id})`)
  tx.runLater(sql`
    delete from git_operations where organization_id = ${row.organization_id} and space_id = ${row.space_id}
      and ended_at is not null and id not in (select id from git_operations
        where organization_id = ${row.organization_id} and space_id = ${row.space_id}
        order by asked_at desc, id desc limit ${remembered})`)
}

export async function countWaiting(db: Db, organizationId: string, spaceId: string): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from git_operations
    where organization_id = ${organizationId} and space_id = ${spaceId} and ended_at is null`)
  return count
}

/** Returns the operation that was requested last. */
export async function findLastOperation(
  db: Db,
  organizationId: string,
  spaceId: string,
): Promise<GitOperationRow | undefined> {
  const [last] = await listOperations(db, organizationId, spaceId, 1)
  return last
}

/** Newest first. */
export async function listOperations(
  db: Db,
  organizationId: string,
  spaceId: string,
  limit = remembered,
): Promise<GitOperationRow[]> {
  return db.all(sql<GitOperationRow>`
    select ${columns} from git_operations o where o.organization_id = ${organizationId} and o.space_id = ${spaceId}
    order by o.asked_at desc, o.id desc limit ${limit}`)
}

/**
 * Deletes the operations that have ended, and returns whether there were any. The caller makes sure that none is under
 * way.
 */
export async function deleteOperations(tx: Transaction, organizationId: string, spaceId: string): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from git_operations
    where organization_id = ${organizationId} and space_id = ${spaceId} and ended_at is not null`)
  return deleted > 0
}

/**
 * Until then, no other node takes the operation. The node that works on it renews the claim again and again, since
 * nobody knows how long a fetch takes.
 */
const claimed = sql`now() + interval '2 minutes'`

/**
 * Takes an operation of the organization whose turn it is: the one that has waited longest, of a space that has no
 * other operation running. If the node that takes it never comes back, it is due again after a while.
 */
export async function takeDueOperation(db: Db): Promise<GitOperationRow | undefined> {
  try {
    return await db.find(sql<GitOperationRow>`
      update git_operations o set state = 'running', attempts = attempts + 1, due_at = ${claimed},
        started_at = coalesce(started_at, now()), phase = null
      where (o.organization_id, o.space_id, o.id) = (
        with ${turnsIn(sql`git_operations`, sql`state = 'running'`, sql`started_at`)}
        select w.organization_id, w.space_id, w.id
        from git_operations w join turns on turns.organization_id = w.organization_id
        where w.due_at <= now() and (w.state = 'running' or not exists (select from git_operations r
          where r.organization_id = w.organization_id and r.space_id = w.space_id and r.state = 'running'))
        order by ${firstByTurns}, w.asked_at, w.id limit 1 for update of w skip locked)
      returning ${columns}`)
  } catch (error) {
    // Another node took an operation of the same space at this very moment. It will do this one, too.
    if (error instanceof pg.DatabaseError && error.code === '23505') return undefined
    throw error
  }
}

type Taken = Pick<GitOperationRow, 'organization_id' | 'space_id' | 'id' | 'attempts'>

/** Matches the operation unless another node has taken it since. */
const isMine = ({ organization_id, space_id, id, attempts }: Taken) =>
  sql`organization_id = ${organization_id} and space_id = ${space_id} and id = ${id} and attempts = ${attempts}
    and state = 'running'`

export async function setPhase(db: Db, taken: Taken, phase: string): Promise<void> {
  await db.run(sql`update git_operations set phase = ${phase}, due_at = ${claimed} where ${isMine(taken)}`)
}

export async function claimLonger(db: Db, taken: Taken): Promise<void> {
  await db.run(sql`update git_operations set due_at = ${claimed} where ${isMine(taken)}`)
}

/** Lets another node take the operation at once. */
export async function giveBack(db: Db, taken: Taken): Promise<void> {
  await db.run(sql`
    update git_operations set state = 'waiting', due_at = now(), attempts = attempts - 1 where ${isMine(taken)}`)
}

/** Returns whether the operation was still running and taken by this node. */
export async function endOperation(
  db: Db,
  taken: Taken,
  { state, error, result }: { state: 'success' | 'failure' | 'timeout'; error?: string; result?: object },
): Promise<boolean> {
  const ended = await db.run(sql`
    update git_operations set state = ${state}, error = ${error ?? null}, result = ${result ?? null}::jsonb,
      ended_at = now(), due_at = null, credentials = null, phase = null
    where ${isMine(taken)}`)
  return ended > 0
}
