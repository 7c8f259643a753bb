import type { Caller, Membership } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import type { OrganizationRow, UserRow } from '../db/tables.ts'
import { notFound } from '../http/errors.ts'
import { findStanding } from './domains.queries.ts'
import { findOrganization, findOrganizationOfDomain } from './queries.ts'

/**
 * Returns the organization of an e-mail domain, for its members and for people who can join it. For others it does not
 * exist.
 */
export async function findByDomain(db: Db, caller: Caller, domain: string): Promise<Membership | undefined> {
  const id = await findOrganizationOfDomain(db, domain)
  const organization = id && (await findOrganization(db, id))
  if (!organization) return undefined

  const { member, role, ownsTeam, shutOut, defaultSite } = await findStanding(db, organization.id, caller)
  if (shutOut || !(member || canJoin(caller.user, organization, domain))) return undefined
  return { organization, userId: caller.user.id, role, ownsTeam, outside: !member, defaultSite }
}

/** Returns the organization of the caller's own e-mail domain, if it is this one. */
export async function accessToJoin(db: Db, caller: Caller, organizationId: string): Promise<OrganizationRow> {
  const found = await findByDomain(db, caller, domainOf(caller.user.email))
  if (found?.organization.id !== organizationId) throw notFound('organization')
  return found.organization
}

/**
 * An unverified address is a mere claim. If an organization requires single sign-on, its provider decides who comes in:
 * a person who left may still have a token, and an address verified earlier.
 */
function canJoin(user: UserRow, { sso }: OrganizationRow, domain: string): boolean {
  return !sso && user.email_verified && domainOf(user.email) === domain
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
