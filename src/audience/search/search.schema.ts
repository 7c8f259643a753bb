import { OneOf, Tagged } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { FoundPage, FoundSpace } from '../../search/schema.ts'

const SiteSpaces = Type.Array(Type.String(), { minItems: 1, maxItems: 1000 })

const Scope = Tagged(
  'mode',
  [
    Type.Object({
      mode: Type.Literal('default', { description: 'The default variant of each section.' }),
      currentSiteSpace: Type.Optional(Type.String({ description: 'Replaces the default variant of its section.' })),
      includedSiteSpaces: Type.Optional(
        Type.Array(Type.String(), { maxItems: 1000, description: 'Also search these.' }),
      ),
      restrictTo: Type.Optional(Type.String({ description: 'Has no effect.' })),
    }),
    Type.Object({ mode: Type.Literal('specific'), siteSpaceIds: SiteSpaces }),
    Type.Object({ mode: Type.Literal('all') }),
  ],
  { description: 'What to search.' },
)

export const SiteSearch = Type.Object(
  {
    query: Type.String({ maxLength: 512 }),
    scope: Type.Optional(Scope),
    mode: Type.Optional(OneOf(['specific', 'current', 'all'] as const, { description: 'Deprecated: use `scope`.' })),
    siteSpaceIds: Type.Optional(SiteSpaces),
    siteSpaceId: Type.Optional(Type.String()),
  },
  { $id: 'SiteSearch' },
)

const Urls = Type.Object({ app: Type.String(), published: Type.Optional(Type.String()) })

export const FoundInSite = Type.Object(
  {
    ...FoundSpace.properties,
    type: Type.Literal('space'),
    score: Type.Number({ description: 'The score of its best page; higher is better.' }),
    pages: Type.Array(Type.Object({ ...FoundPage.properties, urls: Urls })),
  },
  { $id: 'FoundInSite' },
)
