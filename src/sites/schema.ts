import { pageQuery } from '../http/paging.ts'
import { AnId, Name, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { longestProxy } from './addresses.ts'

const types = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const

const SiteType = OneOf(types, { default: 'basic', description: 'Has no effect: every site has everything.' })

const Visibility = OneOf(['public', 'unlisted', 'share-link', 'visitor-auth'] as const, {
  description:
    'Who can read it once it is published. public: anybody; unlisted: anybody, but not listed by search engines; ' +
    'share-link: anybody with a share link; visitor-auth: visitors with a signed token.',
})

const AgentsContext = OneOf(['excluded', 'included'] as const, {
  description: 'Whether the site offers its pages to language models: llms.txt and Markdown.',
})

/** All features of a site in the public API. Here, every site has all of them. */
const featureIds = [
  'sites-adaptive-content',
  'sites-advanced-customization',
  'sites-advanced-insights',
  'sites-ads',
  'sites-ai-search',
  'sites-ai-assistant',
  'sites-api-playground',
  'sites-basic-customization',
  'sites-custom-domain',
  'sites-custom-fonts',
  'sites-custom-subdirectory',
  'sites-full-text-search',
  'sites-multivariant-site',
  'sites-no-custom-domain',
  'sites-page-feedback',
  'sites-page-traffic-insights',
  'sites-pdf-export',
  'sites-preview-deployments',
  'sites-public-visibility',
  'sites-redirects',
  'sites-search-insights',
  'sites-sections',
  'sites-seo',
  'sites-share-links',
  'sites-unlisted-visibility',
  'sites-user-contribution',
  'sites-visitor-authentication',
  'sites-visitors',
] as const

export const features = featureIds.map((id) => ({ id, plan: 'basic' as const, frozen: false }))

export const Site = Type.Object(
  {
    object: Type.Literal('site'),
    id: Type.String(),
    type: OneOf(types),
    title: Type.String(),
    icon: Type.Optional(
      Type.Object(
        {
          icon: Type.Optional(Type.Object({ light: Type.String(), dark: Type.String() })),
          emoji: Type.Optional(Type.String()),
        },
        { description: 'The `favicon` of its customization, if one is set.' },
      ),
    ),
    hostname: Type.Optional(Type.String({ description: 'The custom hostname.' })),
    basename: Type.Optional(Type.String({ description: 'The last part of its URL, below that of the organization.' })),
    proxy: Type.Optional(
      Type.Object({
        origin: Type.String({ description: 'The URL at which your own proxy serves the site.' }),
        target: Type.String({ description: 'The URL that the proxy has to forward requests to.' }),
      }),
    ),
    visibility: Visibility,
    published: Type.Boolean(),
    siteSpaces: Type.Integer({ description: 'The number of its spaces that the caller can see.' }),
    createdAt: Time,
    adaptiveContent: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    agentsContext: AgentsContext,
    features: Type.Array(
      Type.Object({ id: OneOf(featureIds), plan: OneOf(['basic'] as const), frozen: Type.Boolean() }),
    ),
    urls: Type.Object({
      location: Type.String(),
      app: Type.String(),
      published: Type.Optional(Type.String({ description: 'The URL for readers, once the site is published.' })),
    }),
  },
  { $id: 'Site' },
)

export const SiteTitle = Name(2, 128)

export const SiteQuery = Type.Object({
  ...pageQuery,
  space: Type.Optional(AnId('Only sites that contain this space.')),
  title: Type.Optional(Type.String({ maxLength: 256, description: 'Part of the title, not case-sensitive.' })),
  published: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.Array(OneOf(types), { maxItems: types.length })),
})

export const NewSite = Type.Object({
  type: Type.Optional(SiteType),
  title: Type.Optional(SiteTitle),
  visibility: Type.Optional(Visibility),
  spaces: Type.Optional(
    Type.Union([
      Type.Array(Type.String(), { maxItems: 100, description: 'Ids of spaces to add, in this order.' }),
      OneOf(['sample', 'empty'] as const, { description: 'A new space for the site, with or without sample content.' }),
    ]),
  ),
})

export const SiteChanges = Type.Object({
  title: Type.Optional(SiteTitle),
  visibility: Type.Optional(Visibility),
  basename: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  adaptiveContent: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
  agentsContext: Type.Optional(AgentsContext),
  defaultSiteSpace: Type.Optional(Type.String({ description: 'The space at the root, or in the default section.' })),
  defaultSiteSection: Type.Optional(Type.String()),
  hostname: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 512,
        pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$',
        examples: ['docs.company.com'],
        description: 'A custom hostname whose DNS points to this server; null removes it.',
      }),
    ),
  ),
  proxy: Type.Optional(
    Nullable(
      Type.String({
        maxLength: longestProxy,
        pattern: '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$',
        examples: ['company.com/docs'],
        description: 'The URL at which your own proxy serves the site; null removes it.',
      }),
    ),
  ),
})

export const ShareKey = Type.Optional(
  Type.String({ maxLength: 512, description: 'The key of a share link, which is added to the URLs of its site.' }),
)
