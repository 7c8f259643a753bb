import { pageQuery } from '../http/paging.ts'
import { MaybeRole, RoleWord, SearchForPeople } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { Team } from '../teams/schema.ts'
import { User } from '../users/schema.ts'

export const UserPermission = Type.Object({ permission: MaybeRole, user: User }, { $id: 'UserPermission' })

export const TeamPermission = Type.Object({ permission: MaybeRole, team: Team }, { $id: 'TeamPermission' })

export const EffectivePermission = Type.Object({ permission: RoleWord, user: User }, { $id: 'EffectivePermission' })

export const EffectiveQuery = Type.Object({
  ...pageQuery,
  role: Type.Optional(RoleWord),
  search: SearchForPeople,
})

const GrantedRole = Type.Union([RoleWord, Type.Null()], {
  description: 'null: no access, regardless of inherited roles.',
})

const Names = (description: string) => Type.Array(Type.String(), { minItems: 1, maxItems: 1000, description })

export const NewPermissions = Type.Object(
  {
    role: GrantedRole,
    users: Type.Optional(Names('Ids of members. Send either `users` or `teams`.')),
    teams: Type.Optional(Names('Ids of teams. Send either `users` or `teams`.')),
  },
  { $id: 'NewPermissions' },
)

export const PermissionChanges = Type.Object({ role: Type.Optional(GrantedRole) }, { $id: 'PermissionChanges' })
