import pg from 'pg'
import { recordChange } from '../changes/record.ts'
import { type Database, DatabaseUnavailable } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { SpaceRow } from '../db/tables.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import { failpoint } from '../failpoints.ts'
import { batch, removeInBatches } from '../jobs/in-batches.ts'
import type { Task } from '../jobs/task.ts'
import { forgetSpace } from '../sites/structure/forget-space.ts'
import { about } from './actions.ts'
import { sweepBodies } from './bodies.queries.ts'
import { restorableFor } from './trash.queries.ts'

const tries = 10

type Key = Pick<SpaceRow, 'organization_id' | 'id'>

/**
 * Removes spaces that can no longer be restored, and the bodies that only they used. The sweep of files removes files
 * that nothing refers to any more.
 */
export const purgeSpaces: Task = {
  name: 'purge-spaces',
  schedule: '37 * * * *',
  async run({ db, log, stopping }) {
    const spaces = await db.all(
      sql<Key>`
      select organization_id, id from spaces where deleted_at < now() - ${restorableFor} order by deleted_at`.asSlow(),
    )
    let removed = 0
    for (const space of spaces) {
      if (stopping?.aborted) break
      try {
        if (await purgeSpace(db, space, stopping)) removed += 1
      } catch (error) {
        // A space that fails or takes too long must not hold up the others. If the database is unavailable, this query
        // fails as well and ends the run.
        if (error instanceof DatabaseUnavailable) await db.run(sql`select`)
        log.error({ err: error, spaceId: space.id }, 'a space could not be purged')
      }
    }
    if (removed > 0) log.info({ removed }, 'purged spaces from the trash')
  },
}

/**
 * Removes a space in batches, to keep transactions short. If the process stops, the next run continues. The bodies of a
 * batch of entries are swept in the same transaction, so that a crash between two batches leaves no bodies that nothing
 * would ever find again.
 */
async function purgeSpace(db: Database, space: Key, stopping: AbortSignal | undefined): Promise<boolean> {
  if (!(await transaction(db, nobody, (tx) => isGoneForGood(tx, space)))) return false
  const passing = async (point: string, removed: Promise<number>) => {
    const count = await removed
    failpoint(point)
    return count
  }
  const entries = () => again(() => transaction(db, nobody, (tx) => removeEntries(tx, space)))
  const rows = [sections, links, heads, conflicts, revisions, comments, requests].map((some) => some(space))
  await removeInBatches(
    [
      () => passing('purge.entries-gone', entries()),
      ...rows.map((statement) => () => passing('purge.rows-gone', db.run(statement))),
    ],
    stopping,
  )
  if (stopping?.aborted) return false
  await transaction(db, nobody, (tx) => removeSpace(tx, space))
  return true
}

/** Locks the space. If it is just being restored, this waits, and keeps it if that succeeded. */
async function isGoneForGood(tx: Transaction, { organization_id, id }: Key): Promise<boolean> {
  const found = await tx.find(sql`
    select from spaces where organization_id = ${organization_id} and id = ${id}
      and deleted_at < now() - ${restorableFor} for update`)
  return found !== undefined
}

async function removeEntries(tx: Transaction, { organization_id, id }: Key): Promise<number> {
  const rows = await tx.all(
    sql<{ doc: string | null }>`
    delete from entries where ctid = any (array(select e.ctid from lines l
      join entries e on e.organization_id = l.organization_id and e.line_id = l.id
      where l.organization_id = ${organization_id} and l.space_id = ${id} limit ${batch})) returning doc`.asSlow(),
  )
  await sweepBodies(tx, organization_id, [...new Set(rows.flatMap(({ doc }) => doc ?? []))])
  return rows.length
}

const ofLines =
  (table: Statement) =>
  ({ organization_id, id }: Key) =>
    sql`delete from ${table} where ctid = any (array(select t.ctid from lines l
      join ${table} t on t.organization_id = l.organization_id and t.line_id = l.id
      where l.organization_id = ${organization_id} and l.space_id = ${id} limit ${batch}))`.asSlow()

const links = ofLines(sql`links`)
const heads = ofLines(sql`heads`)
const conflicts = ofLines(sql`conflicts`)
const revisions = ofLines(sql`revisions`)

const sections = ({ organization_id, id }: Key) =>
  sql`delete from search_sections where ctid = any (array(select ctid from search_sections
    where organization_id = ${organization_id} and space_id = ${id} limit ${batch}))`.asSlow()

/** Replies and reactions are deleted with their comments. */
const comments = ({ organization_id, id }: Key) =>
  sql`delete from comments where ctid = any (array(select ctid from comments
    where organization_id = ${organization_id} and space_id = ${id} limit ${batch}))`.asSlow()

/** Everything that belongs to a change request is deleted with it. */
const requests = ({ organization_id, id }: Key) =>
  sql`delete from change_requests where ctid = any (array(select ctid from change_requests
    where organization_id = ${organization_id} and space_id = ${id} limit ${batch}))`.asSlow()

/** Grants and counters are deleted with the space. */
async function removeSpace(tx: Transaction, { organization_id, id }: Key): Promise<void> {
  await forgetSpace(tx, { organization_id, id })
  await tx.run(sql`
    delete from lines where organization_id = ${organization_id} and space_id = ${id} and main_id is not null`)
  await tx.run(sql`delete from lines where organization_id = ${organization_id} and space_id = ${id}`)
  await tx.run(sql`delete from linked_spaces where organization_id = ${organization_id} and target_space = ${id}`)
  const removed = await tx.run(sql`delete from spaces where organization_id = ${organization_id} and id = ${id}`)
  // If two nodes run at the same time, the second finds it already gone.
  if (removed > 0) recordChange(tx, { ...about(organization_id, id), action: 'space.purged' })
}

/**
 * Retries if a writer started to use a body at the moment it was being removed. The next attempt sees that it is in
 * use.
 */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== '23503' || attempt === tries) throw error
    }
  }
}
