import type { ChangeRow } from '../db/tables.ts'
import { derivedId } from '../ids.ts'
import type { EventType } from './events.schema.ts'

/** An entry of the record, with the additional data that its event needs. */
export type RecordedChange = ChangeRow & {
  /** For a change request. */
  request_space: string | null
  request_number: number | null
  request_merged: string | null
  /** The newest revision of a space, and the slug of a specification. */
  space_head: string | null
  spec_slug: string | null
}

/** What webhooks are told about a change. */
export interface WebhookEvent {
  organizationId: string
  id: string
  type: EventType
  /** Events with the same subject are delivered one after the other. */
  subject: string
  /** The space or site that the event is about, for webhooks that are limited to some of them. */
  about: { spaceId?: string; siteId?: string }
  body: string
}

interface Draft {
  type: EventType
  subject: string
  ids: Record<string, unknown> & WebhookEvent['about']
  /** The API path of the object, if it can be read. */
  location: string | undefined
}

/**
 * Returns the events of a change: usually one, for many changes none. A merge has two, one of its change request and
 * one of the space.
 */
export function eventsOf(change: RecordedChange, url: string): WebhookEvent[] {
  const drafts = sources[change.action]?.(change) ?? []
  return drafts.map(({ type, subject, ids, location }, i) => {
    const id = i === 0 ? change.id : derivedId(`${change.id} ${type}`)
    const body = {
      eventId: id,
      type,
      createdAt: change.at.toISOString(),
      organization: change.organization_id,
      ...(change.actor_id !== null && { actor: { type: 'user', id: change.actor_id } }),
      ...ids,
      urls: location === undefined ? {} : { location: url + location },
    }
    return { organizationId: change.organization_id, id, type, subject, about: ids, body: JSON.stringify(body) }
  })
}

type Source = (change: RecordedChange) => Draft[]

const sources: Record<string, Source> = {
  'space.content-updated': (change) => [
    contentUpdated(change, change.target_id, { revisionId: change.details?.['revision'] ?? change.space_head }),
  ],
  'space.git-import-asked': ofSync('space_gitsync_started', { direction: 'import' }),
  'space.git-export-asked': ofSync('space_gitsync_started', { direction: 'export' }),
  'space.git-sync-completed': ofSync('space_gitsync_completed', { state: 'success' }),
  'space.git-sync-failed': ofSync('space_gitsync_completed', { state: 'failure' }),
  'space.created': ofSpace('space_created'),
  'space.updated': ofSpace('space_updated'),
  'space.moved': ofSpace('space_updated'),
  'space.transferred': (change) =>
    ofSpace(change.details?.['way'] === 'in' ? 'space_created' : 'space_deleted')(change),
  'space.deleted': ofSpace('space_deleted'),
  'space.restored': ofSpace('space_restored'),
  'change-request.created': ofRequest('change_request_created'),
  'change-request.updated': (change) => {
    const status = change.details?.['status']
    if (status === 'archived') return ofRequest('change_request_archived')(change)
    return ofRequest('change_request_updated', { ...fieldsOf(change), ...(status !== undefined && { status }) })(change)
  },
  'change-request.content-updated': contentOfRequest,
  'change-request.brought-up-to-date': contentOfRequest,
  'change-request.review-requested': ofRequest('change_request_review_requested'),
  'change-request.reviewed': (change) =>
    ofRequest('change_request_reviewed', {
      reviewId: change.details?.['review'],
      status: change.details?.['status'],
    })(change),
  'change-request.merged': (change) => {
    const revisionId = change.request_merged
    const merged = ofRequest('change_request_merged', given({ revisionId }))(change)
    if (change.request_space === null) return merged
    const about = { revisionId, changeRequestId: change.target_id }
    return [...merged, contentUpdated(change, change.request_space, about)]
  },
  'comment.posted': ofComment('comment_posted'),
  'comment.updated': ofComment('comment_updated'),
  'comment.deleted': ofComment('comment_deleted'),
  'comment-reply.posted': ofComment('comment_reply_posted'),
  'comment-reply.updated': ofComment('comment_reply_updated'),
  'comment-reply.deleted': ofComment('comment_reply_deleted'),
  'site.created': ofSite('site_created'),
  'site.published': ofSite('site_published'),
  'site.unpublished': ofSite('site_unpublished'),
  'site.deleted': ofSite('site_deleted'),
  'site.updated': ofSite('site_updated'),
  'adaptive-schema.updated': ofSite('site_updated', 'adaptiveSchema'),
  'publishing-auth.updated': ofSite('site_updated', 'publishingAuth'),
  'publishing-auth.regenerated': ofSite('site_updated', 'publishingAuth'),
  'share-link.created': ofSite('site_updated', 'shareLinks'),
  'share-link.updated': ofSite('site_updated', 'shareLinks'),
  'share-link.removed': ofSite('site_updated', 'shareLinks'),
  'site-redirect.created': ofSite('site_updated', 'redirects'),
  'site-redirect.updated': ofSite('site_updated', 'redirects'),
  'site-redirect.removed': ofSite('site_updated', 'redirects'),
  'customization.updated': ofSite('site_customization_updated'),
  'site-section.added': ofSite('site_structure_updated'),
  'site-section.updated': ofSite('site_structure_updated'),
  'site-section.moved': ofSite('site_structure_updated'),
  'site-section.removed': ofSite('site_structure_updated'),
  'site-section-group.added': ofSite('site_structure_updated'),
  'site-section-group.updated': ofSite('site_structure_updated'),
  'site-section-group.moved': ofSite('site_structure_updated'),
  'site-section-group.removed': ofSite('site_structure_updated'),
  'site-external-link.added': ofSite('site_structure_updated'),
  'site-external-link.updated': ofSite('site_structure_updated'),
  'site-external-link.moved': ofSite('site_structure_updated'),
  'site-external-link.removed': ofSite('site_structure_updated'),
  'site-space.added': ofSite('site_structure_updated'),
  'site-space.updated': ofSite('site_structure_updated'),
  'site-space.moved': ofSite('site_structure_updated'),
  'site-space.removed': ofSite('site_structure_updated'),
  'member.added': ofMember('member_added'),
  'member.updated': ofMember('member_updated'),
  'member.removed': ofMember('member_removed'),
  'openapi-spec.created': ofSpec('openapi_spec_created'),
  'openapi-spec.updated': ofSpec('openapi_spec_updated'),
  'openapi-spec.read': ofSpec('openapi_spec_version_created'),
  'openapi-spec.failed': ofSpec('openapi_spec_failed'),
  'openapi-spec.removed': ofSpec('openapi_spec_deleted'),
}

const subjectOf = ({ target_type, target_id }: RecordedChange) => `${target_type}/${target_id}`

const fieldsOf = ({ fields, action }: RecordedChange) =>
  fields !== null && action.endsWith('.updated') ? { fields } : {}

/** Leaves out ids that are no longer known. */
const given = (ids: Record<string, string | null | undefined>) =>
  Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null && id !== undefined))

function contentUpdated(
  change: RecordedChange,
  spaceId: string,
  about: { revisionId: string | null; changeRequestId?: string },
): Draft {
  const updatedBy = change.actor_id === null ? [] : [change.actor_id]
  return {
    type: 'space_content_updated',
    subject: `space/${spaceId}`,
    ids: { spaceId, ...given(about), updatedBy },
    location: `/v1/spaces/${spaceId}/content`,
  }
}

function ofSpace(type: EventType): Source {
  return (change) => [
    {
      type,
      subject: subjectOf(change),
      ids: { spaceId: change.target_id, ...fieldsOf(change) },
      location: type === 'space_deleted' ? undefined : `/v1/spaces/${change.target_id}`,
    },
  ]
}

function ofSync(type: EventType, more: Record<string, string>): Source {
  return (change) => {
    const { direction, revision: revisionId, commit: commitId } = change.details ?? {}
    return [
      {
        type,
        subject: subjectOf(change),
        ids: { spaceId: change.target_id, ...given({ direction, revisionId, commitId }), ...more },
        location: `/v1/spaces/${change.target_id}/git/info`,
      },
    ]
  }
}

/** There is no event for a change request that was deleted together with its space. */
function ofRequest(type: EventType, more: Record<string, unknown> = {}): Source {
  return (change) => {
    const { request_space: spaceId, request_number: number, target_id: changeRequestId } = change
    if (spaceId === null) return []
    const location = `/v1/spaces/${spaceId}/change-requests/${changeRequestId}`
    return [{ type, subject: subjectOf(change), ids: { spaceId, changeRequestId, number, ...more }, location }]
  }
}

function contentOfRequest(change: RecordedChange): Draft[] {
  return ofRequest('change_request_content_updated', given({ revisionId: change.details?.['revision'] }))(change)
}

function ofComment(type: EventType): Source {
  return (change) => {
    const { space: spaceId, changeRequest: changeRequestId, comment: parentId } = change.details ?? {}
    if (spaceId === undefined) return []
    const commentId = parentId ?? change.target_id
    const place = `/v1/spaces/${spaceId}${changeRequestId === undefined ? '' : `/change-requests/${changeRequestId}`}`
    const comment = `${place}/comments/${commentId}`
    const location = parentId === undefined ? comment : `${comment}/replies/${change.target_id}`
    return [
      {
        type,
        subject: subjectOf(change),
        ids: {
          ...given({ spaceId, changeRequestId, commentId }),
          ...(parentId !== undefined && { replyId: change.target_id }),
          ...fieldsOf(change),
        },
        location: type.endsWith('_deleted') ? undefined : location,
      },
    ]
  }
}

/**
 * The id of a site is stored in front of the id of its part, or in the details of the change. `field` is the name that
 * the part has as a field of the site.
 */
function ofSite(type: EventType, field?: string): Source {
  return (change) => {
    const siteId = change.details?.['site'] ?? change.target_id.split('/')[0]!
    // A redirect or a share link that was recorded without its site.
    if (siteId === change.target_id && field !== undefined && change.target_type !== 'site') return []
    const location = type === 'site_deleted' ? undefined : `/v1/orgs/${change.organization_id}/sites/${siteId}`
    const fields = field === undefined ? change.target_type === 'site' && fieldsOf(change) : { fields: [field] }
    return [{ type, subject: `site/${siteId}`, ids: { siteId, ...fields }, location }]
  }
}

function ofMember(type: EventType): Source {
  return (change) => {
    const { organization_id, target_id: userId } = change
    const location = type === 'member_removed' ? undefined : `/v1/orgs/${organization_id}/members/${userId}`
    return [{ type, subject: subjectOf(change), ids: { userId, ...fieldsOf(change) }, location }]
  }
}

function ofSpec(type: EventType): Source {
  return (change) => {
    const { organization_id, target_id: specId, spec_slug: slug } = change
    const location = slug === null ? undefined : `/v1/orgs/${organization_id}/openapi/${slug}`
    return [{ type, subject: subjectOf(change), ids: { specId, ...fieldsOf(change) }, location }]
  }
}
