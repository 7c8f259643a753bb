import type { Db } from '../db/connect.ts'
import { findOrganizationByName, findOrganizationOfDomain } from '../organizations/queries.ts'
import { domainOf } from '../organizations/domains.access.ts'
import { providersOf } from '../saml/providers.ts'
import type { WayIn } from './login.page.ts'
import { findSoleOrganization } from './ways-in.queries.ts'

/**
 * The single sign-on of the organization that was chosen, or that the domain of an address belongs to; where there is only
 * one organization, of that one. Never by who is a member: that would tell whether an address has an account.
 */
export async function findWaysIn(
  db: Db,
  url: string,
  { org, email }: { org?: string | undefined; email?: string },
): Promise<WayIn[]> {
  const id = await findOrganizationFor(db, org, email)
  return id === undefined ? [] : providersOf(db, id, url)
}

async function findOrganizationFor(db: Db, org?: string, email?: string): Promise<string | undefined> {
  if (org !== undefined) return (await findOrganizationByName(db, org))?.id
  const ofDomain = email?.includes('@') ? await findOrganizationOfDomain(db, domainOf(email)) : undefined
  return ofDomain ?? findSoleOrganization(db)
}
