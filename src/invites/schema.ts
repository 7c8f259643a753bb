import { Collection } from '../collections/schema.ts'
import { pageQuery } from '../http/paging.ts'
import { AnId, MaybeRole, Name } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { Space } from '../spaces/schema.ts'
import { User } from '../users/schema.ts'

const everyInvite = {
  object: Type.Literal('invite'),
  id: Type.String(),
  redundant: Type.Boolean({ description: 'Whether you already have everything that it grants.' }),
  urls: Type.Object({
    location: Type.String(),
    invite: Type.String({ description: 'Anybody who has this URL can join: treat it like a password.' }),
  }),
}

export const Invite = Type.Union(
  [
    Type.Object({
      ...everyInvite,
      role: MaybeRole,
      email: Type.Optional(Type.String({ description: 'Only for an invite by e-mail, which can be used once.' })),
    }),
    Type.Object({ ...everyInvite, level: MaybeRole, space: Space }),
    Type.Object({ ...everyInvite, level: MaybeRole, collection: Collection }),
  ],
  { $id: 'Invite', description: 'The organization or, for guests, a single space or collection.' },
)

export const InviteLinkQuery = Type.Object({
  ...pageQuery,
  space: Type.Optional(AnId('Only links to this space.')),
  collection: Type.Optional(AnId('Only links to this collection.')),
})

const Address = Type.String({ format: 'email', maxLength: 320 })

export const PeopleToInvite = Type.Object({
  emails: Type.Array(Type.Union([Address, Type.Object({ email: Address, role: Type.Optional(MaybeRole) })]), {
    maxItems: 100,
  }),
  role: Type.Optional(MaybeRole),
  sso: Type.Optional(Type.Boolean()),
})

export const InvitedPeople = Type.Object({
  users: Type.Array(Type.String(), { description: 'Always empty: invites have to be accepted.' }),
  invited: Type.Integer({
    description: 'The number of invites created. Members are not invited, except guests who are to get a role.',
  }),
  failedSSOEmails: Type.Optional(Type.Array(Type.String())),
  invites: Type.Array(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      url: Type.String({ description: 'Give it to the owner of the address. It can be used once, within 30 days.' }),
    }),
  ),
})

const ToOrganization = Type.Object({ role: MaybeRole })
const ToSpace = Type.Object({ level: MaybeRole, space: Type.String() })
const ToCollection = Type.Object({ level: MaybeRole, collection: Type.String() })

export const NewLinkInvite = Type.Union([ToOrganization, ToSpace, ToCollection])

export const InviteChanges = Type.Union([ToOrganization, Type.Object({ level: MaybeRole })])

export const Newcomer = Type.Object(
  {
    email: Type.Optional(Address),
    displayName: Type.Optional(Name(1, 64)),
  },
  { description: 'Who you are, if you have no account yet. Ignored with a token.' },
)

export const AcceptedInvite = Type.Object({
  user: User,
  organization: Type.String({ description: 'The id of the organization that you joined.' }),
  token: Type.Optional(Type.String({ description: 'The first token of a new account. Shown only once.' })),
})
