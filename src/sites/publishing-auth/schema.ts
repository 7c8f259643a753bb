import { Nullable, OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'

const Address = Type.String({ format: 'http-url', maxLength: 2048 })

export const PublishingAuth = Type.Object(
  {
    object: Type.Literal('publishing-auth'),
    backend: Type.Literal('custom', { description: 'A service of yours signs in visitors.' }),
    privateKey: Type.String({ description: 'Sign the tokens of visitors with it, by HS256.' }),
    fallbackURL: Type.Optional(Type.String({ description: 'Where visitors are sent to sign in.' })),
    logoutURL: Type.Optional(Type.String({ description: 'Where visitors are sent when they have signed out.' })),
  },
  { $id: 'PublishingAuth' },
)

export const PublishingAuthChanges = Type.Object(
  {
    backend: Type.Optional(
      OneOf(['custom', 'integration'] as const, { description: 'Only `custom` can be had here.' }),
    ),
    fallbackURL: Type.Optional(Nullable(Address)),
    logoutURL: Type.Optional(Nullable(Address)),
  },
  { $id: 'PublishingAuthChanges' },
)
