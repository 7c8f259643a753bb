import type { Static } from 'typebox'
import { pageQuery } from '../../http/paging.ts'
import { Nullable, OneOf, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { maxSourceLength } from './match.ts'
import { ShareKey } from '../schema.ts'

const Source = Type.String({
  minLength: 1,
  maxLength: maxSourceLength,
  description: 'A path of the site, such as /old/page; a `*` at the end matches anything. Not case-sensitive.',
})

const Destination = Type.Union([
  Type.Object({ kind: Type.Literal('site-section'), siteSectionId: Type.String() }),
  Type.Object({ kind: Type.Literal('site-space'), siteSpaceId: Type.String() }),
  Type.Object({ kind: Type.Literal('site-page'), siteSpaceId: Type.String(), pageId: Type.String() }),
  Type.Object({ kind: Type.Literal('external'), url: Type.String() }),
])

/** The required fields depend on the kind. */
const NewDestination = Type.Object({
  kind: OneOf(['site-section', 'site-space', 'site-page', 'external', 'path'] as const),
  siteSectionId: Type.Optional(Type.String()),
  siteSpaceId: Type.Optional(Type.String()),
  pageId: Type.Optional(Type.String()),
  url: Type.Optional(Type.String({ maxLength: 2048, description: 'An HTTP or HTTPS URL.' })),
  spaceId: Type.Optional(Type.String({ description: 'For a path: a space of the site.' })),
  path: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'The path of a page in that space. The redirect then follows the page.',
    }),
  ),
})

export type NewDestination = Static<typeof NewDestination>

export const SiteRedirect = Type.Object(
  {
    object: Type.Literal('site-redirect'),
    id: Type.String(),
    source: Type.String(),
    destination: Destination,
    captureWildcard: Type.Boolean({ description: 'What `*` matches is appended to the destination.' }),
    permanent: Type.Boolean({ description: 'Whether it is answered with 308 rather than 307.' }),
    draft: Type.Boolean({ description: 'Only in previews.' }),
    createdAt: Time,
    updatedAt: Time,
  },
  { $id: 'SiteRedirect' },
)

const options = {
  captureWildcard: Type.Optional(Type.Boolean()),
  permanent: Type.Optional(Type.Boolean()),
}

export const NewRedirect = Type.Object(
  { source: Source, destination: NewDestination, draft: Type.Optional(Type.Boolean()), ...options },
  { $id: 'NewSiteRedirect' },
)

export const RedirectChanges = Type.Object(
  {
    source: Type.Optional(Source),
    destination: Type.Optional(NewDestination),
    draft: Type.Optional(Type.Boolean()),
    ...options,
  },
  { $id: 'SiteRedirectChanges' },
)

export const RedirectQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(Type.String({ maxLength: 512, description: 'Part of the source, or of an external URL.' })),
  draft: Type.Optional(Type.Boolean({ default: false })),
  orderBy: Type.Optional(
    OneOf(['createdAt', 'updatedAt', 'source'] as const, {
      default: 'createdAt',
      description: 'Newest first; sources alphabetically.',
    }),
  ),
})

export const BulkRedirects = Type.Object(
  {
    redirects: Type.Array(
      Type.Object({
        source: Type.String({ maxLength: 2048 }),
        intent: Type.Optional(
          OneOf(['live', 'draft', 'publish'] as const, {
            description: 'live: for all readers; draft: only in previews; publish: the draft of this source goes live.',
          }),
        ),
        destination: Type.Optional(Nullable(NewDestination)),
        ...options,
      }),
      { minItems: 1, maxItems: 500, description: 'Applied in order. A destination of null deletes the redirect.' },
    ),
  },
  { $id: 'SiteRedirectsBulk' },
)

export type BulkItem = Static<typeof BulkRedirects>['redirects'][number]

export const BulkResult = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        status: OneOf(['created', 'updated', 'deleted', 'published', 'error'] as const),
        source: Type.String(),
        draft: Type.Boolean(),
        id: Type.Optional(Type.String()),
        error: Type.Optional(Type.String({ description: 'Why this item was refused.' })),
      }),
    ),
  },
  { $id: 'SiteRedirectsBulkResult' },
)

export const BySource = Type.Object({
  source: Type.String({ minLength: 1, maxLength: 2048, description: 'A path of the site.' }),
  shareKey: ShareKey,
})

export const FoundRedirect = Type.Object(
  { redirect: SiteRedirect, target: Type.String({ description: 'The URL that it redirects to.' }) },
  { $id: 'FoundSiteRedirect' },
)
