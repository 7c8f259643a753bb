import type { OrganizationRow, UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { closeInvitesTo } from '../invites/closing.ts'
import { addMember } from './members.actions.ts'
import { isGuest } from './members.queries.ts'

/**
 * Adds a person with an address of the organization's domain as a member with the default role. An existing member
 * stays unchanged.
 */
export async function joinOrganization(tx: Transaction, organization: OrganizationRow, user: UserRow): Promise<void> {
  await addMember(tx, { organizationId: organization.id, userId: user.id, role: organization.default_role, sso: false })
  // If newcomers are guests, an invite that gives a role is still useful.
  if (!(await isGuest(tx, organization.id, user.id))) await closeInvitesTo(tx, organization.id, user)
}
