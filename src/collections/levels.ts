import { collectionAround } from '../access/levels.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { CollectionRow } from '../db/tables.ts'
import { conflict } from '../http/errors.ts'
import type { Parent } from './tree.ts'

/**
 * Levels of collections in an organization, including the top level. Roles and levels of access are looked up from the
 * inside out: what is listed costs as many lookups as there are collections around it.
 */
export const collectionLevels = 100

export const tooManyLevels = `collections can be nested at most ${collectionLevels} levels deep`

/** Requires that there is room for a new collection below this parent, or for the given one with all that it contains. */
export async function requireRoom(db: Db, { organizationId, id }: Parent, moved?: CollectionRow): Promise<void> {
  if (id === null) return
  const { levels } = await db.one(sql<{ levels: number }>`
    with recursive up (depth, parent_id) as (
      select 1, parent_id from collections where organization_id = ${organizationId} and id = ${id}
      union all
      select up.depth + 1, around.parent_id from up
      cross join lateral ${collectionAround(sql`${organizationId}`, sql`up.parent_id`)} around),
    down (depth, id) as (
      select 1, ${moved?.id ?? null}::uuid
      union all
      select down.depth + 1, c.id from down
      join collections c on c.organization_id = ${organizationId} and c.parent_id = down.id)
    select (select max(depth) from up) + (select max(depth) from down) as levels`)
  if (levels > collectionLevels) throw conflict(`That is too deep: ${tooManyLevels}.`)
}
