import { recordChange } from '../changes/record.ts'
import type { UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { firstCharacters } from '../shortened.ts'
import { insertUser, updateUser } from './queries.ts'

/**
 * Creates an account. Returns undefined if the address already has one. An account that belongs to an organization may
 * share the address.
 */
export async function createUser(
  tx: Transaction,
  draft: { email: string; displayName?: string; emailVerified: boolean; homeOrganizationId?: string },
): Promise<UserRow | undefined> {
  const displayName = draft.displayName?.trim() || nameFrom(draft.email)
  const user = await insertUser(tx, {
    id: newId(),
    email: draft.email,
    displayName,
    emailVerified: draft.emailVerified,
    homeOrganizationId: draft.homeOrganizationId ?? null,
  })
  if (user) recordChange(tx, { ...about(user.id), action: 'user.created' })
  return user
}

export async function changeUser(
  tx: Transaction,
  row: UserRow,
  changes: Partial<Pick<UserRow, 'display_name' | 'photo_url' | 'email_verified' | 'instance_admin' | 'disabled'>>,
): Promise<UserRow> {
  const changed = { ...row, ...changes }
  await updateUser(tx, changed)
  recordChange(tx, { ...about(row.id), action: 'user.updated', fields: Object.keys(changes) })
  return changed
}

const about = (id: string) => ({ organizationId: null, target: { type: 'user', id } })

/** `jo.smith@example.com` → "jo.smith". */
const nameFrom = (email: string) => firstCharacters(email.split('@')[0]!, 64)
