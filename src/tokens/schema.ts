import { scopes } from '../access/scopes.ts'
import { Name, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'

const Scopes = Type.Array(OneOf(scopes), { minItems: 1, maxItems: scopes.length })

export const Token = Type.Object(
  {
    object: Type.Literal('token'),
    id: Type.String(),
    label: Type.String(),
    scopes: Nullable(Scopes),
    createdAt: Time,
    expiresAt: Type.Optional(Time),
    lastUsedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'To the minute. Absent if the token was never used.' }),
    ),
    revokedAt: Type.Optional(Time),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'Token' },
)

export const CreatedToken = Type.Object(
  { ...Token.properties, token: Type.String({ description: 'The secret. Shown only once.' }) },
  { $id: 'CreatedToken' },
)

export const NewToken = Type.Object({
  label: Name(1, 50),
  scopes: Type.Optional(Nullable(Scopes)),
  expiresAt: Type.Optional(Nullable(Time)),
})
