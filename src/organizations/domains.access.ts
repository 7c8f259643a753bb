import type { Caller, Membership } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import type { OrganizationRow, UserRow } from '../db/tables.ts'
import { findStanding } from './domains.queries.ts'
import { findOrganization, findOrganizationOfDomain } from './queries.ts'

/** The organization of an e-mail domain, for its members and for those who can join it. For others there is none. */
export async function findByDomain(db: Db, caller: Caller, domain: string): Promise<Membership | undefined> {
  const id = await findOrganizationOfDomain(db, domain)
  const organization = id && (await findOrganization(db, id))
  if (!organization) return undefined

  const { member, role, ownsTeam, shutOut, defaultSite } = await findStanding(db, organization.id, caller)
  if (shutOut || !(member || canJoin(caller.user, organization, domain))) return undefined
  return { organization, userId: caller.user.id, role, ownsTeam, outside: !member, defaultSite }
}

/**
 * An address that nobody proved to read is a mere claim. Where an organization insists on single sign-on, its provider says
 * who comes in: whoever left may still have a token, and an address that was proved once.
 */
function canJoin(user: UserRow, { sso }: OrganizationRow, domain: string): boolean {
  return !sso && user.email_verified && domainOf(user.email) === domain
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
