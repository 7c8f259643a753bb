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
        description: 'Whether a visitor whose token does not hold is sent to the sign-in of the site.',
      }),
    ),
    visitor: Type.Optional(
      Type.Object({
        type: Type.Optional(OneOf(['human', 'agent'] as const, { description: 'Has no effect.' })),
        jwtToken: Type.Optional(Type.String({ maxLength: 8192, description: 'Signed with the key of the site.' })),
        unsignedClaims: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'As far as the schema of the site declares them.',
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
  redirect: Type.String({ description: 'Where to go instead.' }),
  site: Type.Optional(Type.String()),
})

const Content = Type.Object({
  site: Type.String(),
  siteSection: Type.Optional(Type.String()),
  siteSpace: Type.String(),
  space: Type.String(),
  organization: Type.String(),
  pathname: Type.String({ description: 'The path of the page below `basePath`; a slash for the landing page.' }),
  basePath: Type.String({ description: 'The path of the site space in the URL.' }),
  siteBasePath: Type.String({ description: 'The path of the site in the URL.' }),
  apiToken: Type.String({
    description: 'Reads for an hour what the visitor sees: the current content and the search of this site.',
  }),
  complete: Type.Boolean({ description: 'Whether the URL names all that a page can be below.' }),
  canonicalUrl: Type.String(),
  shareKey: Type.Optional(Type.String()),
  contextId: Type.Optional(Type.String({ description: 'Another one for a visitor of whom something else is known.' })),
})

export const Lookup = Type.Union([Redirect, Content], { $id: 'PublishedContentLookup' })

export const ContentUrlQuery = Type.Object({
  url: Type.String({ format: 'http-url', maxLength: 2048, description: 'An address of the authors’ app.' }),
})

export const ContentOfUrl = Type.Union(
  [
    Type.Object({ collection: Collection }),
    Type.Object({ space: Space, changeRequest: Type.Optional(ChangeRequest), page: Type.Optional(Page) }),
  ],
  { $id: 'ContentOfUrl' },
)
