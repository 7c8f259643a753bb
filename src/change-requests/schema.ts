import { pageQuery } from '../http/paging.ts'
import { AnId, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { User } from '../users/schema.ts'
import { statuses } from './queries.ts'
import { longestSubject } from './subject.ts'
import { MarkdownOrDocument } from './text.ts'

const Status = OneOf(statuses)

export const ChangeRequest = Type.Object(
  {
    object: Type.Literal('change-request'),
    id: Type.String(),
    number: Type.Integer({ description: 'Numbered from 1 in each space.' }),
    status: Status,
    subject: Type.String(),
    description: Type.Optional(Type.String({ description: 'Markdown.' })),
    createdBy: Type.Optional(User),
    createdAt: Time,
    updatedAt: Time,
    revision: Type.String({
      description: 'The latest revision; the revision of the space that it was created from as long as it has none.',
    }),
    revisionInitial: Type.String({ description: 'The revision of the space that it was created from.' }),
    revisionMergedAncestor: Type.Optional(
      Type.String({ description: 'The revision of the space that it was last updated to.' }),
    ),
    revisionMerged: Type.Optional(Type.String({ description: 'The revision of the space that the merge created.' })),
    comments: Type.Integer({ description: 'The number of open comments.' }),
    outdated: Type.Boolean({
      description: 'The space has changed since the change request was created or last updated.',
    }),
    urls: Type.Object({ app: Type.String(), location: Type.String() }),
  },
  { $id: 'ChangeRequest' },
)

const Subject = Type.String({ maxLength: longestSubject })

export const NewChangeRequest = Type.Object({
  subject: Type.Optional(Subject),
  description: Type.Optional(MarkdownOrDocument),
  agentTaskId: Type.Optional(Type.String({ description: 'Has no effect: there are no agents here.' })),
})

export const ChangeRequestChanges = Type.Object({
  subject: Type.Optional(Subject),
  description: Type.Optional(MarkdownOrDocument),
  status: Type.Optional(
    OneOf(['draft', 'open', 'archived'] as const, { description: 'Merging is a separate operation.' }),
  ),
})

const filter = {
  ...pageQuery,
  status: Type.Optional(Type.Array(Status, { maxItems: 4, description: 'One or more. Default: `open`.' })),
  contributor: Type.Optional(AnId('Only change requests that this user edited or commented on.')),
  creator: Type.Optional(AnId('Only change requests that this user created.')),
  requestedReviewer: Type.Optional(AnId('Only change requests that this user was asked to review.')),
  orderBy: Type.Optional(OneOf(['updatedAt', 'createdAt'] as const, { default: 'updatedAt' })),
}

export const ChangeRequestQuery = Type.Object(filter)

export const OrganizationQuery = Type.Object({
  ...filter,
  space: Type.Optional(AnId('Only change requests of this space.')),
  site: Type.Optional(AnId('Only change requests of spaces in this site.')),
})

export const MergeResult = Type.Object({
  revision: Type.String({ description: 'The new revision, or the current one if nothing was written.' }),
  result: OneOf(['merge', 'conflicts'] as const),
})

export const UpdateResult = Type.Object({
  revision: Type.String({ description: 'The revision of the change request.' }),
  result: OneOf(['update', 'conflicts'] as const),
})
