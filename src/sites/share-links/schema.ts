import { pageQuery } from '../../http/paging.ts'
import { Id, Nullable, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { longestPassword, shortestPassword } from './password.ts'

const Name = Type.String({ maxLength: 50 })

export const ShareLink = Type.Object(
  {
    object: Type.Literal('share-link'),
    id: Id('Of the link; it does not open the site.'),
    name: Name,
    active: Type.Boolean({
      description: 'A link that is not active opens nothing. Neither does one that has ended: see `expiresAt`.',
    }),
    hasPassword: Type.Boolean({
      description:
        'Whether readers are asked for a password before it opens anything. The password itself is not told.',
    }),
    createdAt: Time,
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'From then on it opens nothing. Without it, it does not end.' }),
    ),
    urls: Type.Object({ published: Type.String({ description: 'The address of the site with the key in it.' }) }),
  },
  { $id: 'ShareLink' },
)

export const ShareLinkQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(Type.String({ maxLength: 50, description: 'Part of the name; case does not matter.' })),
})

const End = Type.Optional(
  Nullable(
    Type.String({ format: 'date-time', description: 'When it ends by itself, in the future; null: it does not.' }),
  ),
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
