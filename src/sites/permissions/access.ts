import type { ThingAccess } from '../../grants/access.ts'
import type { SiteAccess } from '../access.ts'

/** Returns a site as a thing on which roles can be granted. */
export function asThing({ site, role, organizationRole }: SiteAccess): ThingAccess {
  return { thing: { type: 'site', organizationId: site.organization_id, id: site.id }, role, organizationRole }
}
