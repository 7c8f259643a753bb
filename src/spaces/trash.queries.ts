import { contentRoles, spaceColumns } from '../access/content.ts'
import type { Level } from '../access/levels.ts'
import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { CollectionRow, SpaceRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'
import { type SpaceSeen, details, withDetails } from './queries.ts'

/** How long a deleted space can be restored. */
export const restorableFor = sql`interval '7 days'`

/**
 * Uses the current time and not the start of the transaction, because a transaction that restores a space may have
 * waited for one that removes it.
 */
const restorable = sql`s.deleted_at > clock_timestamp() - ${restorableFor}`

/** Lists the spaces that this member may restore, the one deleted last first. */
export async function listTrash(db: Db, organizationId: string, userId: string, page: Page) {
  const roles = sql`with recursive ${contentRoles(organizationId, userId)}`
  const mine = sql`s.organization_id = ${organizationId} and ${restorable} and r.role in ('create', 'admin')`
  const after = behind(page, sql`s.deleted_at, s.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<SpaceSeen>`
        ${roles}, picked as materialized (
          select s.id, r.role, r.parent from spaces s join space_roles r on r.id = s.id
          where ${mine} ${after} order by s.deleted_at desc, s.id desc limit ${page.limit + 1})
        select ${spaceColumns}, ${details}, picked.role, picked.parent as seen_parent
        from picked join ${withDetails(sql`false`)} on s.id = picked.id
        order by s.deleted_at desc, s.id desc`.asSlow(),
    ),
    db.one(
      sql<{ count: number }>`
        ${roles} select count(*) from spaces s join space_roles r on r.id = s.id where ${mine}`.asSlow(),
    ),
  ])
  return { rows, count }
}

export async function canBeRestored(db: Db, { organization_id, id }: SpaceRow): Promise<boolean> {
  const found = await db.find(sql`
    select from spaces s where s.organization_id = ${organization_id} and s.id = ${id} and ${restorable}`)
  return found !== undefined
}

/**
 * Called when a collection is removed or transferred: its spaces in the trash, or only these, keep the level that they
 * had through it.
 */
export async function takeOutOfCollection(
  db: Db,
  { organization_id, id }: Pick<CollectionRow, 'organization_id' | 'id'>,
  { inherits, level }: Level,
  spaceIds?: string[],
): Promise<void> {
  await db.run(sql`
    update spaces set collection_id = null, inherits = case when inherits then ${inherits} else false end,
      level = case when inherits then ${level}::role else level end
    where organization_id = ${organization_id} and collection_id = ${id} and deleted_at is not null
      ${spaceIds === undefined ? nothing : sql`and id = any (${spaceIds}::uuid[])`}`)
}
