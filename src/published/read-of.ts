import type { PageRead } from '../insights/tally.ts'
import type { Found } from './links.ts'

/** Returns what a read of this page is counted as. */
export function readOf({ snapshot: { site }, place, page }: Pick<Found, 'snapshot' | 'place' | 'page'>): PageRead {
  const [spaceId, pageId] = [place.variant.space.id, page.entry]
  const key = `${site.id} ${spaceId} ${pageId}`
  return { key, organizationId: site.organization_id, siteId: site.id, spaceId, pageId }
}
