import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import { organizationRights } from '../access/rights.ts'
import type { Organization } from './schema.ts'

export function presentOrganization(membership: Membership, url: string): Static<typeof Organization> {
  const { organization: row } = membership
  return {
    object: 'organization',
    id: row.id,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    emailDomains: row.email_domains,
    hostname: row.hostname,
    // The public API has types of organizations and paid plans. Here all organizations are the same and have
    // everything.
    type: 'business',
    ...(row.use_case !== null && { useCase: row.use_case as Static<typeof Organization>['useCase'] }),
    ...(row.community_type !== null && {
      communityType: row.community_type as Static<typeof Organization>['communityType'],
    }),
    defaultRole: row.default_role,
    ...(membership.defaultSite !== null && { defaultContent: { type: 'site' as const, site: membership.defaultSite } }),
    sso: row.sso,
    ai: row.ai,
    inviteLinks: row.invite_links,
    mergeRules: row.merge_rules as Static<typeof Organization>['mergeRules'],
    plan: 'free_2024',
    urls: {
      location: `${url}/v1/orgs/${row.id}`,
      app: `${url}${appPath.organization(row.id)}`,
      ...(row.logo !== null && { logo: row.logo }),
    },
    trial: { status: 'notapplicable' },
    internal_isOnNewTrial: true,
    permissions: organizationRights(membership),
  }
}
