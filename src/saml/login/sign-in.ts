import { recordChange } from '../../changes/record.ts'
import type { Transaction } from '../../db/transaction.ts'
import { takeSsoInvite } from '../../invites/actions.ts'
import { addMember } from '../../organizations/members.actions.ts'
import { endWaysIn } from '../../sessions/sign-in.ts'
import { putTeamMembers } from '../../teams/members.actions.ts'
import { createUser } from '../../users/actions.ts'
import type { Asserted } from '../answers/assertion.ts'
import {
  type KnownPerson,
  bringHome,
  findIdentity,
  findShutOut,
  holdAddresses,
  holdName,
  insertIdentity,
  lockAwaited,
  updateAddress,
} from './identities.queries.ts'
import { LoginRefused } from './refusal.ts'
import type { SamlProviderRow } from '../queries.ts'

/**
 * Returns the account of a person named by a provider. It is found by that name alone. The first time, an account that
 * awaits the address is adopted, or a new one is created. Whatever address the provider asserts, nobody takes over the
 * account of a person who is known elsewhere.
 */
export async function findOrMakePerson(tx: Transaction, provider: SamlProviderRow, who: Asserted): Promise<string> {
  await holdName(tx, provider, who.nameId)
  const known = await findIdentity(tx, provider, who.nameId)
  if (known) return comeAgain(tx, provider, known, who)

  await refuseShutOut(tx, provider, who)
  const userId = (await adopt(tx, provider, who)) ?? (await makeAccount(tx, provider, who))
  await insertIdentity(tx, provider, who.nameId, userId)
  recordChange(tx, {
    organizationId: provider.organization_id,
    actorId: userId,
    target: { type: 'member', id: userId },
    action: 'member.linked',
    details: { provider: provider.id },
  })
  return userId
}

/** A person whose other account here is disabled does not come back with a new one. */
async function refuseShutOut(tx: Transaction, { organization_id }: SamlProviderRow, { email }: Asserted) {
  await holdAddresses(tx, organization_id, [email])
  const shutOut = await findShutOut(tx, organization_id, email)
  if (shutOut) throw new LoginRefused('disabled', { userId: shutOut.id })
}

/** A person who was removed in the meantime is a newcomer again; a disabled one stays out. */
async function comeAgain(
  tx: Transaction,
  provider: SamlProviderRow,
  known: KnownPerson,
  who: Asserted,
): Promise<string> {
  const { email } = who
  const { user_id: userId } = known
  if (known.disabled) throw new LoginRefused('disabled', { userId })
  if (!known.is_member) {
    await refuseShutOut(tx, provider, who)
    await join(tx, provider, userId, email)
  }
  if (known.is_at_home && known.email !== email) {
    await updateAddress(tx, userId, email)
    const changed = { actorId: userId, fields: ['email'] }
    recordChange(tx, { ...changed, organizationId: null, target: { type: 'user', id: userId }, action: 'user.updated' })
    // The organization's administrators look for it in their own record, which also contains changes by SCIM.
    const { organization_id: organizationId } = provider
    recordChange(tx, { ...changed, organizationId, target: { type: 'member', id: userId }, action: 'member.updated' })
  }
  return userId
}

async function adopt(tx: Transaction, { organization_id }: SamlProviderRow, { email }: Asserted) {
  const awaited = await lockAwaited(tx, organization_id, email)
  if (!awaited) return undefined
  if (awaited.is_at_home) return awaited.id
  // Someone else may have created the account, hoping that the owner of the address comes one day.
  if (!awaited.email_verified) await endWaysIn(tx, awaited.id)
  await bringHome(tx, organization_id, awaited.id)
  return awaited.id
}

async function makeAccount(tx: Transaction, provider: SamlProviderRow, who: Asserted): Promise<string> {
  const { email, displayName } = who
  const homeOrganizationId = provider.organization_id
  const user = await createUser(tx, { email, displayName, emailVerified: false, homeOrganizationId })
  await join(tx, provider, user!.id, email)
  return user!.id
}

/**
 * Adds a member with the role of an administrator's invite for this address, or else the default role of the provider.
 */
async function join(tx: Transaction, provider: SamlProviderRow, userId: string, email: string): Promise<void> {
  const { organization_id: organizationId, default_role, default_team_id: teamId } = provider
  const invite = await takeSsoInvite(tx, organizationId, { id: userId, email })
  await addMember(tx, { organizationId, userId, role: invite ? invite.role : default_role, sso: true })
  if (teamId === null) return
  await putTeamMembers(tx, { organization_id: organizationId, id: teamId }, new Map([[userId, undefined]]))
}
