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

const GrantedRole = Type.Union([RoleWord, Type.Null()], { description: 'null: no access, whatever holds around it.' })

const Names = (description: string) => Type.Array(Type.String(), { minItems: 1, maxItems: 1000, description })

export const NewPermissions = Type.Object(
  {
    role: GrantedRole,
    users: Type.Optional(Names('Ids of members; or else teams.')),
    teams: Type.Optional(Names('Ids of teams; or else users.')),
  },
  { $id: 'NewPermissions' },
)

export const PermissionChanges = Type.Object({ role: Type.Optional(GrantedRole) }, { $id: 'PermissionChanges' })
