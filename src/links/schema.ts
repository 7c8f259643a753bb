import { ChangeRequest } from '../change-requests/schema.ts'
import { File } from '../files/schema.ts'
import { listOf, pageQuery } from '../http/paging.ts'
import { OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { Organization } from '../organizations/schema.ts'
import { Page, ReusableContent, Revision } from '../pages/schema.ts'
import { Space } from '../spaces/schema.ts'
import { relations, statuses } from './queries.ts'

const none = Type.Array(Type.Unknown(), { maxItems: 0 })

const VersionContext = Type.Union([
  Type.Object({
    type: Type.Literal('revision'),
    revision: Type.Object(
      { ...Revision.properties, variables: Type.Object({}), pages: none, files: none, reusableContents: none },
      { description: 'Without its content.' },
    ),
  }),
  Type.Object({ type: Type.Literal('changeRequest'), changeRequest: ChangeRequest }),
])

const inSpace = { organization: Organization, space: Space, versionContext: Type.Optional(VersionContext) }

/** The place of something: of the target of a link, or of the content that contains the link. */
export const ContentLocation = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('page'),
      ...inSpace,
      page: Page,
      internalLocation: Type.Optional(Type.Object({ type: Type.Literal('anchor'), anchor: Type.String() })),
    }),
    Type.Object({ kind: Type.Literal('file'), ...inSpace, file: File }),
    Type.Object({ kind: Type.Literal('reusable-content'), ...inSpace, reusableContent: ReusableContent }),
    Type.Object({ kind: Type.Literal('space'), organization: Organization, space: Space }),
    Type.Object({ kind: Type.Literal('url'), url: Type.String() }),
  ],
  { $id: 'ContentLocation', description: 'A page without the pages below it.' },
)

const Status = OneOf(statuses, {
  description:
    '`ok`: the link works. `broken`: its target does not exist, or you cannot see it. `in-app`: it leads to a page of the app that is not content.',
})

export const Link = Type.Object(
  {
    status: Status,
    relation: OneOf(relations, { description: '`dependsOn`: it is included.' }),
    targetReference: Type.Optional(ContentLocation),
    locationReferences: Type.Array(ContentLocation),
  },
  { $id: 'Link' },
)

export const Links = Type.Object({
  ...listOf(Link).properties,
  stats: Type.Object({
    total: Type.Integer({ description: 'The total number of links, regardless of filters.' }),
    broken: Type.Object({
      total: Type.Integer(),
      changeRequest: Type.Optional(Type.Integer({ description: 'Links that work without the change request.' })),
    }),
  }),
})

export const LinksQuery = Type.Object({ ...pageQuery, status: Type.Optional(Status) })

export const ChangeRequestLinksQuery = Type.Object({
  ...LinksQuery.properties,
  brokenContext: Type.Optional(
    OneOf(['change-request', 'space'] as const, {
      description: 'Only broken links: those broken by the change request, or those broken without it.',
    }),
  ),
})
