import type { Db } from '../../db/connect.ts'
import type { SpaceRow } from '../../db/tables.ts'
import { findUser } from '../../users/queries.ts'
import { findLastOperation } from '../operations.queries.ts'
import { findGitSync } from '../queries.ts'
import type { FollowingParts } from './present.ts'
import { findFollowing } from './queries.ts'

/** Loads everything that is shown about the sync of a space; undefined if the space is not kept in sync. */
export async function loadFollowing(
  db: Db,
  { organization_id, id }: Pick<SpaceRow, 'organization_id' | 'id'>,
): Promise<FollowingParts | undefined> {
  const [row, sync, operation] = await Promise.all([
    findFollowing(db, organization_id, id),
    findGitSync(db, organization_id, id),
    findLastOperation(db, organization_id, id),
  ])
  if (!row) return undefined
  return { row, sync, operation, by: row.asked_by === null ? undefined : await findUser(db, row.asked_by) }
}
