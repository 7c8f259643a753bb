import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import { spaceRights } from '../access/rights.ts'
import { presentGitSyncOfSpace } from '../git/present.ts'
import type { Hosts } from '../sites/addresses.ts'
import { publishedUrls } from '../sites/published-place.ts'
import type { SpaceSeen } from './queries.ts'
import type { Space } from './schema.ts'

/** `shareKey` is the key that the row was loaded with. */
export function presentSpace(row: SpaceSeen, hosts: Hosts, shareKey?: string): Static<typeof Space> {
  const { url } = hosts
  const gitSync = presentGitSyncOfSpace(row)
  return {
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: shownEmoji(row),
    // Decided by the most open site that contains the space.
    visibility: row.site_visibility ?? (row.seen_parent === null ? 'private' : 'in-collection'),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.changed_at.toISOString(),
    ...(row.deleted_at !== null && { deletedAt: row.deleted_at.toISOString() }),
    editMode: row.edit_mode,
    urls: {
      location: `${url}/v1/spaces/${row.id}`,
      app: `${url}${appPath.space(row.organization_id, row.id)}`,
      ...publishedUrls(hosts, row, shareKey),
      ...(row.icon !== null && { icon: row.icon }),
    },
    organization: row.organization_id,
    ...(row.seen_parent !== null && { parent: row.seen_parent }),
    ...(row.language !== null && { language: row.language as Static<typeof Space>['language'] }),
    mergeRules: row.merge_rules,
    ...(gitSync && { gitSync }),
    ...(row.site_visibility === 'visitor-auth' && { visitorAuth: { backend: 'custom' as const } }),
    revision: row.revision,
    defaultLevel: row.default_level,
    comments: row.comments,
    changeRequests: row.change_requests,
    changeRequestsOpen: row.requests_open,
    changeRequestsDraft: row.requests_draft,
    permissions: spaceRights(row.role),
  }
}

/** Every space shows an emoji. */
export const shownEmoji = ({ emoji }: Pick<SpaceSeen, 'emoji'>) => emoji ?? '1f4c4'
