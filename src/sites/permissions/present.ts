import type { Static } from 'typebox'
import { presentUser } from '../../users/present.ts'
import type { SiteAccess } from '../access.ts'
import type { SitePermissionRow } from './queries.ts'
import type { SitePermission } from './schema.ts'

/** Guests do not see teams. */
export function presentSitePermission(
  row: SitePermissionRow,
  { site, organizationRole }: SiteAccess,
  url: string,
): Static<typeof SitePermission> {
  const { reason, team_id, last_seen_at } = row
  const team = reason === 'team' && organizationRole !== null && team_id !== null ? { team: team_id } : {}
  return {
    permission: row.permission,
    user: presentUser(row, url),
    origin: reason
      ? { type: 'site', site: site.id, reason, ...team }
      : { type: 'organization', organization: site.organization_id },
    disabled: false,
    ...(last_seen_at && { lastSeenAt: last_seen_at.toISOString() }),
  }
}
