import { pageQuery } from '../http/paging.ts'
import { Name, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { Member } from '../organizations/members.schema.ts'

export const teamRoles = ['owner', 'member'] as const

export type TeamRole = (typeof teamRoles)[number]

const TeamRoleWord = OneOf(teamRoles, { description: 'An owner manages the team and its members.' })

export const Team = Type.Object(
  {
    object: Type.Literal('team'),
    id: Type.String(),
    title: Type.String(),
    members: Type.Integer({ description: 'The number of members.' }),
    spaces: Type.Integer({
      description:
        'The number of spaces that the team has access to, directly or through collections, and that you have access to.',
    }),
    createdAt: Time,
    permissions: Type.Object({ admin: Type.Boolean(), view: Type.Boolean() }),
  },
  { $id: 'Team' },
)

/** A person's role in a team. */
const TeamMembership = Type.Object({ role: TeamRoleWord })

export const TeamMember = Type.Object(
  {
    organization: Member,
    team: TeamMembership,
    permissions: Type.Object({ view: Type.Boolean() }),
  },
  { $id: 'TeamMember' },
)

export const TeamOfMember = Type.Object({ team: Team, member: TeamMembership }, { $id: 'TeamOfMember' })

const titleFilter = Type.Optional(
  Type.String({ maxLength: 256, description: 'Part of the title, not case-sensitive.' }),
)

export const TeamQuery = Type.Object({
  ...pageQuery,
  owner: Type.Optional(Type.String({ description: 'The id of a member: only teams that this member can manage.' })),
  title: titleFilter,
})

export const TeamOfMemberQuery = Type.Object({ ...pageQuery, title: titleFilter })

const maxPeople = 1000

/** In characters. */
export const longestTeamTitle = 64

const title = Name(1, longestTeamTitle)

export const NewTeam = Type.Object({
  title,
  members: Type.Optional(
    Type.Array(Type.String({ maxLength: 320 }), {
      maxItems: maxPeople,
      description: 'Ids of members of the organization.',
    }),
  ),
})

export const TeamChanges = Type.Object({ title })

const People = Type.Array(Type.String({ maxLength: 320, description: 'A user id or an e-mail address.' }), {
  maxItems: maxPeople,
})

export const TeamMembersChanges = Type.Object({
  add: Type.Optional(People),
  remove: Type.Optional(People),
  // Not a TypeBox Record: it would not check the value of a name that contains a line break.
  memberships: Type.Optional(
    Type.Unsafe<Record<string, { role: TeamRole }>>({
      type: 'object',
      description: 'Roles in the team, by user id or e-mail address. Users who are not in the team are added.',
      propertyNames: { maxLength: 320 },
      additionalProperties: TeamMembership,
      maxProperties: maxPeople,
    }),
  ),
})

export const TeamMembershipChanges = Type.Object({ role: Type.Optional(TeamRoleWord) })
