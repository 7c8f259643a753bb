import { type Statement, sql } from '../db/sql.ts'
import { invariant } from './invariant.ts'

const perPlace = (place: Statement, which: Statement) => sql`
  select organization_id, ${place} as place, count(*) filter (where is_open) as open,
    count(*) filter (where not is_open) as resolved
  from comments where parent_id is null and ${which} group by 1, 2`

const shownBy = (slots: Statement, place: Statement) => sql`
  select organization_id, ${place} as place, sum(comments) as open, sum(comments_resolved) as resolved from ${slots}
  group by 1, 2`

const differ = (shown: Statement, are: Statement) => sql<{ count: number }>`
  select count(*) from (${shown}) shown full join (${are}) are using (organization_id, place)
  where (coalesce(shown.open, 0), coalesce(shown.resolved, 0)) <> (coalesce(are.open, 0), coalesce(are.resolved, 0))`

/** Invariants of comments that no constraint can enforce. */
export const commentInvariants = [
  invariant(
    'The comment counts of spaces are correct',
    differ(shownBy(sql`counter_slots`, sql`space_id`), perPlace(sql`space_id`, sql`change_request_id is null`)),
  ),
  invariant(
    'The comment counts of change requests are correct',
    differ(
      shownBy(sql`request_counter_slots`, sql`change_request_id`),
      perPlace(sql`change_request_id`, sql`change_request_id is not null`),
    ),
  ),
  invariant(
    'The reply counts of comments are correct, and replies belong where their comment does',
    sql`select (select count(*) from comments c where c.parent_id is null and c.replies <> (select count(*) from comments r
        where r.organization_id = c.organization_id and r.parent_id = c.id))
      + (select count(*) from comments r join comments c on c.organization_id = r.organization_id and c.id = r.parent_id
        where c.parent_id is not null or c.place_id <> r.place_id or c.space_id <> r.space_id) as count`,
  ),
  invariant(
    'Comments of change requests belong to the same space',
    sql`select count(*) from comments c join change_requests r on r.organization_id = c.organization_id
      and r.id = c.change_request_id where r.space_id <> c.space_id`,
  ),
  invariant(
    'Everybody who commented is recorded as a commenter',
    sql`select count(*) from (
        select organization_id, space_id as place, user_id, count from commenters
        union all
        select organization_id, change_request_id, user_id, count from contributors where action = 'comment') noted
      full join (
        select organization_id, place_id as place, author_id as user_id, count(*) from comments group by 1, 2, 3) are
        using (organization_id, place, user_id)
      where noted.count is distinct from are.count`,
  ),
]
