import type { Database } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import { batch, removeInBatches } from '../jobs/in-batches.ts'
import type { Task } from '../jobs/task.ts'
import { daysKept } from './span.ts'

const tables = [
  sql`site_page_views`,
  sql`site_searches`,
  sql`site_missing_paths`,
  sql`site_page_ratings`,
  sql`site_page_remarks`,
]

/**
 * Removes counts that are older than the retention period, counts of sites that were deleted, and remarks on spaces
 * that were deleted.
 */
export const clearInsights: Task = {
  name: 'clear-insights',
  schedule: '23 2 * * *',
  async run({ db, log, stopping }) {
    const removers = tables.flatMap((table) => [() => removeOld(db, table), () => removeOfGone(db, table)])
    const removed = await removeInBatches([...removers, () => removeRemarksOfGone(db)], stopping)
    if (removed > 0) log.info({ removed }, 'removed old counts of what readers read')
  },
}

const removeOld = (db: Database, table: Statement) =>
  db.run(
    sql`delete from ${table} where ctid = any (array(
      select ctid from ${table} where day <= (now() at time zone 'utc')::date - ${daysKept}::int limit ${batch}))`.asSlow(),
  )

/** Skips from site to site, without reading every row of each. */
const removeOfGone = (db: Database, table: Statement) =>
  db.run(
    sql`with recursive counted as (
        (select organization_id, site_id from ${table} order by 1, 2 limit 1)
        union all
        select next.* from counted c, lateral (
          select t.organization_id, t.site_id from ${table} t
          where (t.organization_id, t.site_id) > (c.organization_id, c.site_id) order by 1, 2 limit 1) next),
      gone as (select * from counted c where not exists (
        select from sites s where s.organization_id = c.organization_id and s.id = c.site_id))
      delete from ${table} where ctid = any (array(
        select t.ctid from gone join ${table} t using (organization_id, site_id) limit ${batch}))`.asSlow(),
  )

/** Counts reveal nothing once their pages are gone, but the text of remarks might. */
const removeRemarksOfGone = (db: Database) =>
  db.run(
    sql`delete from site_page_remarks where ctid = any (array(
      select r.ctid from site_page_remarks r where not exists (
        select from spaces s where s.organization_id = r.organization_id and s.id = r.space_id) limit ${batch}))`.asSlow(),
  )
