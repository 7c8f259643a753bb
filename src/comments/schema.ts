import { TextBody } from '../change-requests/text.ts'
import { pageQuery } from '../http/paging.ts'
import { AnId, OneOf, Order, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { JSONDocument } from '../pages/schema.ts'
import { User } from '../users/schema.ts'

const Reactions = Type.Array(
  Type.Object({
    emoji: Type.String(),
    count: Type.Integer(),
    users: Type.Array(Type.Object({ user: User, reactedAt: Time }), { description: 'The first 100.' }),
  }),
)

const Body = Type.Union([
  Type.Object({ markdown: Type.String() }),
  Type.Object({ document: JSONDocument }),
  Type.Object({ html: Type.String({ description: 'With `format=html`: sanitized HTML without styles.' }) }),
])

const Target = Type.Object({
  space: Type.String(),
  revision: Type.String({ description: 'The revision that contains its page and block.' }),
  changeRequest: Type.Optional(Type.String()),
  review: Type.Optional(Type.String({ description: 'The review that it belongs to.' })),
  page: Type.Optional(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      emoji: Type.Optional(Type.String()),
      icon: Type.Optional(Type.String()),
      createdAt: Type.Optional(Time),
      updatedAt: Type.Optional(Time),
      path: Type.String(),
      outdated: Type.Boolean({ description: 'The page, or its block, no longer exists.' }),
    }),
  ),
  node: Type.Optional(
    Type.Object({
      id: Type.String({ description: 'The key of the block.' }),
      preview: Type.Optional(Type.String({ description: 'The text of the block when the comment was posted.' })),
    }),
  ),
})

const common = {
  id: Type.String(),
  postedBy: User,
  postedAt: Time,
  editedAt: Type.Optional(Time),
  reactions: Reactions,
  body: Body,
  urls: Type.Object({ location: Type.String() }),
  permissions: Type.Object({
    view: Type.Boolean(),
    edit: Type.Boolean({ description: 'Whether you can resolve it. Only the author can edit the text.' }),
    reply: Type.Boolean({ description: 'Whether you can reply and react.' }),
    delete: Type.Boolean(),
  }),
}

export const Comment = Type.Object(
  {
    object: Type.Literal('comment'),
    ...common,
    replies: Type.Integer({ description: 'The number of replies.' }),
    target: Target,
    status: OneOf(['open', 'resolved'] as const),
    resolvedAt: Type.Optional(Time),
    resolvedBy: Type.Optional(User),
  },
  { $id: 'Comment' },
)

export const CommentReply = Type.Object({ object: Type.Literal('comment-reply'), ...common }, { $id: 'CommentReply' })

export const NewComment = Type.Object({
  page: Type.Optional(Type.String({ description: 'The page that the comment is about.' })),
  node: Type.Optional(
    Type.String({
      description: 'The key of the block on that page that the comment is about, as in `format=document`.',
    }),
  ),
  body: TextBody,
})

const Emoji = Type.Array(
  Type.String({
    maxLength: 50,
    format: 'emoji',
    description: 'An emoji character, or its code points in hex, joined by `-`.',
  }),
  { maxItems: 50 },
)

const changes = {
  body: Type.Optional(TextBody),
  addedReactions: Type.Optional(Emoji),
  removedReactions: Type.Optional(Emoji),
}

export const CommentChanges = Type.Object({ resolved: Type.Optional(Type.Boolean()), ...changes })

export const NewReply = Type.Object({ body: TextBody })

export const ReplyChanges = Type.Object({
  ...changes,
  resolved: Type.Optional(Type.Boolean({ description: 'Has no effect: only comments can be resolved, not replies.' })),
})

export const formats = ['markdown', 'document', 'html'] as const

export type Format = (typeof formats)[number]

const format = Type.Optional(OneOf(formats, { default: 'markdown', description: 'The format of the body.' }))

export const FormatQuery = Type.Object({ format })

export const CommentsQuery = Type.Object({
  ...pageQuery,
  order: Type.Optional(Order),
  status: Type.Optional(OneOf(['all', 'open', 'resolved'] as const, { default: 'all' })),
  targetPage: Type.Optional(AnId('Only comments about this page.')),
  authors: Type.Optional(Type.Array(AnId(), { maxItems: 50, description: 'Only comments by one of these users.' })),
  format,
})

export const RepliesQuery = Type.Object({ ...pageQuery, format })
