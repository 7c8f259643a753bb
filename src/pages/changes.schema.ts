import { ChangeRequest } from '../change-requests/schema.ts'
import { listOf, pageQuery } from '../http/paging.ts'
import { OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { User } from '../users/schema.ts'
import { contentQuery, revisionTypes } from './schema.ts'
import { pageTypes } from './entry-data.ts'

const ChangedPage = Type.Object({
  id: Type.String(),
  type: OneOf(pageTypes),
  title: Type.String(),
  path: Type.Optional(Type.String()),
})

const ChangedFile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: Type.String(),
})

const ChangedReusable = Type.Object({
  id: Type.String(),
  title: Type.String(),
  document: Type.Optional(Type.String()),
})

const Attributes = Type.Record(
  Type.String(),
  Type.Object({ before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) }),
)

const Line = Type.Object({
  type: OneOf(['kept', 'removed', 'added'] as const),
  text: Type.String({ description: 'Including its line ending.' }),
  before: Type.Optional(Type.Integer({ description: 'The line number in the old text.' })),
  after: Type.Optional(Type.Integer({ description: 'The line number in the new text.' })),
})

const Diff = Type.Array(Type.Object({ lines: Type.Array(Line) }), {
  description: 'The line diff of the body, with three lines of context. Omitted for very long bodies.',
})

export const SemanticChange = Type.Union(
  [
    Type.Object({ type: OneOf(['page_created', 'page_deleted'] as const), page: ChangedPage }),
    Type.Object({
      type: Type.Literal('page_edited'),
      page: ChangedPage,
      attributes: Attributes,
      diff: Type.Optional(Diff),
    }),
    Type.Object({
      type: Type.Literal('page_moved'),
      page: ChangedPage,
      parent: Type.Object({ before: Type.Optional(ChangedPage), after: Type.Optional(ChangedPage) }),
    }),
    Type.Object({ type: OneOf(['file_created', 'file_deleted'] as const), file: ChangedFile }),
    Type.Object({ type: Type.Literal('file_edited'), file: ChangedFile, attributes: Attributes }),
    Type.Object({ type: Type.Literal('variables_edited'), variables: Attributes }),
    Type.Object({
      type: OneOf(['reusable_content_created', 'reusable_content_deleted'] as const),
      reusableContent: ChangedReusable,
    }),
    Type.Object({
      type: Type.Literal('reusable_content_edited'),
      reusableContent: ChangedReusable,
      attributes: Attributes,
      diff: Type.Optional(Diff),
    }),
  ],
  { $id: 'SemanticChange' },
)

export const SemanticChanges = Type.Object({
  mergedFrom: Type.Optional(ChangeRequest),
  changes: Type.Array(SemanticChange),
  more: Type.Optional(Type.Integer({ description: 'The number of changes beyond the limit.' })),
})

const limit = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 1000, default: 10, description: 'The maximum number of changes to return.' }),
)

export const ChangesQuery = Type.Object({ ...contentQuery, limit })

export const RevisionSummary = Type.Object(
  {
    object: Type.Literal('revision-summary'),
    id: Type.String(),
    type: OneOf(revisionTypes),
    parents: Type.Array(Type.String()),
    createdAt: Time,
    author: Type.Optional(User),
    mergedFrom: Type.Optional(
      Type.Object(
        { id: Type.String(), number: Type.Integer(), subject: Type.String() },
        {
          description: 'The change request whose merge created it.',
        },
      ),
    ),
    changed: Type.Object(
      {
        pages: Type.Integer(),
        files: Type.Integer(),
        reusableContents: Type.Integer(),
        variables: Type.Integer(),
      },
      { description: 'The number of objects created, changed and deleted, by kind.' },
    ),
    urls: Type.Object({ app: Type.String(), location: Type.String() }),
  },
  { $id: 'RevisionSummary' },
)

export const RevisionList = listOf(RevisionSummary)

export const RevisionQuery = Type.Object(pageQuery)
