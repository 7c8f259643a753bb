import type { Db } from '../db/connect.ts'
import type { App } from '../http/routes.ts'
import { startPath } from '../oidc/addresses.ts'
import { findOrganizationByName, findOrganizationOfDomain } from '../organizations/queries.ts'
import { domainOf } from '../organizations/domains.access.ts'
import { providersOf } from '../saml/providers.ts'
import type { WayIn } from './login.page.ts'
import { findSoleOrganization } from './ways-in.queries.ts'

interface Sought {
  org?: string | undefined
  email?: string
}

/** Ways to sign in other than a code: the provider of this installation, and those of an organization. */
export async function findWaysIn({ db, config }: App, url: string, sought: Sought): Promise<WayIn[]> {
  const ofOrganization = await findWaysInOf(db, url, sought)
  return config.oidc ? [{ label: config.oidc.name, startUrl: url + startPath }, ...ofOrganization] : ofOrganization
}

/**
 * The single sign-on of the chosen organization, or of the one that the domain of the address belongs to, or of the
 * only organization. Never looks at memberships: that would reveal whether an address has an account.
 */
export async function findWaysInOf(db: Db, url: string, { org, email }: Sought): Promise<WayIn[]> {
  const id = await findOrganizationFor(db, org, email)
  return id === undefined ? [] : providersOf(db, id, url)
}

async function findOrganizationFor(db: Db, org?: string, email?: string): Promise<string | undefined> {
  if (org !== undefined) return (await findOrganizationByName(db, org))?.id
  const ofDomain = email?.includes('@') ? await findOrganizationOfDomain(db, domainOf(email)) : undefined
  return ofDomain ?? findSoleOrganization(db)
}
