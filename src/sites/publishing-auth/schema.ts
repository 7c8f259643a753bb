import { Nullable, OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'

const Address = Type.String({ format: 'http-url', maxLength: 2048 })

export const PublishingAuth = Type.Object(
  {
    object: Type.Literal('publishing-auth'),
    backend: Type.Literal('custom', { description: 'Visitors sign in through your own service.' }),
    privateKey: Type.String({ description: 'The key to sign visitor tokens with, using HS256.' }),
    fallbackURL: Type.Optional(Type.String({ description: 'The URL that visitors are sent to for signing in.' })),
    logoutURL: Type.Optional(Type.String({ description: 'The URL that visitors are sent to after signing out.' })),
  },
  { $id: 'PublishingAuth' },
)

export const PublishingAuthChanges = Type.Object(
  {
    backend: Type.Optional(OneOf(['custom', 'integration'] as const, { description: 'Only `custom` is supported.' })),
    fallbackURL: Type.Optional(Nullable(Address)),
    logoutURL: Type.Optional(Nullable(Address)),
  },
  { $id: 'PublishingAuthChanges' },
)
