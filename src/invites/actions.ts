import type { Caller } from '../access/caller.ts'
import type { Role } from '../access/roles.ts'
import { recordChange } from '../changes/record.ts'
import type { InviteRow, UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { ApiError, forbidden, invalid } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { type Secrets, hashOf, newSecret } from '../secrets.ts'
import { createToken } from '../tokens/actions.ts'
import { createUser } from '../users/actions.ts'
import { about, closeInvitesTo } from './closing.ts'
import { findStanding } from '../organizations/domains.queries.ts'
import {
  type Content,
  type NewInvite,
  type OpenInvite,
  countUse,
  deleteInvite,
  insertInvites,
  listMembersAmong,
  lockSsoInvite,
  updateInviteRole,
} from './queries.ts'
import { grantOnJoining } from '../grants/actions.ts'
import { addMember, promoteGuest } from '../organizations/members.actions.ts'
import { isAtHomeElsewhere, isGuest } from '../organizations/members.queries.ts'

const maxUsesPerMinute = 20

/**
 * Creates an invite for each address. Members get none, except guests who are to receive a role. A new invite replaces
 * an existing one for the same address.
 */
export async function inviteByEmail(
  tx: Transaction,
  secrets: Secrets,
  draft: { organizationId: string; people: { email: string; role: Role | null }[]; sso: boolean },
): Promise<InviteRow[]> {
  const { organizationId, people, sso } = draft
  const addresses = people.map(({ email }) => email)
  const members = await listMembersAmong(tx, organizationId, addresses)
  const wanting = people.filter(({ email, role }) => {
    const member = members.get(email)
    return !member || (member.is_guest && role !== null)
  })
  return keepInvites(
    tx,
    { organizationId, sso },
    wanting.map(({ email, role }) => newInvite(secrets, email, role)),
  )
}

/** Creates an invite for everyone who has its address, until it is deleted. */
export async function createLinkInvite(
  tx: Transaction,
  secrets: Secrets,
  draft: { organizationId: string; role: Role | null; to?: Content },
): Promise<InviteRow> {
  const { organizationId, role, to } = draft
  const [row] = await keepInvites(tx, { organizationId, sso: false, to }, [newInvite(secrets, null, role)])
  return row!
}

export async function changeInvite(tx: Transaction, row: InviteRow, role: Role | null): Promise<InviteRow> {
  if (role === row.role) return row
  await updateInviteRole(tx, row.id, role)
  const details = { role: role ?? 'guest', former: row.role ?? 'guest' }
  recordChange(tx, { ...about(row), action: 'invite.updated', fields: ['role'], details })
  return { ...row, role }
}

export async function removeInvite(tx: Transaction, row: InviteRow): Promise<void> {
  await deleteInvite(tx, row.id)
  recordChange(tx, { ...about(row), action: 'invite.deleted' })
}

/** Lets a caller with an account join. A member who has a role keeps it. */
export async function acceptInvite(tx: Transaction, invite: OpenInvite, caller: Caller): Promise<void> {
  refuseWhereClosed(invite)
  if (!invite.fits) throw forbidden('accept this invite: it is for a different e-mail address')
  const { shutOut } = await findStanding(tx, invite.organization_id, caller)
  if (shutOut) throw forbidden('join this organization: an administrator has shut you or your token out')
  if (await isAtHomeElsewhere(tx, invite.organization_id, caller.user.id)) {
    throw forbidden('join another organization: your account belongs to the one whose single sign-on you use')
  }
  await admit(tx, invite, caller.user)
}

/** Creates an account and its first token for a person who has none. */
export async function acceptInviteAsNewcomer(
  tx: Transaction,
  invite: OpenInvite,
  newcomer: { email: string; displayName?: string },
): Promise<{ user: UserRow; token: string }> {
  const user = await admitNewcomer(tx, invite, newcomer)
  const { secret } = await createToken(tx, { userId: user.id, label: 'Accepted an invite' })
  return { user, token: secret }
}

/**
 * Creates an account that joins at once. Its e-mail address is unverified: nobody proved that they receive its mail.
 */
export async function admitNewcomer(
  tx: Transaction,
  invite: OpenInvite,
  newcomer: { email: string; displayName?: string },
): Promise<UserRow> {
  refuseWhereClosed(invite)
  if (!invite.fits) throw invalid('body.email', 'invited', 'must be the address that the invite is for')
  const user = await createUser(tx, { ...newcomer, emailVerified: false })
  if (!user)
    throw new ApiError(
      'account_exists',
      'This e-mail address already has an account. Sign in first, then accept the invite.',
    )
  await admit(tx, invite, user)
  return user
}

/** Uses up the invite that waits for a person who signs in through single sign-on. It determines their role. */
export async function takeSsoInvite(
  tx: Transaction,
  organizationId: string,
  user: Pick<UserRow, 'id' | 'email'>,
): Promise<InviteRow | undefined> {
  const invite = await lockSsoInvite(tx, organizationId, user.email)
  if (!invite) return undefined
  recordChange(tx, { ...about(invite), actorId: user.id, action: 'invite.accepted' })
  await closeInvitesTo(tx, organizationId, user)
  return invite
}

function refuseWhereClosed({ email, invite_links, only_sso }: OpenInvite): void {
  if (email === null && !invite_links) {
    throw forbidden('use this link: its organization has switched invite links off')
  }
  if (only_sso) throw forbidden('join this organization but by its single sign-on')
}

async function admit(tx: Transaction, invite: OpenInvite, user: UserRow): Promise<void> {
  const { organization_id: organizationId, sso } = invite
  const to = contentOf(invite)
  const membership = { organizationId, userId: user.id, role: to ? null : invite.role, sso }
  const isNew = (await addMember(tx, membership)) || (await promoteGuest(tx, membership))
  const isGranted = to !== undefined && (await grantOnJoining(tx, { organizationId, ...to }, user.id, invite.role))
  if (isNew || isGranted) {
    if (invite.email === null) await refuseTooManyUses(tx, invite)
    recordChange(tx, { ...about(invite), action: 'invite.accepted' })
  }
  // A person who became a guest can still use their own invite to receive a role.
  if (invite.email !== null || !(await isGuest(tx, organizationId, user.id))) {
    await closeInvitesTo(tx, organizationId, user)
  }
}

/** The content that the invite leads to, if any. */
export function contentOf({ space_id, collection_id }: InviteRow): Content | undefined {
  if (space_id !== null) return { type: 'space', id: space_id }
  return collection_id === null ? undefined : { type: 'collection', id: collection_id }
}

/** Counts in the same transaction as the membership: a refusal leaves neither behind. */
async function refuseTooManyUses(tx: Transaction, invite: InviteRow): Promise<void> {
  const { uses, seconds_left } = await countUse(tx, invite.id)
  if (uses <= maxUsesPerMinute) return
  throw new ApiError('rate_limited', 'Too many people are using this link right now. Wait a minute, then try again.', {
    headers: { 'retry-after': String(Math.max(1, seconds_left)) },
  })
}

function newInvite(secrets: Secrets, email: string | null, role: Role | null): NewInvite {
  const secret = newSecret()
  return { id: newId(), email, role, secretHash: hashOf(secret), secretSealed: secrets.seal('invite', secret) }
}

async function keepInvites(
  tx: Transaction,
  common: { organizationId: string; sso: boolean; to?: Content },
  invites: NewInvite[],
): Promise<InviteRow[]> {
  const rows = await insertInvites(tx, { ...common, createdBy: tx.by.actorId }, invites)
  for (const row of rows)
    recordChange(tx, { ...about(row), action: 'invite.created', details: { role: row.role ?? 'guest' } })
  return rows
}
