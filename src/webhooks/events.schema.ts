import type { TProperties, TSchema } from 'typebox'
import { OneOf, Time } from '../http/schemas.ts'
import type { EventDescription } from '../http/spec.ts'
import Type from '../http/type.ts'

/** Events contain only ids. Anything more must be read by a caller who has the right to. */
const spaceId = Type.String({ description: 'The id of the space.' })
const siteId = Type.String({ description: 'The id of the site.' })
const specId = Type.String({ description: 'The id of the OpenAPI specification.' })
const userId = Type.String({ description: 'The id of the member.' })
const revisionId = Type.String({ description: 'The id of the new revision.' })
const direction = Type.Optional(OneOf(['import', 'export'] as const))
const ofRequest = {
  spaceId,
  changeRequestId: Type.String({ description: 'The id of the change request.' }),
  number: Type.Integer({ description: 'Its number in the space.' }),
}
const ofComment = {
  spaceId,
  changeRequestId: Type.Optional(Type.String({ description: 'If it is about a change request.' })),
  commentId: Type.String({ description: 'The id of the comment.' }),
}
const ofReply = { ...ofComment, replyId: Type.String({ description: 'The id of the reply.' }) }
const fields = { fields: Type.Optional(Type.Array(Type.String(), { description: 'The names of the changed fields.' })) }

interface EventKind {
  summary: string
  ids: TProperties
}

/** All events that can be subscribed to. */
const kinds = {
  space_content_updated: {
    summary: 'The main content of a space has a new revision',
    ids: {
      spaceId,
      revisionId: Type.Optional(revisionId),
      changeRequestId: Type.Optional(Type.String({ description: 'The change request whose merge created it.' })),
      updatedBy: Type.Array(Type.String(), { description: 'Ids of users.' }),
    },
  },
  space_gitsync_started: {
    summary: 'An import from, or an export to, a repository was requested',
    ids: { spaceId, direction },
  },
  space_gitsync_completed: {
    summary: 'An import from, or an export to, a repository has ended',
    ids: {
      spaceId,
      direction,
      state: OneOf(['success', 'failure'] as const),
      revisionId: Type.Optional(Type.String({ description: 'The revision that matches the repository.' })),
      commitId: Type.Optional(Type.String({ description: 'The commit that was read or written.' })),
    },
  },
  space_created: { summary: 'A space was created, or transferred from another organization', ids: { spaceId } },
  space_updated: { summary: 'The settings or the position of a space changed', ids: { spaceId, ...fields } },
  space_deleted: { summary: 'A space was deleted, or transferred to another organization', ids: { spaceId } },
  space_restored: { summary: 'A space was restored from the trash', ids: { spaceId } },
  change_request_created: { summary: 'A change request was created', ids: ofRequest },
  change_request_updated: {
    summary: 'The subject, the description or the status of a change request changed',
    ids: { ...ofRequest, ...fields, status: Type.Optional(OneOf(['draft', 'open'] as const)) },
  },
  change_request_content_updated: {
    summary: 'The content of a change request changed',
    ids: { ...ofRequest, revisionId: Type.Optional(revisionId) },
  },
  change_request_review_requested: { summary: 'A review of a change request was requested', ids: ofRequest },
  change_request_reviewed: {
    summary: 'A change request was reviewed',
    ids: {
      ...ofRequest,
      reviewId: Type.String({ description: 'The id of the review.' }),
      status: Type.String({ description: 'What the reviewer decided.' }),
    },
  },
  change_request_merged: {
    summary: 'A change request was merged',
    ids: { ...ofRequest, revisionId: Type.Optional(revisionId) },
  },
  change_request_archived: { summary: 'A change request was archived', ids: ofRequest },
  comment_posted: { summary: 'A comment was posted', ids: ofComment },
  comment_updated: { summary: 'A comment was changed, resolved or reacted to', ids: { ...ofComment, ...fields } },
  comment_deleted: { summary: 'A comment was deleted', ids: ofComment },
  comment_reply_posted: { summary: 'A comment was replied to', ids: ofReply },
  comment_reply_updated: { summary: 'A reply was changed or reacted to', ids: { ...ofReply, ...fields } },
  comment_reply_deleted: { summary: 'A reply was deleted', ids: ofReply },
  site_created: { summary: 'A site was created', ids: { siteId } },
  site_updated: {
    summary: 'The settings, redirects, share links or visibility of a site changed',
    ids: { siteId, ...fields },
  },
  site_structure_updated: {
    summary: 'Sections, section groups or spaces of a site were added, changed, moved or removed',
    ids: { siteId },
  },
  site_customization_updated: {
    summary: 'The customization of a site, or of one of its spaces, changed',
    ids: { siteId, ...fields },
  },
  site_published: { summary: 'A site was published', ids: { siteId } },
  site_unpublished: { summary: 'A site was unpublished', ids: { siteId } },
  site_deleted: { summary: 'A site was deleted', ids: { siteId } },
  member_added: { summary: 'Somebody joined the organization', ids: { userId } },
  member_updated: {
    summary: 'The role or name of a member changed, or they were disabled or enabled',
    ids: { userId, ...fields },
  },
  member_removed: { summary: 'Somebody left the organization', ids: { userId } },
  openapi_spec_created: { summary: 'An OpenAPI specification was created', ids: { specId } },
  openapi_spec_updated: { summary: 'An OpenAPI specification was changed', ids: { specId, ...fields } },
  openapi_spec_version_created: { summary: 'An OpenAPI specification has a new version', ids: { specId } },
  openapi_spec_failed: { summary: 'An OpenAPI specification could not be read', ids: { specId } },
  openapi_spec_deleted: { summary: 'An OpenAPI specification was deleted', ids: { specId } },
} as const satisfies Record<string, EventKind>

export type EventType = keyof typeof kinds

export const eventTypes = Object.keys(kinds) as EventType[]

/** Sent to test a webhook. Needs no subscription. */
export const ping = 'ping'

function schemaOf(type: string, summary: string, ids: TProperties): TSchema {
  const name = type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return Type.Object(
    {
      eventId: Type.String({
        description: 'Stays the same however often the event is sent, so that receivers can skip duplicates.',
      }),
      type: Type.Literal(type),
      createdAt: Time,
      organization: Type.String({ description: 'The id of the organization.' }),
      actor: Type.Optional(
        Type.Object(
          { type: Type.Literal('user'), id: Type.String() },
          { description: 'Who did it. Omitted if it was Lectern itself.' },
        ),
      ),
      ...ids,
      urls: Type.Object({ location: Type.Optional(Type.String({ description: 'The API URL of the object.' })) }),
    },
    { $id: `${name}Event`, description: summary },
  )
}

/** The events as they appear in the API description. */
export const eventDescriptions: EventDescription[] = [
  ...eventTypes.map((type) => ({
    type,
    summary: kinds[type].summary,
    schema: schemaOf(type, kinds[type].summary, kinds[type].ids),
  })),
  {
    type: ping,
    summary: 'A test of a webhook',
    schema: schemaOf(ping, 'A test of a webhook', {
      webhookId: Type.String({ description: 'The id of the webhook.' }),
    }),
  },
]
