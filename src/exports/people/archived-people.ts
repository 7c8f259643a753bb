import { AnId, MaybeRole, Nullable, OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { teamRoles } from '../../teams/schema.ts'

/** A person. Older archives contain only the address, and no id. */
export const Named = Type.Object({
  id: Type.Optional(Type.String()),
  email: Type.String(),
  displayName: Type.Optional(Type.String()),
})

const GrantedMember = Type.Object({ ...Named.properties, role: MaybeRole })

const GrantedTeam = Type.Object({ id: Type.Optional(Type.String()), title: Type.String(), role: MaybeRole })

export const ArchivedGrants = Type.Object({ members: Type.Array(GrantedMember), teams: Type.Array(GrantedTeam) })

const byThing = Type.Record(Type.String(), ArchivedGrants)

export const GrantsOfOrganization = Type.Object({ collections: byThing, sites: byThing })

const Team = Type.Object({
  id: Type.Optional(Type.String()),
  title: Type.String(),
  members: Type.Array(Type.Union([Type.String(), Type.Object({ ...Named.properties, role: OneOf(teamRoles) })])),
})

/** The part of `organization.json` that is restored: the people, and the default site. */
export const ArchivedOrganization = Type.Object({
  id: Type.Optional(AnId()),
  defaultSite: Type.Optional(Nullable(AnId())),
  members: Type.Optional(Type.Array(GrantedMember)),
  teams: Type.Optional(Type.Array(Team)),
})

export const ArchivedPerson = Type.Object({ ...Named.properties, id: AnId(), displayName: Type.String() })
