import type { Caller } from '../../access/caller.ts'
import { type ChangeRequest, type ChangeRequestFilter, listChangeRequests } from '../../change-requests/queries.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { App } from '../../http/routes.ts'

const mostListed = 200

const underWay: ChangeRequestFilter = { statuses: ['draft', 'open'], orderBy: 'updatedAt' }

/** Lists the drafts and open change requests of a space, the most recently changed first. */
export async function listUnderWay(app: App, { organization_id, id }: SpaceRow) {
  const { rows, count } = await listChangeRequests(app.db, organization_id, id, underWay, {
    limit: mostListed,
    after: undefined,
  })
  const changes = rows.slice(0, mostListed)
  return { changes, more: count - changes.length }
}

/** Returns the user's own change requests that can still be edited. */
export const ownOf = (changes: readonly ChangeRequest[], { user }: Pick<Caller, 'user'>): ChangeRequest[] =>
  changes.filter(({ creator }) => creator?.id === user.id)
