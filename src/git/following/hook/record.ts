import { recordChange } from '../../../changes/record.ts'
import type { GitFollowingRow, SpaceRow } from '../../../db/tables.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { about } from '../../../spaces/actions.ts'

type Space = Pick<SpaceRow, 'organization_id' | 'id'>

/** A hook goes with what it was for: the record tells of it, if there was one. */
export function recordHookGone(tx: Transaction, { organization_id, id }: Space, before?: GitFollowingRow): void {
  if (before === undefined || before.hook_id === null) return
  recordChange(tx, { ...about(organization_id, id), action: 'space.git-hook-removed' })
}
