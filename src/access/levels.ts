import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { CollectionRow } from '../db/tables.ts'

/** The level that a thing sets for everybody. A thing that inherits has none. */
export type Level = Pick<CollectionRow, 'inherits' | 'level'>

/**
 * The level shown for a thing: its own, otherwise the nearest one above it, otherwise the default role of the
 * organization.
 */
export function shownLevel(thing: Statement, up: Statement): Statement {
  const ofNewcomers = sql`(select default_role from organizations where id = ${thing}.organization_id)`
  // Most things need no walk up, and lists ask for many of them.
  return sql`case when not ${thing}.inherits then ${thing}.level when ${up} is null then ${ofNewcomers} else (
    ${chain(sql`select 0, ${up}, ${thing}.inherits, ${thing}.level`, sql`${thing}.organization_id`)}
    select case when inherits then ${ofNewcomers} else level end from chain order by depth desc limit 1) end`
}

/**
 * Returns the level that applied to a thing inside this collection, to become its own when it leaves the collection.
 */
export async function findLevelIn(db: Db, organizationId: string, collectionId: string | null): Promise<Level> {
  const start = sql`select 0, ${collectionId}::uuid, true, null::role`
  return db.one(sql<Level>`
    ${chain(start, sql`${organizationId}`)} select inherits, level from chain order by depth desc limit 1`)
}

/**
 * The collection around something, for a lateral join. The limit forces a lookup by key: with a plain join, all
 * collections of the organization are read at every step up, for each of the thousand things of a list.
 */
export const collectionAround = (organizationId: Statement, up: Statement) => sql`(
        select * from collections where organization_id = ${organizationId} and id = ${up} limit 1)`

/** Walks up from a thing to the first one that has a level of its own. */
function chain(start: Statement, organizationId: Statement): Statement {
  return sql`with recursive chain (depth, up, inherits, level) as (
      ${start}
      union all
      select chain.depth + 1, around.parent_id, around.inherits, around.level from chain
      cross join lateral ${collectionAround(organizationId, sql`chain.up`)} around
      where chain.inherits)`
}
