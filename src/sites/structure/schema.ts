import type { TSchema } from 'typebox'
import { pageQuery } from '../../http/paging.ts'
import { Name, Nullable, OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { Space } from '../../spaces/schema.ts'
import { Customization, CustomizationAnswer } from '../customization/schema.ts'
import { ShareKey, Site, SiteTitle } from '../schema.ts'

const Condition = Type.String({
  description: 'An expression over `visitor.claims`. Hidden from visitors for whom it is false or fails.',
})

const Published = Type.Object({ published: Type.Optional(Type.String()) })

const Draft = Type.Boolean({ description: 'Not visible to readers yet, only in previews.' })

export const SiteSpace = Type.Object(
  {
    object: Type.Literal('site-space'),
    id: Type.String(),
    path: Type.String(),
    section: Type.Optional(Type.String({ description: 'The section that contains it.' })),
    space: Space,
    title: Type.String(),
    default: Type.Optional(Type.Boolean({ description: 'Shown at the URL of its section, or of the site.' })),
    draft: Draft,
    condition: Type.Optional(Condition),
    hasAdvancedCustomizationFeature: Type.Optional(Type.Boolean()),
    urls: Published,
  },
  { $id: 'SiteSpace' },
)

export const SiteSection = Type.Object(
  {
    object: Type.Literal('site-section'),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    default: Type.Optional(Type.Boolean({ description: 'Shown at the URL of the site.' })),
    draft: Draft,
    path: Type.String(),
    condition: Type.Optional(Condition),
    sectionGroup: Type.Optional(Type.String({ description: 'The group that contains it.' })),
    icon: Type.Optional(Type.String()),
    siteSpaces: Type.Array(SiteSpace),
    urls: Published,
  },
  { $id: 'SiteSection' },
)

export const SiteExternalLink = Type.Object(
  {
    object: Type.Literal('site-external-link'),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
    url: Type.String(),
    sectionGroup: Type.Optional(Type.String({ description: 'The group that contains it.' })),
    draft: Draft,
    condition: Type.Optional(Condition),
  },
  { $id: 'SiteExternalLink', description: 'An external link among the sections.' },
)

export const SiteSectionGroup = Type.Object(
  {
    object: Type.Literal('site-section-group'),
    id: Type.String(),
    title: Type.String(),
    icon: Type.Optional(Type.String()),
    sections: Type.Array(SiteSection),
    children: Type.Array(Type.Union([SiteSection, SiteExternalLink]), {
      description: 'The sections and links.',
    }),
  },
  { $id: 'SiteSectionGroup' },
)

export const SiteStructure = Type.Union(
  [
    Type.Object({
      type: Type.Literal('sections'),
      structure: Type.Array(Type.Union([SiteSection, SiteSectionGroup, SiteExternalLink])),
    }),
    Type.Object({ type: Type.Literal('siteSpaces'), structure: Type.Array(SiteSpace) }),
  ],
  { $id: 'SiteStructure' },
)

export const SiteItem = Type.Union([SiteSpace, SiteSection, SiteSectionGroup, SiteExternalLink])

export const PublishedSite = Type.Object(
  {
    object: Type.Literal('published-content-site'),
    site: Site,
    structure: SiteStructure,
    customizations: Type.Object({
      site: CustomizationAnswer,
      siteSpaces: Type.Unsafe<Record<string, Customization>>({
        type: 'object',
        additionalProperties: Customization,
        description: 'Overrides of site spaces, by their ids.',
      }),
    }),
    scripts: Type.Array(Type.Unknown(), { description: 'Always empty: no third-party scripts run on sites.' }),
  },
  { $id: 'PublishedSite' },
)

export const WithShareKey = Type.Object({ shareKey: ShareKey })

export const SectionQuery = Type.Object({ ...pageQuery, shareKey: ShareKey })

export const SiteSpaceQuery = Type.Object({
  ...pageQuery,
  shareKey: ShareKey,
  default: Type.Optional(Type.Boolean({ description: 'Only default ones, or only the others.' })),
})

const Icon = Nullable(Type.String({ maxLength: 50 }))
const Path = Type.String({ minLength: 1, maxLength: 100 })
const Description = Nullable(Type.String({ maxLength: 256 }))
const NewCondition = Nullable(Type.String({ minLength: 1, maxLength: 1024, description: 'null removes it.' }))

export const NewSection = Type.Object({
  spaceId: Type.String({ description: 'The first space of the section.' }),
  title: Type.Optional(Nullable(SiteTitle)),
  icon: Type.Optional(Icon),
  draft: Type.Optional(Draft),
  siteSpaceId: Type.Optional(
    Type.String({
      description:
        'A site space of this site that shows the space: it moves into the section with all of its settings in this site.',
    }),
  ),
})

export const SectionChanges = Type.Object({
  title: Type.Optional(SiteTitle),
  path: Type.Optional(Path),
  defaultSiteSpace: Type.Optional(Type.String({ description: 'One of its site spaces.' })),
  condition: Type.Optional(NewCondition),
  icon: Type.Optional(Icon),
  description: Type.Optional(Description),
  draft: Type.Optional(Draft),
})

const GroupTitle = Name(1, 100)

export const NewGroup = Type.Object({
  title: GroupTitle,
  icon: Type.Optional(Icon),
  sections: Type.Optional(Type.Array(Type.String(), { maxItems: 500, description: 'Ids of sections to add.' })),
})

export const GroupChanges = Type.Object({ title: Type.Optional(GroupTitle), icon: Type.Optional(Icon) })

export const SectionForGroup = Type.Object({ sectionId: Type.String() })

const aboutLink = {
  description: Type.Optional(Description),
  icon: Type.Optional(Icon),
  parent: Type.Optional(Nullable(Type.String({ description: 'The section group that contains it; null: top level.' }))),
  draft: Type.Optional(Draft),
  condition: Type.Optional(NewCondition),
}
const Outward = Type.String({ maxLength: 2048, description: 'An HTTP or HTTPS URL.' })

export const NewExternalLink = Type.Object({ title: SiteTitle, url: Outward, ...aboutLink })

export const ExternalLinkChanges = Type.Object({
  title: Type.Optional(SiteTitle),
  url: Type.Optional(Outward),
  ...aboutLink,
})

export const NewSiteSpace = Type.Object({
  spaceId: Type.String(),
  sectionId: Type.Optional(
    Type.String({ description: 'Default: the default section, or the root if there are no sections.' }),
  ),
  draft: Type.Optional(Draft),
})

export const SiteSpaceChanges = Type.Object({
  path: Type.Optional(Path),
  title: Type.Optional(Nullable(Name(1, 128))),
  condition: Type.Optional(NewCondition),
  draft: Type.Optional(Draft),
  spaceId: Type.Optional(Type.String({ description: 'The space to show instead.' })),
  sectionId: Type.Optional(
    Nullable(
      Type.String({
        description:
          'The section to move it to, as the last item. A section without spaces is removed. null moves everything in the only section of a site to the root.',
      }),
    ),
  ),
})

export const SiteSpaceCopy = Type.Object({ draft: Type.Optional(Draft) })

const itemTypes = ['site-space', 'site-section', 'site-section-group', 'site-external-link'] as const

const Item = Type.Object({ type: OneOf(itemTypes), id: Type.String() })

const place = 'The position on the same level: `before` or `after` another item. Default: last.'

const nextTo = <Pointer extends TSchema>(pointer: Pointer) =>
  Type.Object({ before: Type.Optional(pointer), after: Type.Optional(pointer) }, { description: place })

export const Sorting = Type.Object({ item: Item, position: nextTo(Item) })

export const SectionMove = Type.Object({
  position: Type.Optional(nextTo(Type.Object({ type: Type.Literal('site-section'), siteSection: Type.String() }))),
})

export const GroupMove = Type.Object({
  position: Type.Optional(
    nextTo(Type.Object({ type: OneOf(['site-section', 'site-section-group'] as const), id: Type.String() })),
  ),
})

export const SiteSpaceMove = Type.Object({
  position: Type.Optional(nextTo(Type.Object({ type: Type.Literal('site-space'), siteSpace: Type.String() }))),
})
