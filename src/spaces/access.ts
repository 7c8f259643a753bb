import type { Caller } from '../access/caller.ts'
import { type SpaceAccess, accessSpace, findSpaceFor } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { notFound } from '../http/errors.ts'
import { type SpaceSeen, findDetails, listSpacesById, lockSpace } from './queries.ts'

/** Returns a space with everything that is shown of it. */
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

/**
 * Returns a space that the caller may change, locked. The rights are checked under the lock, so they still hold when it
 * is changed.
 */
export async function accessSpaceToChange(
  tx: Transaction,
  caller: Caller,
  spaceId: string,
): Promise<SpaceAccess & { seen: SpaceSeen }> {
  // Separate statements after the lock, so that they see what was committed while waiting for it.
  const [, access, details] = await Promise.all([
    lockSpace(tx, spaceId),
    accessSpace(tx, caller, spaceId, 'admin'),
    findDetails(tx, spaceId, caller.user.id),
  ])
  if (!details) throw notFound('space')
  return { ...access, seen: { ...access.space, ...details, role: access.role } }
}

/**
 * Returns a space that the caller has just changed. If that change removed the caller's own access, the answer still
 * shows the result once.
 */
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
