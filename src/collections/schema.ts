import { pageQuery } from '../http/paging.ts'
import { MaybeRole, Name, Nullable, OneOf } from '../http/schemas.ts'
import { roles } from '../access/roles.ts'
import Type from '../http/type.ts'

export const Collection = Type.Object(
  {
    object: Type.Literal('collection'),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    organization: Type.String(),
    parent: Type.Optional(Type.String({ description: 'The collection that contains it.' })),
    defaultLevel: MaybeRole,
    urls: Type.Object({ location: Type.String(), app: Type.String() }),
    permissions: Type.Object({
      view: Type.Boolean(),
      admin: Type.Boolean(),
      viewInviteLinks: Type.Boolean(),
      create: Type.Boolean(),
    }),
  },
  { $id: 'Collection' },
)

export const CollectionQuery = Type.Object({
  ...pageQuery,
  nested: Type.Optional(Type.Boolean({ default: true, description: 'Whether nested collections are listed as well.' })),
})

export const ContentTitle = Name(1, 50)

/** A role for everybody, null for nobody, or `inherit` for the level of the parent. */
export const DefaultLevel = Nullable(
  OneOf([...roles, 'inherit'] as const, {
    description: 'The role of every member. null: no access unless granted. inherit: as in the parent.',
  }),
)

export const NewCollection = Type.Object({
  title: Type.Optional(ContentTitle),
  parent: Type.Optional(Type.String({ description: 'The parent collection. Default: the top level.' })),
})

export const CollectionChanges = Type.Object({
  title: Type.Optional(ContentTitle),
  description: Type.Optional(Type.String({ maxLength: 100 })),
  defaultLevel: Type.Optional(DefaultLevel),
})

export const Transfer = Type.Object({
  organization: Type.String({ description: 'The id of the target organization.' }),
})
