import { recordChange } from '../../../changes/record.ts'
import type { GitFollowingRow, SpaceRow } from '../../../db/tables.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { about } from '../../../spaces/actions.ts'

type Space = Pick<SpaceRow, 'organization_id' | 'id'>

/** Records that a hook was removed, if there was one. A hook is also removed when its sync ends. */
export function recordHookGone(tx: Transaction, { organization_id, id }: Space, before?: GitFollowingRow): void {
  if (before === undefined || before.hook_id === null) return
  recordChange(tx, { ...about(organization_id, id), action: 'space.git-hook-removed' })
}
