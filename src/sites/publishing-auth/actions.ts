import { recordChange } from '../../changes/record.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Secrets } from '../../secrets.ts'
import { updatePublishingAuth } from './queries.ts'
import { newSigningKey } from './signing-key.ts'
import { touchSite } from '../touch.ts'

/** Changes where visitors are sent. null removes an address. */
export async function changePublishingAuth(
  tx: Transaction,
  site: SiteRow,
  changes: { fallbackURL?: string | null | undefined; logoutURL?: string | null | undefined },
): Promise<SiteRow> {
  const { fallbackURL = site.auth_fallback_url, logoutURL = site.auth_logout_url } = changes
  const fields = [
    ...(fallbackURL === site.auth_fallback_url ? [] : ['fallbackURL']),
    ...(logoutURL === site.auth_logout_url ? [] : ['logoutURL']),
  ]
  if (fields.length === 0) return site
  const changed = { ...site, auth_fallback_url: fallbackURL, auth_logout_url: logoutURL }
  await updatePublishingAuth(tx, changed)
  recordChange(tx, { ...about(site), action: 'publishing-auth.updated', fields })
  touchSite(tx, site)
  return changed
}

/** Tokens that were signed with the previous key are no longer accepted. */
export async function regeneratePublishingAuth(tx: Transaction, secrets: Secrets, site: SiteRow): Promise<SiteRow> {
  const changed = { ...site, auth_key: newSigningKey(secrets) }
  await updatePublishingAuth(tx, changed)
  recordChange(tx, { ...about(site), action: 'publishing-auth.regenerated', fields: ['privateKey'] })
  touchSite(tx, site)
  return changed
}

const about = ({ organization_id, id }: SiteRow) => ({ organizationId: organization_id, target: { type: 'site', id } })
