import { Comment } from '../../comments/schema.ts'
import { pageQuery } from '../../http/paging.ts'
import { OneOf, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { User } from '../../users/schema.ts'
import { MarkdownOrDocument } from '../text.ts'

const ReviewStatus = OneOf(['approved', 'changes-requested'] as const)

const Format = OneOf(['document', 'markdown'] as const, { default: 'markdown' })

export const Review = Type.Object(
  {
    object: Type.Literal('change-request-review'),
    id: Type.String(),
    revision: Type.String({ description: 'The revision that was reviewed.' }),
    reviewer: User,
    requestedBy: Type.Optional(User),
    status: ReviewStatus,
    outdated: Type.Boolean({ description: 'The change request has changed since this review.' }),
    comment: Type.Optional(Comment),
    createdAt: Time,
    updatedAt: Time,
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'ChangeRequestReview' },
)

export const NewReview = Type.Object({ status: ReviewStatus, comment: Type.Optional(MarkdownOrDocument) })

export const ReviewQuery = Type.Object({ format: Type.Optional(Format) })

export const ReviewsQuery = Type.Object({
  ...pageQuery,
  format: Type.Optional(Format),
  outdated: Type.Optional(Type.Boolean({ description: 'Only reviews that are, or are not, outdated.' })),
})
