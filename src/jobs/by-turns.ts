import { type Statement, sql } from '../db/sql.ts'

/**
 * Whose turn it is where several organizations wait, as a table `turns` for what is due in `queue` (of rows with
 * `organization_id` and `due_at`) to be joined with, and ordered by `firstByTurns`: theirs who have least under way, and of
 * those theirs who had none for the longest. So nobody waits for all that another organization has queued; as long as nobody
 * else waits, it has all places. `lastAt` says of a row when its organization had a turn for it.
 */
export const turnsIn = (queue: Statement, isUnderWay: Statement, lastAt: Statement): Statement => sql`
  turns as materialized (
    select waiting.organization_id, o.under_way, o.last_at
    from (select distinct organization_id from ${queue} where due_at <= now()) waiting
    cross join lateral (
      select count(*) filter (where ${isUnderWay} and due_at > now()) as under_way, max(${lastAt}) as last_at
      from ${queue} where organization_id = waiting.organization_id) o)`

export const firstByTurns = sql`turns.under_way, turns.last_at nulls first`
