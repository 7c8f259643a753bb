import { isOpenTo } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/**
 * Counts how many spaces each of these teams opens, among those that the viewer can open: spaces that the team was
 * granted, and those in collections that it was granted, down to where an item has its own level or another grant to
 * the team. Walking the tree for each team would cost teams times spaces. Instead, the spaces below each collection
 * with a grant are counted once, and each grant adds or subtracts that number, according to the difference to the
 * team's next grant further up. Collections and spaces are looked up by key: with a plain join, all of the
 * organization's are read.
 */
export async function countOpenedSpaces(
  db: Db,
  organizationId: string,
  teamIds: string[],
  viewerId: string,
): Promise<Map<string, number>> {
  if (teamIds.length === 0) return new Map()
  const rows = await db.all(
    sql<{ team_id: string; spaces: number }>`
    with recursive said as materialized (
      select team_id, space_id, collection_id, (role is not null)::int as opens from team_grants
      where organization_id = ${organizationId} and team_id = any (${teamIds}::uuid[])),
    -- From a collection that is named, down to where a level of its own ends it.
    reached (named_id, id, depth) as (
      select distinct collection_id, collection_id, 0 from said where collection_id is not null
      union all
      select up.named_id, c.id, up.depth + 1 from reached up cross join lateral (select id from collections
        where organization_id = ${organizationId} and parent_id = up.id and inherits offset 0) c),
    -- All spaces that are named or lie there, as far as the viewer sees them.
    seen as materialized (
      select s.id, s.collection_id, s.inherits from (
        select s.* from (select distinct id from reached) c
        cross join lateral (select id, collection_id, inherits from spaces
          where organization_id = ${organizationId} and collection_id = c.id and inherits and deleted_at is null offset 0) s
        union
        select s.* from (select distinct space_id from said where space_id is not null) given
        cross join lateral (select id, collection_id, inherits from spaces
          where organization_id = ${organizationId} and id = given.space_id and deleted_at is null offset 0) s) s
      where ${isOpenTo(organizationId, viewerId, sql`s.id`)}),
    held as materialized (
      select collection_id as id, count(*) as spaces from seen where inherits group by collection_id),
    -- A collection that is named: how many spaces it stands for, and the one around it where that has a say in it.
    named as materialized (
      select c.id, case when c.inherits then c.parent_id end as up_id, below.spaces
      from (select named_id, sum(held.spaces)::int as spaces from reached join held on held.id = reached.id
        group by named_id) below
      cross join lateral (select id, inherits, parent_id from collections
        where organization_id = ${organizationId} and id = below.named_id offset 0) c),
    words as materialized (
      select said.team_id, named.up_id, said.opens * named.spaces as opened, named.spaces
      from said join named on named.id = said.collection_id
      union all
      select said.team_id, case when seen.inherits then seen.collection_id end, sum(said.opens), count(*)
      from said join seen on seen.id = said.space_id group by 1, 2),
    -- What was said about the team further up. Of all that is reached, only what lies around something named counts here.
    around as materialized (
      select reached.* from reached where id in (select up_id from words)),
    further_up as (
      select distinct on (asked.team_id, asked.up_id) asked.team_id, asked.up_id, said.opens
      from (select distinct team_id, up_id from words) asked join around on around.id = asked.up_id
      join said on said.team_id = asked.team_id and said.collection_id = around.named_id
      order by asked.team_id, asked.up_id, around.depth)
    select words.team_id, sum(words.opened - words.spaces * coalesce(further_up.opens, 0))::int as spaces from words
    left join further_up on further_up.team_id = words.team_id and further_up.up_id = words.up_id
    group by words.team_id`.asSlow(),
  )
  return new Map(rows.map(({ team_id, spaces }) => [team_id, spaces]))
}
