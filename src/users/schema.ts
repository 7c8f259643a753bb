import { Name, Nullable } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const User = Type.Object(
  {
    object: Type.Literal('user'),
    id: Type.String(),
    displayName: Type.String(),
    email: Type.Optional(Type.String()),
    photoURL: Type.Optional(Type.String()),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'User' },
)

export const UserChanges = Type.Object({
  displayName: Type.Optional(Name(1, 64)),
  photoURL: Type.Optional(
    Nullable(Type.String({ maxLength: 2048, format: 'http-url', description: 'null removes the picture.' })),
  ),
})
