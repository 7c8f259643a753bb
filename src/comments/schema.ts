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
    users: Type.Array(Type.Object({ user: User, reactedAt: Time }), { description: 'The first hundred of them.' }),
  }),
)

const Body = Type.Union([
  Type.Object({ markdown: Type.String() }),
  Type.Object({ document: JSONDocument }),
  Type.Object({ html: Type.String({ description: 'With `format=html`: safe, and without any style.' }) }),
])

const Target = Type.Object({
  space: Type.String(),
  revision: Type.String({ description: 'The revision in which its page and block can be found.' }),
  changeRequest: Type.Optional(Type.String()),
  review: Type.Optional(Type.String({ description: 'The review that it is a part of.' })),
  page: Type.Optional(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      emoji: Type.Optional(Type.String()),
      icon: Type.Optional(Type.String()),
      createdAt: Type.Optional(Time),
      updatedAt: Type.Optional(Time),
      path: Type.String(),
      outdated: Type.Boolean({ description: 'The page, or the block on it, is there no more.' }),
    }),
  ),
  node: Type.Optional(
    Type.Object({
      id: Type.String({ description: 'The key of the block.' }),
      preview: Type.Optional(Type.String({ description: 'What the block said when the comment was posted.' })),
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
    edit: Type.Boolean({ description: 'To resolve it; the text is for its author alone.' }),
    reply: Type.Boolean({ description: 'To reply and to react.' }),
    delete: Type.Boolean(),
  }),
}

export const Comment = Type.Object(
  {
    object: Type.Literal('comment'),
    ...common,
    replies: Type.Integer({ description: 'How many replies it has.' }),
    target: Target,
    status: OneOf(['open', 'resolved'] as const),
    resolvedAt: Type.Optional(Time),
    resolvedBy: Type.Optional(User),
  },
  { $id: 'Comment' },
)

export const CommentReply = Type.Object({ object: Type.Literal('comment-reply'), ...common }, { $id: 'CommentReply' })

export const NewComment = Type.Object({
  page: Type.Optional(Type.String({ description: 'The page that it is about.' })),
  node: Type.Optional(
    Type.String({ description: 'The key of the block of that page that it is about, as `format=document` tells it.' }),
  ),
  body: TextBody,
})

const Emoji = Type.Array(
  Type.String({
    maxLength: 50,
    format: 'emoji',
    description: 'A character, or its code points in hex, joined by -.',
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
  resolved: Type.Optional(Type.Boolean({ description: 'Has no effect: a comment is resolved, not its replies.' })),
})

export const formats = ['markdown', 'document', 'html'] as const

export type Format = (typeof formats)[number]

const format = Type.Optional(OneOf(formats, { default: 'markdown', description: 'How the body comes.' }))

export const FormatQuery = Type.Object({ format })

export const CommentsQuery = Type.Object({
  ...pageQuery,
  order: Type.Optional(Order),
  status: Type.Optional(OneOf(['all', 'open', 'resolved'] as const, { default: 'all' })),
  targetPage: Type.Optional(AnId('Only those about this page.')),
  authors: Type.Optional(Type.Array(AnId(), { maxItems: 50, description: 'Only those by one of these users.' })),
  format,
})

export const RepliesQuery = Type.Object({ ...pageQuery, format })
