import type { Static } from 'typebox'
import type { Location, ShowLocation, Spot } from './locations.ts'
import { type LinkRow, relations, statuses } from './queries.ts'
import type { Link } from './schema.ts'

/** The places that must be loaded to present a link. */
export function spotsOf(spaceId: string, row: LinkRow): Spot[] {
  return [{ spaceId, entry: row.source }, ...(targetOf(spaceId, row) ?? [])]
}

export function presentLink(spaceId: string, row: LinkRow, show: ShowLocation): Static<typeof Link> {
  const [target] = targetOf(spaceId, row) ?? []
  const location = show({ spaceId, entry: row.source })
  return {
    status: statuses[row.status]!,
    relation: relations[row.relation]!,
    targetReference: (target && show(target, row.anchor)) ?? asAddress(row.raw),
    locationReferences: location ? [location] : [],
  }
}

/**
 * Returns the target of a link if it is content. A missing item in another space must not be shown as the space itself.
 */
function targetOf(spaceId: string, { target_space, target, wanted }: LinkRow): [Spot] | undefined {
  if (target === null && (target_space === null || wanted !== null)) return undefined
  return [{ spaceId: target_space ?? spaceId, entry: target }]
}

const asAddress = (url: string): Location => ({ kind: 'url', url })
