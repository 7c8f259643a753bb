import { ChangeRequest } from '../../change-requests/schema.ts'
import { Collection } from '../../collections/schema.ts'
import { OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { Page } from '../../pages/schema.ts'
import { Space } from '../../spaces/schema.ts'

const Url = Type.String({ format: 'http-url', maxLength: 2048 })

export const ToResolve = Type.Object(
  {
    url: Url,
    redirectOnError: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether a visitor with an invalid token is redirected to the sign-in page of the site.',
      }),
    ),
    visitor: Type.Optional(
      Type.Object({
        type: Type.Optional(OneOf(['human', 'agent'] as const, { description: 'Has no effect.' })),
        jwtToken: Type.Optional(
          Type.String({ maxLength: 8192, description: 'Signed with the signing key of the site.' }),
        ),
        unsignedClaims: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'Only claims that the visitor schema of the site declares.',
          }),
        ),
      }),
    ),
  },
  { $id: 'UrlToResolve' },
)

export const ResolveQuery = Type.Object({
  url: Url,
  visitorAuthToken: Type.Optional(Type.String({ maxLength: 8192 })),
  redirectOnError: Type.Optional(Type.Boolean({ default: false })),
})

const Redirect = Type.Object({
  target: OneOf(['application', 'content', 'external'] as const),
  redirect: Type.String({ description: 'The URL to redirect to.' }),
  site: Type.Optional(Type.String()),
})

const Content = Type.Object({
  site: Type.String(),
  siteSection: Type.Optional(Type.String()),
  siteSpace: Type.String(),
  space: Type.String(),
  organization: Type.String(),
  pathname: Type.String({ description: 'The path of the page below `basePath`; `/` for the landing page.' }),
  basePath: Type.String({ description: 'The path of the site space in the URL.' }),
  siteBasePath: Type.String({ description: 'The path of the site in the URL.' }),
  apiToken: Type.String({
    description:
      'Valid for one hour. Gives access to what the visitor can see: the current content and the search of this site.',
  }),
  complete: Type.Boolean({ description: 'Whether the URL is complete, with section and variant.' }),
  canonicalUrl: Type.String(),
  shareKey: Type.Optional(Type.String()),
  contextId: Type.Optional(Type.String({ description: 'Differs between visitors with different claims.' })),
})

export const Lookup = Type.Union([Redirect, Content], { $id: 'PublishedContentLookup' })

export const ContentUrlQuery = Type.Object({
  url: Type.String({ format: 'http-url', maxLength: 2048, description: 'A URL of the app.' }),
})

export const ContentOfUrl = Type.Union(
  [
    Type.Object({ collection: Collection }),
    Type.Object({ space: Space, changeRequest: Type.Optional(ChangeRequest), page: Type.Optional(Page) }),
  ],
  { $id: 'ContentOfUrl' },
)
