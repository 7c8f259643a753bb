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
 * Removes spaces that nobody can restore any more, and the bodies that only they used. Files that nothing names any
 * more are removed by the sweep of files.
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
        // The others must not wait for one that fails, or takes too long; where the database is away, this fails as well.
        if (error instanceof DatabaseUnavailable) await db.run(sql`select`)
        log.error({ err: error, spaceId: space.id }, 'a space could not be purged')
      }
    }
    if (removed > 0) log.info({ removed }, 'purged spaces from the trash')
  },
}

/**
 * In batches, so that no transaction is long; and where the process is to end, the next run goes on. What a batch of
 * entries pointed at is swept in its own transaction: a crash between two leaves nothing that nobody would find again.
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

/** Whoever is just restoring it has the lock: they are waited for, and where they succeeded it stays. */
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

/** Replies and reactions go with what they belong to. */
const comments = ({ organization_id, id }: Key) =>
  sql`delete from comments where ctid = any (array(select ctid from comments
    where organization_id = ${organization_id} and space_id = ${id} limit ${batch}))`.asSlow()

/** What belongs to a change request goes with it. */
const requests = ({ organization_id, id }: Key) =>
  sql`delete from change_requests where ctid = any (array(select ctid from change_requests
    where organization_id = ${organization_id} and space_id = ${id} limit ${batch}))`.asSlow()

/** Grants and counters go with it. */
async function removeSpace(tx: Transaction, { organization_id, id }: Key): Promise<void> {
  await forgetSpace(tx, { organization_id, id })
  await tx.run(sql`
    delete from lines where organization_id = ${organization_id} and space_id = ${id} and main_id is not null`)
  await tx.run(sql`delete from lines where organization_id = ${organization_id} and space_id = ${id}`)
  await tx.run(sql`delete from linked_spaces where organization_id = ${organization_id} and target_space = ${id}`)
  const removed = await tx.run(sql`delete from spaces where organization_id = ${organization_id} and id = ${id}`)
  // Where two nodes run at once, the second finds it gone.
  if (removed > 0) recordChange(tx, { ...about(organization_id, id), action: 'space.purged' })
}

/** A writer who took up a body in the moment it was removed has won; the next look finds it in use. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== '23503' || attempt === tries) throw error
    }
  }
}
