import { pageQuery } from '../http/paging.ts'
import { MaybeRole, OneOf, Order, SearchForPeople, Time } from '../http/schemas.ts'
import { roles } from '../access/roles.ts'
import Type from '../http/type.ts'
import { User } from '../users/schema.ts'

export const Member = Type.Object(
  {
    object: Type.Literal('member'),
    id: Type.String({ description: "The person's user id." }),
    role: MaybeRole,
    user: User,
    disabled: Type.Boolean(),
    joinedAt: Time,
    lastSeenAt: Type.Optional(Time),
    sso: Type.Boolean(),
    spaces: Type.Integer({ description: 'The number of spaces that both the member and you have access to.' }),
    teams: Type.Integer(),
  },
  { $id: 'Member' },
)

export const MemberQuery = Type.Object({
  ...pageQuery,
  order: Type.Optional(Order),
  role: Type.Optional(OneOf([...roles, 'guest'] as const)),
  search: SearchForPeople,
  sort: Type.Optional(
    OneOf(['joinedAt', 'lastSeenAt', 'name'] as const, {
      default: 'joinedAt',
      description: '`lastSeenAt` lists only active members: those who have been seen and are not disabled.',
    }),
  ),
})

export const MemberChanges = Type.Object({
  role: Type.Optional(MaybeRole),
  disabled: Type.Optional(Type.Boolean({ description: 'A disabled member has no access, but stays a member.' })),
})
