import type { Static } from 'typebox'
import type { Location, ShowLocation, Spot } from './locations.ts'
import { type LinkRow, broken, relations, statuses } from './queries.ts'
import type { Link } from './schema.ts'

/** The places that a link is shown with. */
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

/** Where it leads, if that is content. Something in a space that is not there is not the space. */
function targetOf(spaceId: string, { target_space, target, wanted, status }: LinkRow): [Spot] | undefined {
  if (target === null && (target_space === null || wanted !== null)) return undefined
  return [{ spaceId: target_space ?? spaceId, entry: target, isStrict: status === broken }]
}

const asAddress = (url: string): Location => ({ kind: 'url', url })
