import { OneOf, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { User } from '../../users/schema.ts'
import { longestSubject } from '../subject.ts'
import { MarkdownOrDocument } from '../text.ts'

export const RequestedReviewer = Type.Object(
  {
    object: Type.Literal('change-request-requested-reviewer'),
    revision: Type.String({ description: 'The revision of the change request when the review was requested.' }),
    requestedBy: Type.Optional(User),
    createdAt: Time,
    kind: Type.Literal('user'),
    user: User,
  },
  { $id: 'ChangeRequestRequestedReviewer' },
)

export const ReviewRequest = Type.Object({
  users: Type.Array(Type.String(), { maxItems: 50, description: 'Ids of users who can review in the space.' }),
  subject: Type.Optional(Type.String({ maxLength: longestSubject })),
  description: Type.Optional(MarkdownOrDocument),
})

export const Contributor = Type.Object(
  {
    user: User,
    updatedAt: Time,
    count: Type.Integer({ description: 'The number of contributions.' }),
    actionType: OneOf(['edit', 'comment'] as const),
  },
  { $id: 'ChangeRequestContributor' },
)
