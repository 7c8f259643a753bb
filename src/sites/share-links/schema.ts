import { pageQuery } from '../../http/paging.ts'
import { Id, Nullable, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { longestPassword, shortestPassword } from './password.ts'

const Name = Type.String({ maxLength: 50 })

export const ShareLink = Type.Object(
  {
    object: Type.Literal('share-link'),
    id: Id('The id of the link; not the key that opens the site.'),
    name: Name,
    active: Type.Boolean({
      description: 'Whether the link is turned on. An expired link does not work either: see `expiresAt`.',
    }),
    hasPassword: Type.Boolean({
      description: 'Whether readers have to enter a password. The password itself is never returned.',
    }),
    createdAt: Time,
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the link expires. If absent, it does not expire.' }),
    ),
    urls: Type.Object({ published: Type.String({ description: 'The URL of the site, including the key.' }) }),
  },
  { $id: 'ShareLink' },
)

export const ShareLinkQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(Type.String({ maxLength: 50, description: 'Part of the name, not case-sensitive.' })),
})

const End = Type.Optional(
  Nullable(Type.String({ format: 'date-time', description: 'When it expires, a time in the future; null: never.' })),
)

const Password = Type.String({ minLength: shortestPassword, maxLength: longestPassword })

export const NewShareLink = Type.Object(
  { name: Name, expiresAt: End, password: Type.Optional(Nullable(Password)) },
  { $id: 'NewShareLink' },
)

export const ShareLinkChanges = Type.Object(
  {
    active: Type.Optional(Type.Boolean()),
    name: Type.Optional(Name),
    expiresAt: End,
    password: Type.Optional(Nullable(Password)),
  },
  { $id: 'ShareLinkChanges' },
)
