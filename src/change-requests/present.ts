import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import { presentUser } from '../users/present.ts'
import { type ChangeRequest as Row, isOutdated } from './queries.ts'
import type { ChangeRequest } from './schema.ts'

export function presentChangeRequest(row: Row, url: string): Static<typeof ChangeRequest> {
  return {
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    ...(row.description !== null && { description: row.description }),
    ...(row.creator && { createdBy: presentUser(row.creator, url) }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    revision: row.head_id,
    revisionInitial: row.revision_initial,
    ...(row.revision_ancestor !== null && { revisionMergedAncestor: row.revision_ancestor }),
    ...(row.revision_merged !== null && { revisionMerged: row.revision_merged }),
    comments: row.comments,
    outdated: isOutdated(row),
    urls: {
      app: `${url}${appPath.change(row.organization_id, row.space_id, row.number)}`,
      location: locationOf(row, url),
    },
  }
}

export const locationOf = (row: Pick<Row, 'space_id' | 'id'>, url: string) =>
  `${url}/v1/spaces/${row.space_id}/change-requests/${row.id}`
