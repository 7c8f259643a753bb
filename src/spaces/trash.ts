import type { Caller } from '../access/caller.ts'
import { type SpaceAccess, findEvenDeleted } from '../access/content.ts'
import { spaceRights } from '../access/rights.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, forbidden, notFound } from '../http/errors.ts'
import { restoreSpace } from './actions.ts'
import { lockSpace } from './queries.ts'
import { canBeRestored } from './trash.queries.ts'

/** Returns a space for callers who may restore it. While it is in the trash, nobody else can tell that it exists. */
export async function accessDeleted(db: Db, caller: Caller, spaceId: string): Promise<SpaceAccess> {
  const found = await findEvenDeleted(db, caller, spaceId)
  const mayRestore = found !== undefined && spaceRights(found.role).admin
  if (!found || (found.space.deleted_at !== null && !mayRestore)) throw notFound('space')
  if (!mayRestore) throw forbidden('restore this space')
  return found
}

/** `organizationId`: the organization that the space must be in, if the request names one. */
export async function takeFromTrash(
  tx: Transaction,
  caller: Caller,
  { spaceId, organizationId }: { spaceId: string; organizationId?: string },
): Promise<void> {
  await lockSpace(tx, spaceId)
  const { space } = await accessDeleted(tx, caller, spaceId)
  if (organizationId !== undefined && space.organization_id !== organizationId) throw notFound('space')
  if (space.deleted_at === null) throw conflict('This space is not deleted.')
  if (!(await canBeRestored(tx, space))) throw notFound('space')
  await restoreSpace(tx, space)
}
