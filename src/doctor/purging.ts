import { type Statement, join, sql } from '../db/sql.ts'
import { restorableFor } from '../spaces/trash.queries.ts'

/** Spaces that can no longer be restored: a purge removes them bit by bit, and a crash may have left it half done. */
const purging = sql`select p.organization_id, p.id from spaces p where p.deleted_at < now() - ${restorableFor}`

const ofSpaces = [
  sql`lines`,
  sql`change_requests`,
  sql`comments`,
  sql`commenters`,
  sql`space_counters`,
  sql`counter_slots`,
  sql`search_spaces`,
  sql`search_sections`,
].map((table) => beside(table, sql`t.space_id`, sql`select organization_id, id from purging`))

const ofLines = [sql`revisions`, sql`entries`, sql`heads`, sql`conflicts`, sql`links`].map((table) =>
  beside(table, sql`t.line_id`, sql`select organization_id, id from purging_lines`),
)

const ofRequests = [sql`contributors`, sql`request_counter_slots`].map((table) =>
  beside(table, sql`t.change_request_id`, sql`select organization_id, id from purging_requests`),
)

/**
 * A part of a `with` that replaces a table, without the rows that are being purged. Inside it, the name still refers to
 * the table itself.
 */
function beside(table: Statement, key: Statement, gone: Statement): Statement {
  return sql`${table} as not materialized (
    select t.* from ${table} t where (t.organization_id, ${key}) not in (${gone}))`
}

const views = join(
  [
    sql`purging as (${purging})`,
    sql`purging_lines as (select l.organization_id, l.id from lines l join purging p
      on p.organization_id = l.organization_id and p.id = l.space_id)`,
    sql`purging_requests as (select r.organization_id, r.id from change_requests r join purging p
      on p.organization_id = r.organization_id and p.id = r.space_id)`,
    beside(sql`spaces`, sql`t.id`, sql`select organization_id, id from purging`),
    ...ofSpaces,
    ...ofLines,
    ...ofRequests,
  ],
  sql`, `,
)

export const anyPurging = sql<{ any: boolean }>`select exists (${purging}) as any`.asSlow()

/** The same count without spaces that are being purged: what is left of those satisfies no invariant. */
export const besidesPurging = (broken: Statement<{ count: number }>) =>
  sql<{ count: number }>`with ${views} select count from (${broken}) broken`.asSlow()
