import { isDeepStrictEqual } from 'node:util'
import type { Role } from '../access/roles.ts'
import { changedFields } from '../changes/changed-fields.ts'
import { recordChange } from '../changes/record.ts'
import type { MemberRow, UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { ApiError } from '../http/errors.ts'
import { closeInvitesTo } from '../invites/closing.ts'
import { deleteMember, insertMember, lockAdministrators, updateGuest, updateMember } from './members.queries.ts'

/** Returns false if the person is a member already. Nothing changes then. */
export async function addMember(
  tx: Transaction,
  draft: { organizationId: string; userId: string; role: Role | null; sso: boolean },
): Promise<boolean> {
  if (!(await insertMember(tx, draft))) return false
  const details = { role: wordFor(draft.role) }
  recordChange(tx, { ...about(draft.organizationId, draft.userId), action: 'member.added', details })
  return true
}

/** Gives a guest a role. Returns false if the person has one already, or if none is given. Nothing changes then. */
export async function promoteGuest(
  tx: Transaction,
  draft: { organizationId: string; userId: string; role: Role | null; sso: boolean },
): Promise<boolean> {
  if (draft.role === null || !(await updateGuest(tx, draft))) return false
  const fields = draft.sso ? ['role', 'sso'] : ['role']
  const details = { role: draft.role, former: wordFor(null) }
  recordChange(tx, { ...about(draft.organizationId, draft.userId), action: 'member.updated', fields, details })
  return true
}

/** Setting a field to the value it already has is not a change. */
export async function changeMember<Row extends MemberRow>(
  tx: Transaction,
  row: Row,
  changes: Partial<Pick<MemberRow, 'role' | 'disabled' | 'sso'>>,
): Promise<Row> {
  const changed = { ...row, ...changes }
  if (isDeepStrictEqual(changed, row)) return row
  if (changed.role !== 'admin' || changed.disabled) await keepAnAdministrator(tx, row)
  await updateMember(tx, changed)
  recordChange(tx, {
    ...about(row.organization_id, row.user_id),
    action: 'member.updated',
    fields: changedFields<MemberRow>(changed, row, { role: ['role'], disabled: ['disabled'], sso: ['sso'] }),
    details: saidOf(row, changed),
  })
  return changed
}

/** Also closes the invites that a guest has not used yet. */
export async function removeMember(tx: Transaction, row: MemberRow & Pick<UserRow, 'email'>): Promise<void> {
  await keepAnAdministrator(tx, row)
  await deleteMember(tx, row.organization_id, row.user_id)
  await closeInvitesTo(tx, row.organization_id, row)
  const details = { former: wordFor(row.role) }
  recordChange(tx, { ...about(row.organization_id, row.user_id), action: 'member.removed', details })
}

/**
 * The details recorded about a change: who became administrator or was disabled is what people look for in the record.
 */
const saidOf = (row: MemberRow, { role, disabled }: MemberRow) => ({
  ...(role !== row.role && { role: wordFor(role), former: wordFor(row.role) }),
  ...(disabled !== row.disabled && { disabled: String(disabled) }),
})

const wordFor = (role: Role | null) => role ?? 'guest'

/** An organization without an administrator could never get one again. */
async function keepAnAdministrator(tx: Transaction, leaving: MemberRow): Promise<void> {
  if (leaving.role !== 'admin' || leaving.disabled) return
  const administrators = await lockAdministrators(tx, leaving.organization_id)
  if (administrators.some((userId) => userId !== leaving.user_id)) return
  throw new ApiError('last_administrator', 'This is the last administrator. Make somebody else an administrator first.')
}

const about = (organizationId: string, userId: string) => ({ organizationId, target: { type: 'member', id: userId } })
