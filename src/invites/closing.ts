import { recordChange } from '../changes/record.ts'
import type { InviteRow, UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { deleteInvitesTo } from './queries.ts'

/**
 * Deletes the invites to this address. An invite that outlives its purpose would let a person back in whom an
 * administrator removed.
 */
export async function closeInvitesTo(
  tx: Transaction,
  organizationId: string,
  { email }: Pick<UserRow, 'email'>,
): Promise<void> {
  const closed = await deleteInvitesTo(tx, organizationId, email)
  for (const row of closed) recordChange(tx, { ...about(row), action: 'invite.deleted' })
}

export const about = (row: InviteRow) => ({
  organizationId: row.organization_id,
  target: { type: 'invite', id: row.id },
})
