import { listConflicts } from '../../change-requests/conflicts/conflicts.ts'
import { listOpenConflictsOf } from '../../change-requests/conflicts/conflicts.queries.ts'
import { hasMarkers } from '../../content/merge/markers.ts'
import type { App } from '../../http/routes.ts'
import type { Revision } from '../../revisions/revision.ts'
import { type Opened, accessAgain } from '../open.ts'

/** Whether there are open conflicts about this page: a user who edits it most likely comes from them. */
export async function isInConflict(app: App, { organizationId, lineId }: Revision, entry: string): Promise<boolean> {
  return (await listOpenConflictsOf(app.db, { organizationId, id: lineId }, [entry])).length > 0
}

/** Whether a text of this page contains both sides of an open conflict, between marker lines. */
export async function hasBothSides(
  app: App,
  { organizationId, lineId }: Revision,
  entry: string,
  text: string,
): Promise<boolean> {
  const open = await listOpenConflictsOf(app.db, { organizationId, id: lineId }, [entry])
  return open.some(({ kind, id }) => kind === 'body' && hasMarkers(text, id))
}

/** Leads to the conflicts that are left or, after the last one, back to the change request. */
export async function nextIn(app: App, opened: Opened, done: string): Promise<[path: string, query: { done: string }]> {
  const { changeRequest } = await accessAgain(app, opened, 'view')
  const { count } = await listConflicts(app.db, changeRequest, { limit: 1, after: undefined })
  return count > 0 ? [`${opened.path}/conflicts`, { done }] : [opened.path, { done: 'settled' }]
}
