import { type Statement, sql } from '../db/sql.ts'

/**
 * Determines which organization is next when several are waiting. Defines a table `turns` for the due rows of `queue`
 * (with `organization_id` and `due_at`), to be joined with these rows and ordered by `firstByTurns`: first the
 * organizations with the least work under way, and among those the ones that have waited longest for a turn. So no
 * organization waits for everything that another one has queued, and a single organization can use all places while no
 * other is waiting. `lastAt` is the time when the organization had its turn for a row.
 */
export const turnsIn = (queue: Statement, isUnderWay: Statement, lastAt: Statement): Statement => sql`
  turns as materialized (
    select waiting.organization_id, o.under_way, o.last_at
    from (select distinct organization_id from ${queue} where due_at <= now()) waiting
    cross join lateral (
      select count(*) filter (where ${isUnderWay} and due_at > now()) as under_way, max(${lastAt}) as last_at
      from ${queue} where organization_id = waiting.organization_id) o)`

export const firstByTurns = sql`turns.under_way, turns.last_at nulls first`
