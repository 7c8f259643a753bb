import type { OrganizationRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { App } from '../http/routes.ts'
import { createSpec } from '../openapi/actions.ts'
import { checkedUrl } from '../openapi/source.ts'
import { firstCharacters } from '../shortened.ts'
import { createSite } from '../sites/actions.ts'
import { changeOrganization } from './actions.ts'

export interface Furniture {
  withDefaultSite?: boolean
  openapiUrl?: string
  adminId: string
}

/** Adds what was requested together with a new organization. */
export async function furnish(
  tx: Transaction,
  { secrets, openapi }: App,
  organization: OrganizationRow,
  { withDefaultSite, openapiUrl, adminId }: Furniture,
): Promise<OrganizationRow> {
  const { id: organizationId, title } = organization
  if (openapiUrl !== undefined) {
    const url = checkedUrl('query.openapiUrl', openapiUrl)
    await createSpec(tx, { organizationId, slug: 'api', source: { url } })
    tx.afterCommit(() => openapi.wake())
  }
  if (!withDefaultSite) return organization
  const siteTitle = firstCharacters(title, 128).trim()
  const draft = { organizationId, creatorId: adminId, title: siteTitle, type: 'basic' } as const
  const site = await createSite(tx, secrets, { ...draft, visibility: 'public', spaces: 'sample' })
  return changeOrganization(tx, organization, { defaultContent: { type: 'site', site } })
}
