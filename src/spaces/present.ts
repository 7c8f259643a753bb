import type { Static } from 'typebox'
import { spaceRights } from '../access/rights.ts'
import type { SpaceSeen } from './queries.ts'
import type { Space } from './schema.ts'

const defaultEmoji = '1f4c4'

export function presentSpace(row: SpaceSeen, url: string): Static<typeof Space> {
  return {
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: row.emoji ?? defaultEmoji,
    // Until there are sites: the most open one that holds the space will decide.
    visibility: row.collection_id === null ? 'private' : 'in-collection',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.changed_at.toISOString(),
    ...(row.deleted_at !== null && { deletedAt: row.deleted_at.toISOString() }),
    editMode: row.edit_mode,
    urls: {
      location: `${url}/v1/spaces/${row.id}`,
      app: `${url}/app/o/${row.organization_id}/s/${row.id}`,
      ...(row.icon !== null && { icon: row.icon }),
    },
    organization: row.organization_id,
    ...(row.collection_id !== null && { parent: row.collection_id }),
    ...(row.language !== null && { language: row.language as Static<typeof Space>['language'] }),
    mergeRules: row.merge_rules,
    revision: row.revision,
    defaultLevel: row.default_level,
    comments: row.comments,
    changeRequests: row.change_requests,
    changeRequestsOpen: row.requests_open,
    changeRequestsDraft: row.requests_draft,
    permissions: spaceRights(row.role),
  }
}
