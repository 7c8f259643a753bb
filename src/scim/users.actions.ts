import { recordChange } from '../changes/record.ts'
import { constraintBroken } from '../db/constraints.ts'
import type { OrganizationRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { invalid, taken } from '../http/errors.ts'
import { isEmail } from '../http/formats.ts'
import { takeSsoInvite } from '../invites/actions.ts'
import { addMember, changeMember, removeMember } from '../organizations/members.actions.ts'
import { updateAddress } from '../saml/identities.queries.ts'
import { changeUser, createUser } from '../users/actions.ts'
import { lockUser } from '../users/queries.ts'
import type { Told } from './told.ts'
import {
  type ScimUserRow,
  findScimUser,
  isMemberNamed,
  lockFormerAccount,
  lockScimUser,
  upsertScimUser,
} from './users.queries.ts'

const here = () => taken('body.userName', 'Somebody with this name or address is a member already.')

/**
 * A member whom the identity provider of the organization told about. Like somebody who comes through its sign-in, they get
 * an account that belongs to the organization: whatever address is told, nobody becomes who has an account elsewhere.
 */
export async function takeIn(
  tx: Transaction,
  organization: OrganizationRow,
  told: Told & { userName: string },
): Promise<ScimUserRow> {
  const organizationId = organization.id
  const email = told.email ?? (isEmail(told.userName) ? told.userName : undefined)
  if (email === undefined) throw invalid('body.emails', 'required', 'is required where the userName is no address')
  if (await isMemberNamed(tx, organizationId, told.userName, email)) throw here()

  const userId = await accountFor(tx, organizationId, email, told.displayName)
  const invite = await takeSsoInvite(tx, organizationId, { id: userId, email })
  const role = told.role !== undefined ? told.role : invite ? invite.role : organization.default_role
  await addMember(tx, { organizationId, userId, role, sso: true })
  await nameIt(tx, { organizationId, userId, userName: told.userName, externalId: told.externalId ?? null })
  const member = (await lockScimUser(tx, organizationId, userId))!
  if (told.active === false) await changeMember(tx, member, { disabled: true })
  return (await findScimUser(tx, organizationId, userId))!
}

/** Name and address of somebody's own account are theirs: of these, only what they are here changes. */
export async function changeTold(tx: Transaction, row: ScimUserRow, told: Told): Promise<ScimUserRow> {
  const { organization_id: organizationId, user_id: userId } = row
  await changeName(tx, row, told)
  await changeStanding(tx, row, told)
  if (row.is_at_home) await changeAccount(tx, row, told)
  return (await findScimUser(tx, organizationId, userId))!
}

export const letGo = (tx: Transaction, row: ScimUserRow) => removeMember(tx, row)

async function accountFor(
  tx: Transaction,
  organizationId: string,
  email: string,
  displayName: string | undefined,
): Promise<string> {
  const former = await lockFormerAccount(tx, organizationId, email)
  if (former) return former.id
  const draft = { email, emailVerified: false, homeOrganizationId: organizationId }
  return (await createUser(tx, { ...draft, ...(displayName !== undefined && { displayName }) }))!.id
}

async function changeName(tx: Transaction, row: ScimUserRow, told: Told): Promise<void> {
  const userName = told.userName ?? row.user_name ?? row.email
  const externalId = told.externalId === undefined ? row.external_id : told.externalId
  if (userName === row.user_name && externalId === row.external_id) return
  await nameIt(tx, { organizationId: row.organization_id, userId: row.user_id, userName, externalId })
}

const nameIt = (tx: Transaction, row: Parameters<typeof upsertScimUser>[1]) =>
  constraintBroken(upsertScimUser(tx, row), 'scim_users_by_name', here)

async function changeStanding(tx: Transaction, row: ScimUserRow, { active, role }: Told): Promise<void> {
  const changes = {
    ...(active !== undefined && active === row.disabled && { disabled: !active }),
    ...(role !== undefined && role !== row.role && { role }),
  }
  if (Object.keys(changes).length > 0) await changeMember(tx, row, changes)
}

async function changeAccount(tx: Transaction, row: ScimUserRow, told: Told): Promise<void> {
  const email = addressAfter(row, told)
  if (email !== row.email) {
    await updateAddress(tx, row.user_id, email)
    const target = { type: 'user', id: row.user_id }
    recordChange(tx, { organizationId: null, target, action: 'user.updated', fields: ['email'] })
  }
  const { displayName } = told
  if (displayName !== undefined && displayName !== row.display_name) {
    await changeUser(tx, await lockUser(tx, row.user_id), { display_name: displayName })
  }
}

/** Where the name was the address, a new name is the new address. */
function addressAfter(row: ScimUserRow, { email, userName }: Told): string {
  if (email !== undefined) return email
  const wasName = (row.user_name ?? row.email).toLowerCase() === row.email.toLowerCase()
  return wasName && userName !== undefined && isEmail(userName) ? userName : row.email
}
