import type { ThingAccess } from '../../grants/access.ts'
import type { SiteAccess } from '../access.ts'

/** A site, as something that roles are given on. */
export function asThing({ site, role, organizationRole }: SiteAccess): ThingAccess {
  return { thing: { type: 'site', organizationId: site.organization_id, id: site.id }, role, organizationRole }
}
