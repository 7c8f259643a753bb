import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import { presentTeam } from '../teams/present.ts'
import type { TeamSeen } from '../teams/queries.ts'
import { serviceOf } from './addresses.ts'
import type { SamlKey, SamlProvider } from './schema.ts'
import type { SamlKeyRow } from './keys/keys.queries.ts'
import { type SamlProviderRow, isReady } from './queries.ts'

/** `team` is the team that newcomers join, as `viewer` sees it. */
export function presentProvider(
  row: SamlProviderRow,
  keys: SamlKeyRow[],
  team: TeamSeen | undefined,
  viewer: Membership,
  url: string,
): Static<typeof SamlProvider> {
  const { acsURL, startURL, entityID } = serviceOf(url, row)
  return {
    object: 'saml-provider',
    id: row.id,
    label: row.label,
    ssoURL: row.sso_url ?? '',
    entityID: row.entity_id ?? '',
    certificate: row.certificate ?? '',
    ...(row.certificate_expires_at !== null && { certificateExpiresAt: row.certificate_expires_at.toISOString() }),
    ...(team && { defaultTeam: presentTeam(team, viewer) }),
    defaultRole: row.default_role,
    signRequests: row.sign_requests,
    keys: keys.map((key, at) => presentKey(key, at === 0)),
    createdAt: row.created_at.toISOString(),
    status: isReady(row) ? 'active' : 'pending',
    service: { acsURL, startURL, entityID },
    urls: { location: `${url}/v1/orgs/${row.organization_id}/saml/${row.id}` },
  }
}

/** Without its secret part, which nobody sees. */
export function presentKey(row: SamlKeyRow, isCurrent: boolean): Static<typeof SamlKey> {
  return {
    object: 'saml-key',
    id: row.id,
    use: isCurrent ? 'current' : 'next',
    certificate: row.certificate,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}
