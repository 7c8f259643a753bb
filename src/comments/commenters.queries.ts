import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Page } from '../http/paging.ts'
import { type MemberFound, columns, withSpaces } from '../organizations/members.queries.ts'
import type { Place } from './place.ts'

/**
 * Lists the members who commented or replied in a place. People who have left the organization are not members, so they
 * are not included.
 */
export async function listCommenters(db: Db, place: Place, viewerId: string, page: Page) {
  const { organizationId, spaceId, changeRequestId } = place
  const said =
    changeRequestId === null
      ? sql`commenters s join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
        where s.organization_id = ${organizationId} and s.space_id = ${spaceId}`
      : sql`contributors s join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
        where s.organization_id = ${organizationId} and s.change_request_id = ${changeRequestId} and s.action = 'comment'`
  const behind = page.after ? sql`and s.user_id > ${page.after[0]}::uuid` : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<MemberFound>`
      with picked as materialized (
        select m.* from ${said} ${behind} order by s.user_id limit ${page.limit + 1})
      select ${columns} from picked m join users u on u.id = m.user_id order by m.user_id`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from ${said}`.asSlow()),
  ])
  return { rows: await withSpaces(db, organizationId, rows, viewerId), count }
}

/** Returns those of these people who commented or replied on a space. */
export async function listWhoCommented(
  db: Db,
  { organization_id, id }: Pick<SpaceRow, 'organization_id' | 'id'>,
  userIds: string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.all(sql<{ user_id: string }>`
    select user_id from commenters
    where organization_id = ${organization_id} and space_id = ${id} and user_id = any (${userIds}::uuid[])`)
  return new Set(rows.map(({ user_id }) => user_id))
}
