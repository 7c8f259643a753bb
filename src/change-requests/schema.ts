import { pageQuery } from '../http/paging.ts'
import { AnId, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { User } from '../users/schema.ts'
import { statuses } from './queries.ts'
import { MarkdownOrDocument } from './text.ts'

const Status = OneOf(statuses)

export const ChangeRequest = Type.Object(
  {
    object: Type.Literal('change-request'),
    id: Type.String(),
    number: Type.Integer({ description: 'Counts up from 1 in the space.' }),
    status: Status,
    subject: Type.String(),
    description: Type.Optional(Type.String({ description: 'Markdown.' })),
    createdBy: Type.Optional(User),
    createdAt: Time,
    updatedAt: Time,
    revision: Type.String({
      description: 'Its newest revision; that of the space it was made from while it has none.',
    }),
    revisionInitial: Type.String({ description: 'The revision of the space from which it was made.' }),
    revisionMergedAncestor: Type.Optional(
      Type.String({ description: 'The revision of the space that it was last brought up to.' }),
    ),
    revisionMerged: Type.Optional(Type.String({ description: 'The revision of the space that its merge made.' })),
    comments: Type.Integer({ description: 'How many open comments it has.' }),
    outdated: Type.Boolean({ description: 'The space has moved on since it was made or last updated.' }),
    urls: Type.Object({ app: Type.String(), location: Type.String() }),
  },
  { $id: 'ChangeRequest' },
)

const Subject = Type.String({ maxLength: 100 })

export const NewChangeRequest = Type.Object({
  subject: Type.Optional(Subject),
  description: Type.Optional(MarkdownOrDocument),
  agentTaskId: Type.Optional(Type.String({ description: 'Has no effect: there are no agents here.' })),
})

export const ChangeRequestChanges = Type.Object({
  subject: Type.Optional(Subject),
  description: Type.Optional(MarkdownOrDocument),
  status: Type.Optional(
    OneOf(['draft', 'open', 'archived'] as const, { description: 'Merging is an operation of its own.' }),
  ),
})

const filter = {
  ...pageQuery,
  status: Type.Optional(Type.Array(Status, { maxItems: 4, description: 'One or more; without it, `open`.' })),
  contributor: Type.Optional(AnId('Only those that this user edited or commented.')),
  creator: Type.Optional(AnId('Only those that this user made.')),
  requestedReviewer: Type.Optional(AnId('Only those this user was asked to review.')),
  orderBy: Type.Optional(OneOf(['updatedAt', 'createdAt'] as const, { default: 'updatedAt' })),
}

export const ChangeRequestQuery = Type.Object(filter)

export const OrganizationQuery = Type.Object({
  ...filter,
  space: Type.Optional(AnId('Only those of this space.')),
  site: Type.Optional(AnId('Only those of spaces in this site.')),
})

export const MergeResult = Type.Object({
  revision: Type.String({ description: 'The new revision; the one there is, where nothing was written.' }),
  result: OneOf(['merge', 'conflicts'] as const),
})

export const UpdateResult = Type.Object({
  revision: Type.String({ description: "The change request's revision." }),
  result: OneOf(['update', 'conflicts'] as const),
})
