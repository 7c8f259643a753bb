import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { askingOf, isOpenTo } from './content.ts'

/**
 * Counts the spaces that each of these members can open, among those that the viewer can open too. Members times spaces
 * would be too many pairs, and so would members times the grants to a team of everybody. So the spaces are numbered,
 * and what applies to everybody, to each team and to each member are sets of spaces, as bit strings. Each member
 * combines the few sets that concern them.
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
    with recursive ${askingOf(organizationId, userIds)},
    collection_levels (id, decided, open) as (
      select id, not inherits, level is not null from collections
      where organization_id = ${organizationId} and parent_id is null
      union all
      select c.id, not c.inherits or up.decided, case when c.inherits then up.open else c.level is not null end
      from collection_levels up join collections c on c.organization_id = ${organizationId} and c.parent_id = up.id),
    numbered as materialized (
      select s.id, s.collection_id, s.inherits, not s.inherits or coalesce(up.decided, false) as decided,
        case when s.inherits then coalesce(up.open, false) else s.level is not null end as open,
        row_number() over ()::int - 1 as number
      from spaces s left join collection_levels up on up.id = s.collection_id
      where s.organization_id = ${organizationId} and s.deleted_at is null
        and ${isOpenTo(organizationId, viewerId, sql`s.id`)}),
    -- By a level for everybody; where nothing is said, for those with a role in the organization.
    every as materialized (
      select count(*) as spaces, repeat('0', count(*)::int)::varbit as none,
        coalesce(string_agg((decided and open)::int::text, '' order by number), '')::varbit as open,
        coalesce(string_agg((not decided)::int::text, '' order by number), '')::varbit as undecided from numbered),
    memberships as materialized (
      select user_id, team_id from team_members where organization_id = ${organizationId}
        and user_id in (select user_id from asking where role is distinct from 'admin')),
    to_teams as materialized (
      select team_id, thing_id, (role is not null)::int as opens from team_grants
      where organization_id = ${organizationId} and team_id in (select team_id from memberships)),
    to_members as materialized (
      select user_id, thing_id, (role is not null)::int as opens from member_grants
      where organization_id = ${organizationId}
        and user_id in (select user_id from asking where role is distinct from 'admin')),
    granted as materialized (select thing_id from to_teams union select thing_id from to_members),
    -- What is said on a thing reaches down to where a level of its own ends it.
    reached_collections (thing_id, id, depth) as (
      select c.id, c.id, 1 from collections c
      where c.organization_id = ${organizationId} and c.id in (select thing_id from granted)
      union all
      select up.thing_id, c.id, up.depth + 1 from reached_collections up
      join collections c on c.organization_id = ${organizationId} and c.parent_id = up.id and c.inherits),
    reached (thing_id, number, depth) as materialized (
      select id, number, 0 from numbered where id in (select thing_id from granted)
      union all
      select up.thing_id, s.number, up.depth from reached_collections up
      join numbered s on s.collection_id = up.id and s.inherits),
    of_teams as materialized (
      select g.team_id, r.depth, bit_or(set_bit(every.none, r.number, 1)) as said,
        bit_or(set_bit(every.none, r.number, g.opens)) as opened
      from every, to_teams g join reached r on r.thing_id = g.thing_id group by g.team_id, r.depth),
    of_members as (
      select g.user_id, r.depth, bit_or(set_bit(every.none, r.number, 1)) as said,
        bit_or(set_bit(every.none, r.number, g.opens)) as opened
      from every, to_members g join reached r on r.thing_id = g.thing_id group by g.user_id, r.depth),
    -- On one thing, what was granted to the member goes before what was granted to teams.
    by_depth as (
      select user_id, depth, bit_or(own_said | team_said) as said,
        (bit_or(team_opened) & ~bit_or(own_said)) | bit_or(own_opened) as opened
      from (
        select user_id, depth, said as own_said, opened as own_opened, none as team_said, none as team_opened
        from every, of_members
        union all
        select m.user_id, t.depth, none, none, t.said, t.opened
        from every, memberships m join of_teams t on t.team_id = m.team_id) sets
      group by user_id, depth),
    -- Of several things, the nearest decides.
    deciding as (
      select user_id, said, opened & ~coalesce(bit_or(said) over (
        partition by user_id order by depth rows between unbounded preceding and 1 preceding), none) as opened
      from every, by_depth),
    decided as (
      select user_id, bit_or(said) as said, bit_or(opened) as opened from deciding group by user_id)
    select asking.user_id, case when asking.role = 'admin' then every.spaces else bit_count(
      ((open | case when asking.role is null then none else undecided end) & ~coalesce(d.said, none))
        | coalesce(d.opened, none)) end as spaces
    from every, asking left join decided d on d.user_id = asking.user_id`.asSlow(),
  )
  return new Map(rows.map(({ user_id, spaces }) => [user_id, spaces]))
}
