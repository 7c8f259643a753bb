import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import { presentTeam } from '../teams/present.ts'
import type { TeamSeen } from '../teams/queries.ts'
import { serviceOf } from './addresses.ts'
import type { SamlProvider } from './schema.ts'
import { type SamlProviderRow, isReady } from './queries.ts'

/** `team` is the one that newcomers join, as `viewer` sees it. */
export function presentProvider(
  row: SamlProviderRow,
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
    createdAt: row.created_at.toISOString(),
    status: isReady(row) ? 'active' : 'pending',
    service: { acsURL, startURL, entityID },
    urls: { location: `${url}/v1/orgs/${row.organization_id}/saml/${row.id}` },
  }
}
