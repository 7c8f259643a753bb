import { nameFrom } from '../account/name.ts'
import { recordChange } from '../changes/record.ts'
import { constraintBroken } from '../db/constraints.ts'
import type { OrganizationRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { invalid, taken } from '../http/errors.ts'
import { isEmail } from '../http/formats.ts'
import { takeSsoInvite } from '../invites/actions.ts'
import { addMember, changeMember, removeMember } from '../organizations/members.actions.ts'
import { deleteIdentities, holdAddresses, updateAddress } from '../saml/login/identities.queries.ts'
import { endWaysIn } from '../sessions/sign-in.ts'
import { changeUser, createUser } from '../users/actions.ts'
import { lockUser } from '../users/queries.ts'
import { isInParts, namePartsOf } from './present.ts'
import type { Told } from './told.ts'
import {
  type ScimUserRow,
  findScimUser,
  isMemberNamed,
  lockFormerAccount,
  lockOtherAccounts,
  lockScimUser,
  upsertScimUser,
} from './users.queries.ts'

const here = () => taken('body.userName', 'Somebody with this name or address is already a member.')

/**
 * Adds a member whom the identity provider of the organization reported. Like a person who signs in through it, they
 * get an account that belongs to the organization. Whatever address is reported, nobody takes over the account of a
 * person who is known elsewhere.
 */
export async function takeIn(
  tx: Transaction,
  organization: OrganizationRow,
  told: Told & { userName: string },
): Promise<ScimUserRow> {
  const organizationId = organization.id
  const email = told.email ?? (isEmail(told.userName) ? told.userName : undefined)
  if (email === undefined)
    throw invalid('body.emails', 'required', 'is required if the userName is not an e-mail address')
  await holdAddresses(tx, organizationId, [told.userName, email])
  if (await isMemberNamed(tx, organizationId, { userName: told.userName, email })) throw here()

  const userId = await accountFor(tx, organizationId, email, told.displayName ?? joined(told))
  const invite = await takeSsoInvite(tx, organizationId, { id: userId, email })
  const role = told.role !== undefined ? told.role : invite ? invite.role : organization.default_role
  await addMember(tx, { organizationId, userId, role, sso: true })
  await nameIt(tx, {
    organization_id: organizationId,
    user_id: userId,
    user_name: told.userName,
    external_id: told.externalId ?? null,
    given_name: told.givenName ?? null,
    family_name: told.familyName ?? null,
  })
  const member = (await lockScimUser(tx, organizationId, userId))!
  if (told.active === false) await changeMember(tx, member, { disabled: true })
  return (await findScimUser(tx, organizationId, userId))!
}

/**
 * Name and address of a person's own account are theirs. Of such an account, only what concerns this organization
 * changes.
 */
export async function changeTold(tx: Transaction, row: ScimUserRow, told: Told): Promise<ScimUserRow> {
  const { organization_id: organizationId, user_id: userId } = row
  const [before, after] = [calledBy(row), calledAfter(row, told)]
  const fields = (Object.keys(after) as (keyof Called)[]).filter((name) => after[name] !== before[name])
  await refuseTaken(tx, row, fields, after)
  await changeNames(tx, row, told, after)
  await changeStanding(tx, row, told)
  await changeAccount(tx, row, after)
  if (fields.length > 0) {
    recordChange(tx, { organizationId, target: { type: 'member', id: userId }, action: 'member.updated', fields })
  }
  return (await findScimUser(tx, organizationId, userId))!
}

/** Removes all accounts that the person has here, so that they cannot come in by any of them. */
export async function letGo(tx: Transaction, row: ScimUserRow): Promise<void> {
  for (const account of [row, ...(await lockOtherAccounts(tx, row))]) await removeMember(tx, account)
}

async function accountFor(
  tx: Transaction,
  organizationId: string,
  email: string,
  displayName: string | undefined,
): Promise<string> {
  const former = await lockFormerAccount(tx, organizationId, email)
  if (former) {
    // An address changes hands: nobody else may get in with the former owner's credentials, or under a name that a
    // provider used for them.
    await endWaysIn(tx, former.id)
    await deleteIdentities(tx, organizationId, former.id)
    await callThem(tx, former.id, former.display_name, displayName)
    return former.id
  }
  const draft = { email, emailVerified: false, homeOrganizationId: organizationId }
  return (await createUser(tx, { ...draft, ...(displayName !== undefined && { displayName }) }))!.id
}

/** What a person is called, and where their mail goes. */
interface Called {
  userName: string
  externalId: string | null
  givenName: string | undefined
  familyName: string | undefined
  email: string
  displayName: string
}

const calledBy = (row: ScimUserRow): Called => ({
  userName: row.user_name ?? row.email,
  externalId: row.external_id,
  givenName: undefined,
  familyName: undefined,
  ...namePartsOf(row),
  email: row.email,
  displayName: row.display_name,
})

function calledAfter(row: ScimUserRow, told: Told): Called {
  const before = calledBy(row)
  const { userName, externalId, givenName, familyName } = { ...before, ...told }
  const called = { userName, externalId, givenName, familyName }
  if (!row.is_at_home) return { ...called, email: before.email, displayName: before.displayName }
  const isMadeOfParts = isInParts(row) && joined(before) === before.displayName
  // Some providers change one part and send back everything else as they have read it.
  const isRepeated = isMadeOfParts && told.displayName === before.displayName
  const displayName = isRepeated ? undefined : told.displayName
  const ofParts = hasParts(told) ? joined(called) : undefined
  return { ...called, email: addressAfter(before, told), displayName: displayName ?? ofParts ?? before.displayName }
}

const hasParts = ({ givenName, familyName }: Told) => givenName !== undefined || familyName !== undefined

const joined = ({ givenName, familyName }: Pick<Told, 'givenName' | 'familyName'>) =>
  givenName && familyName ? nameFrom(`${givenName} ${familyName}`) : undefined

/** Checks only what is new: two members who had the same address before can still be told apart by their ids. */
async function refuseTaken(tx: Transaction, row: ScimUserRow, fields: string[], after: Called): Promise<void> {
  const [userName, email] = (['userName', 'email'] as const).map((name) =>
    fields.includes(name) ? after[name] : undefined,
  )
  const names = [userName, email].filter((name) => name !== undefined)
  if (names.length === 0) return
  await holdAddresses(tx, row.organization_id, names)
  if (await isMemberNamed(tx, row.organization_id, { userName, email }, row.user_id)) throw here()
}

async function changeNames(tx: Transaction, row: ScimUserRow, told: Told, after: Called): Promise<void> {
  const { organization_id, user_id, user_name } = row
  const { userName, externalId: external_id } = after
  const { givenName = null, familyName = null } = hasParts(told) || isInParts(row) ? after : {}
  const names = { user_name: userName, external_id, given_name: givenName, family_name: familyName }
  const isSame = (['external_id', 'given_name', 'family_name'] as const).every((name) => names[name] === row[name])
  if (isSame && (userName === user_name || (await isNamedAlready(tx, row, told, after)))) return
  await nameIt(tx, { organization_id, user_id, ...names })
}

/**
 * Whether a member whose name is their address keeps it that way: if no name is reported, or if another member has that
 * name.
 */
async function isNamedAlready(tx: Transaction, row: ScimUserRow, told: Told, { userName }: Called): Promise<boolean> {
  if (row.user_name !== null || userName !== row.email) return false
  if (told.userName === undefined) return true
  return isMemberNamed(tx, row.organization_id, { userName, email: undefined }, row.user_id)
}

const nameIt = (tx: Transaction, row: Parameters<typeof upsertScimUser>[1]) =>
  constraintBroken(upsertScimUser(tx, row), 'scim_users_by_name', here)

async function changeStanding(tx: Transaction, row: ScimUserRow, { active, role }: Told): Promise<void> {
  const changes = {
    ...(active !== undefined && active === row.disabled && { disabled: !active }),
    ...(role !== undefined && role !== row.role && { role }),
  }
  if (Object.keys(changes).length > 0) await changeMember(tx, row, changes)
  // Providers report again and again that a person is active. If nothing changes by that, other accounts that an
  // administrator disabled in the meantime stay disabled.
  if (active === undefined || (active && !row.disabled)) return
  const others = await lockOtherAccounts(tx, row)
  for (const other of others.filter(({ disabled }) => disabled === active))
    await changeMember(tx, other, { disabled: !active })
}

async function changeAccount(tx: Transaction, row: ScimUserRow, { email, displayName }: Called): Promise<void> {
  if (email !== row.email) {
    await updateAddress(tx, row.user_id, email)
    const target = { type: 'user', id: row.user_id }
    recordChange(tx, { organizationId: null, target, action: 'user.updated', fields: ['email'] })
  }
  await callThem(tx, row.user_id, row.display_name, displayName)
}

async function callThem(tx: Transaction, userId: string, before: string, after: string | undefined): Promise<void> {
  if (after === undefined || after === before) return
  await changeUser(tx, await lockUser(tx, userId), { display_name: after })
}

/** If the name was the address, a new name is the new address. */
function addressAfter(before: Called, { email, userName }: Told): string {
  if (email !== undefined) return email
  const wasName = before.userName.toLowerCase() === before.email.toLowerCase()
  return wasName && userName !== undefined && isEmail(userName) ? userName : before.email
}
