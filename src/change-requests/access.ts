import type { Caller } from '../access/caller.ts'
import { type SpaceAccess, accessSpace } from '../access/content.ts'
import type { SpaceRight } from '../access/rights.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, notFound } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { type Line, lockLine } from '../revisions/lines.ts'
import { type ChangeRequest, findChangeRequest, findChangeRequestIn } from './queries.ts'

export type ChangeRequestAccess = SpaceAccess & { changeRequest: ChangeRequest }

/** Returns a change request of a space in which the caller has `right`; `name` is its id or its number there. */
export async function accessChangeRequest(
  db: Db,
  caller: Caller,
  { spaceId, changeRequestId: name }: { spaceId: string; changeRequestId: string },
  right: SpaceRight,
): Promise<ChangeRequestAccess> {
  const isName = isId(name) || /^\d{1,9}$/.test(name)
  // Both at once: what was found is not revealed before the space has granted access.
  const [access, changeRequest] = await Promise.all([
    accessSpace(db, caller, spaceId, right),
    isName ? findChangeRequestIn(db, spaceId, name) : undefined,
  ])
  if (changeRequest?.organization_id !== access.space.organization_id) throw notFound('change request')
  return { ...access, changeRequest }
}

/**
 * Locks a change request until the transaction ends, and returns it as it is once locked. The lock is the one on its
 * branch: everything that writes content there, merges it or changes its status takes it.
 */
export async function lockChangeRequest(
  tx: Transaction,
  { organization_id, space_id, line_id, id }: ChangeRequest,
): Promise<{ changeRequest: ChangeRequest; branch: Line }> {
  const [branch, changeRequest] = await Promise.all([
    lockLine(tx, organization_id, line_id),
    // A separate statement, so that it sees what was committed while waiting for the lock.
    findChangeRequest(tx, organization_id, space_id, id),
  ])
  if (!changeRequest) throw notFound('change request')
  return { changeRequest, branch }
}

/** The same, for everything that a merged change request refuses. */
export async function lockUnmerged(tx: Transaction, row: ChangeRequest) {
  const locked = await lockChangeRequest(tx, row)
  refuseMerged(locked.changeRequest)
  return locked
}

/** Refuses a change request whose content cannot be changed. */
export function refuseClosed(row: Pick<ChangeRequest, 'status'>): void {
  refuseMerged(row)
  if (row.status === 'archived') throw conflict('This change request is archived. Reopen it to change its content.')
}

function refuseMerged({ status }: Pick<ChangeRequest, 'status'>): void {
  if (status === 'merged') throw conflict('This change request is merged and can no longer be changed.')
}

/** Locks both lines for a merge: the branch, then main. */
export async function lockBothLines(
  tx: Transaction,
  { organization_id, line_id, main_id }: ChangeRequest,
): Promise<void> {
  await lockLine(tx, organization_id, line_id)
  await lockLine(tx, organization_id, main_id)
}
