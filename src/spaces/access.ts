import type { Caller } from '../access/caller.ts'
import { type SpaceAccess, accessSpace, findSpaceFor } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { notFound } from '../http/errors.ts'
import { type SpaceSeen, findDetails, listSpacesById, lockSpace } from './queries.ts'

/** A space with all that is shown of it. */
export async function seeSpace(
  db: Db,
  caller: Caller,
  spaceId: string,
  { shareKey }: { shareKey?: string } = {},
): Promise<SpaceSeen> {
  const [{ space, role }, details] = await Promise.all([
    accessSpace(db, caller, spaceId, 'view'),
    findDetails(db, spaceId, caller.user.id, shareKey),
  ])
  if (!details) throw notFound('space')
  return { ...space, ...details, role }
}

/** One that the caller may change, locked: the rights that are checked are those that hold when it is changed. */
export async function accessSpaceToChange(
  tx: Transaction,
  caller: Caller,
  spaceId: string,
): Promise<SpaceAccess & { seen: SpaceSeen }> {
  // Statements of their own behind the lock, so that they see what was committed while it was waited for.
  const [, access, details] = await Promise.all([
    lockSpace(tx, spaceId),
    accessSpace(tx, caller, spaceId, 'admin'),
    findDetails(tx, spaceId, caller.user.id),
  ])
  if (!details) throw notFound('space')
  return { ...access, seen: { ...access.space, ...details, role: access.role } }
}

/** One that the caller has just changed. Whoever shut themselves out by that is shown it once more. */
export async function seeChangedSpace(
  tx: Transaction,
  caller: Caller,
  { organization_id, id }: SpaceRow,
): Promise<SpaceSeen> {
  const [access, spaces] = await Promise.all([
    findSpaceFor(tx, caller, id),
    listSpacesById(tx, organization_id, caller.user.id, [id]),
  ])
  const space = spaces.get(id)
  if (!space) throw notFound('space')
  return { ...space, role: access?.role ?? null }
}
