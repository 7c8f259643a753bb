import { roles } from '../../access/roles.ts'
import { pageQuery } from '../../http/paging.ts'
import { MaybeRole, OneOf, Order, SearchForPeople, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { User } from '../../users/schema.ts'

const Origin = Type.Union(
  [
    Type.Object({ type: Type.Literal('organization'), organization: Type.String() }),
    Type.Object({
      type: Type.Literal('site'),
      site: Type.String(),
      reason: OneOf(['member', 'team'] as const),
      team: Type.Optional(Type.String({ description: 'The team whose members were granted the role.' })),
    }),
  ],
  { description: 'Where the role comes from: the role in the organization, or a role granted on the site.' },
)

export const SitePermission = Type.Object(
  {
    permission: MaybeRole,
    user: User,
    origin: Origin,
    disabled: Type.Boolean({ description: 'Disabled members have no access and are omitted.' }),
    lastSeenAt: Type.Optional(Time),
  },
  { $id: 'SitePermission' },
)

export const SitePermissionQuery = Type.Object({
  ...pageQuery,
  order: Type.Optional(Order),
  role: Type.Optional(
    OneOf([...roles, 'guest'] as const, {
      description: 'Only those with this role; guest: only those without access.',
    }),
  ),
  search: SearchForPeople,
  sort: Type.Optional(OneOf(['joinedAt', 'lastSeenAt', 'name'] as const, { default: 'joinedAt' })),
  team: Type.Optional(Type.String({ description: 'Only members of this team.' })),
})
