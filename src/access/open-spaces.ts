import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { grantsTo, isOpenTo } from './content.ts'

/**
 * How many spaces each of these members can open, of those that the viewer can open too. Members times spaces would be
 * too many pairs to look at, so it is counted what holds for everybody, and then corrected where something was granted;
 * members to whom the same was granted are looked at once.
 */
export async function countOpenSpaces(
  db: Db,
  organizationId: string,
  userIds: string[],
  viewerId: string,
): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db.all(
    sql<{ user_id: string; spaces: number }>`
    with recursive ${grantsTo(organizationId, userIds)},
    alike as (
      select user_id, asking.role is null as guest, array_agg(thing_id order by thing_id) as things,
        array_agg(said.role is not null order by thing_id) as opens
      from asking join said using (user_id) where asking.role is distinct from 'admin' group by user_id, asking.role),
    kinds as (
      select guest, things, opens, array_agg(user_id) as users, row_number() over () as kind from alike group by 1, 2, 3),
    granted as (
      select kind, guest, each.thing_id, each.opens from kinds, unnest(things, kinds.opens) each (thing_id, opens)),
    collection_levels (id, decided, open) as (
      select id, not inherits, level is not null from collections
      where organization_id = ${organizationId} and parent_id is null
      union all
      select c.id, not c.inherits or up.decided, case when c.inherits then up.open else c.level is not null end
      from collection_levels up join collections c on c.organization_id = ${organizationId} and c.parent_id = up.id),
    space_levels as materialized (
      select s.id, s.collection_id, s.inherits, not s.inherits or coalesce(up.decided, false) as decided,
        case when s.inherits then coalesce(up.open, false) else s.level is not null end as open
      from spaces s left join collection_levels up on up.id = s.collection_id
      where s.organization_id = ${organizationId} and s.deleted_at is null
        and ${isOpenTo(organizationId, viewerId, sql`s.id`)}),
    totals as (
      select count(*) as all_spaces, count(*) filter (where decided and open) as open,
        count(*) filter (where not decided) as undecided from space_levels),
    -- What is said on a thing reaches down to where a level of its own ends it.
    reached_collections (thing_id, id, depth) as (
      select c.id, c.id, 1 from collections c
      where c.organization_id = ${organizationId} and c.id in (select thing_id from granted)
      union all
      select up.thing_id, c.id, up.depth + 1 from reached_collections up
      join collections c on c.organization_id = ${organizationId} and c.parent_id = up.id and c.inherits),
    reached (thing_id, id, depth) as (
      select id, id, 0 from space_levels where id in (select thing_id from granted)
      union all
      select up.thing_id, s.id, up.depth from reached_collections up
      join space_levels s on s.collection_id = up.id and s.inherits),
    deciding as (
      select distinct on (g.kind, r.id) g.kind, g.guest, g.opens, r.id
      from granted g join reached r on r.thing_id = g.thing_id order by g.kind, r.id, r.depth),
    corrections as (
      select d.kind, sum(d.opens::int - case when s.decided then s.open else not d.guest end::int) as more
      from deciding d join space_levels s on s.id = d.id group by d.kind)
    select asking.user_id, case when asking.role = 'admin' then t.all_spaces
      else t.open + case when asking.role is null then 0 else t.undecided end + coalesce(x.more, 0) end as spaces
    from asking cross join totals t
    left join (select unnest(users) as user_id, kind from kinds) k on k.user_id = asking.user_id
    left join corrections x on x.kind = k.kind`.asSlow(),
  )
  return new Map(rows.map(({ user_id, spaces }) => [user_id, spaces]))
}
