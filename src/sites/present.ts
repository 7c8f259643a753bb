import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import type { OrganizationRow } from '../db/tables.ts'
import { type Hosts, ownAddress, siteAddress } from './addresses.ts'
import type { SomeCustomization } from './customization/schema.ts'
import type { SiteSeen } from './queries.ts'
import { type Site, features } from './schema.ts'

/** `shareKey` is a key that currently opens the site. */
export function presentSite(
  row: SiteSeen,
  organization: OrganizationRow,
  hosts: Hosts,
  shareKey?: string,
): Static<typeof Site> {
  const place = { ...row, organization_hostname: organization.hostname }
  // A site that is opened by a share link has no address without the key.
  const isShown = row.published && (row.visibility !== 'share-link' || shareKey !== undefined)
  const { favicon } = row.customization as SomeCustomization
  return {
    object: 'site',
    id: row.id,
    type: row.type as Static<typeof Site>['type'],
    title: row.title,
    ...(favicon !== undefined && { icon: favicon }),
    ...(row.hostname !== null && { hostname: row.hostname }),
    basename: row.basename,
    ...(row.proxy !== null && { proxy: { origin: row.proxy, target: ownAddress(hosts, place) } }),
    visibility: row.visibility,
    published: row.published,
    siteSpaces: row.site_spaces,
    createdAt: row.created_at.toISOString(),
    adaptiveContent: { enabled: row.adaptive_enabled },
    agentsContext: row.agents_context,
    features,
    urls: {
      location: `${hosts.url}/v1/orgs/${row.organization_id}/sites/${row.id}`,
      app: `${hosts.url}${appPath.site(row.organization_id, row.id)}`,
      ...(isShown && { published: siteAddress(hosts, place, shareKey) }),
    },
  }
}
