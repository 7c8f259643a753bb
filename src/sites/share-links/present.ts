import type { Static } from 'typebox'
import type { ShareLinkRow } from '../../db/tables.ts'
import type { App } from '../../http/routes.ts'
import type { SiteAccess } from '../access.ts'
import { siteAddress } from '../addresses.ts'
import { keyPurpose } from './actions.ts'
import type { ShareLink } from './schema.ts'

/** Only for those who manage the site: the key opens it. */
export function presentShareLink(
  row: ShareLinkRow,
  { site, membership }: SiteAccess,
  { hosts, secrets }: Pick<App, 'hosts' | 'secrets'>,
): Static<typeof ShareLink> {
  const place = { ...site, organization_hostname: membership.organization.hostname }
  return {
    object: 'share-link',
    id: row.id,
    name: row.name,
    active: row.active,
    hasPassword: row.has_password,
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
    urls: { published: siteAddress(hosts, place, secrets.open(keyPurpose, row.key_sealed)) },
  }
}
