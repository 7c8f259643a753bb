import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { SpaceRow } from '../db/tables.ts'
import { type LineRow, asLine, lineColumns } from '../revisions/lines.ts'
import { type Opened, type OpenedRow, asOpened, openedColumns } from '../revisions/opened.ts'

/** A space whose content is to be changed directly, with its main line and the named entries. */
export async function findSpaceToEdit(
  db: Db,
  organizationId: string,
  spaceId: string,
  entries: readonly string[],
): Promise<{ edit_mode: SpaceRow['edit_mode']; main: Opened } | undefined> {
  const found = await db.find(sql<LineRow & OpenedRow & Pick<SpaceRow, 'edit_mode'>>`
    select s.edit_mode, ${lineColumns}, ${openedColumns(sql`l`, entries)}
    from spaces s join lines l on l.organization_id = s.organization_id and l.space_id = s.id and l.main_id is null
    where s.organization_id = ${organizationId} and s.id = ${spaceId} and s.deleted_at is null`)
  return found && { edit_mode: found.edit_mode, main: asOpened(asLine(found), entries, found) }
}

/**
 * The condition for a write to main (see `sendCommit`): the space is not in the trash. Locking a space waits for writes
 * in progress, and they for it. The row is locked, because only then its current version is seen after the wait; `for
 * key share` would accept the old one.
 */
export function stillThere(organizationId: string, spaceId: string, besides: Statement = nothing) {
  return sql`
    select 1 from line, spaces s
    where s.organization_id = ${organizationId} and s.id = ${spaceId} and s.deleted_at is null ${besides}
    for share of s`
}

/** The same for direct edits: the space must also still be live. */
export const stillLive = (organizationId: string, spaceId: string) =>
  stillThere(organizationId, spaceId, sql`and s.edit_mode = 'live'`)
