import { Nullable, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { longestTeamTitle } from '../teams/schema.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

const schemas = Type.Array(Type.String())

const Meta = Type.Object({ resourceType: Type.String(), created: Time, location: Type.String() })

export const ScimUser = Type.Object(
  {
    schemas,
    id: Type.String({ description: 'The id of the member.' }),
    externalId: Type.Optional(Type.String({ description: 'The id at the identity provider.' })),
    userName: Type.String(),
    displayName: Type.String(),
    name: Type.Object({
      formatted: Type.String(),
      givenName: Type.Optional(Type.String()),
      familyName: Type.Optional(Type.String()),
    }),
    emails: Type.Array(Type.Object({ value: Type.String(), type: Type.String(), primary: Type.Boolean() })),
    active: Type.Boolean({ description: 'False if the member is disabled.' }),
    roles: Type.Array(Type.Object({ value: Type.String(), primary: Type.Boolean() })),
    meta: Meta,
  },
  { $id: 'ScimUser', description: 'A member of the organization, as a user of RFC 7643.' },
)

export const ScimGroup = Type.Object(
  {
    schemas,
    id: Type.String({ description: 'The id of the team.' }),
    externalId: Type.Optional(Type.String()),
    displayName: Type.String(),
    members: Type.Optional(
      Type.Array(Type.Object({ value: Type.String(), display: Type.String(), $ref: Type.String() })),
    ),
    meta: Meta,
  },
  { $id: 'ScimGroup', description: 'A team of the organization, as a group of RFC 7643.' },
)

export const scimListOf = <Item extends typeof ScimUser | typeof ScimGroup | typeof Description>(item: Item) =>
  Type.Object({
    schemas,
    totalResults: Type.Integer(),
    startIndex: Type.Integer(),
    itemsPerPage: Type.Integer(),
    Resources: Type.Array(item),
  })

/** A description of the service itself. */
export const Description = Type.Unsafe<object>({ type: 'object' })

export const mostListed = 100

// Some providers ask for as many as their integers can count.
const most = Number.MAX_SAFE_INTEGER

const listQuery = {
  filter: Type.Optional(
    Type.String({
      maxLength: 1024,
      description:
        'Comparisons with `eq`, `ne`, `co`, `sw`, `ew` and `pr`, joined by `and`, `or` and `not`: ' +
        '`userName eq "jo@example.com"`.',
    }),
  ),
  startIndex: Type.Optional(
    Type.Integer({
      minimum: -most,
      maximum: most,
      default: 1,
      description: 'The first result to return, starting at 1.',
    }),
  ),
  count: Type.Optional(
    Type.Integer({
      minimum: -most,
      maximum: most,
      default: mostListed,
      description: 'At most 100 are returned.',
    }),
  ),
}

const Attributes = Type.Optional(
  Type.String({ maxLength: 1024, description: 'Comma-separated names. Only affects `members`.' }),
)
const chosen = { attributes: Attributes, excludedAttributes: Attributes }

const Names = Type.Optional(
  Type.Array(Type.String({ maxLength: 256 }), { maxItems: 100, description: 'Only affects `members`.' }),
)

/** A list query in a body, so that the search text does not appear in logs of addresses. */
export const SearchRequest = Type.Object({ ...listQuery, attributes: Names, excludedAttributes: Names })

export const UserListQuery = Type.Object(listQuery)
export const GroupQuery = Type.Object(chosen)
export const GroupListQuery = Type.Object({ ...listQuery, ...chosen })

const Text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })))
const YesOrNo = Type.Union([Type.Boolean(), Type.String({ maxLength: 5 })])

const userName = Type.String({ minLength: 1, maxLength: 256 })

const aboutSomebody = {
  externalId: Text(256),
  displayName: Text(1024),
  name: Type.Optional(Nullable(Type.Object({ formatted: Text(1024), givenName: Text(1024), familyName: Text(1024) }))),
  emails: Type.Optional(
    Nullable(
      Type.Array(Type.Object({ value: Text(320), type: Text(64), primary: Type.Optional(Nullable(YesOrNo)) }), {
        maxItems: 100,
      }),
    ),
  ),
  active: Type.Optional(Nullable(YesOrNo)),
  roles: Type.Optional(
    Nullable(
      Type.Array(
        Type.Object(
          { value: Text(1024), primary: Type.Optional(Nullable(YesOrNo)) },
          {
            description: 'A role in the organization, or `guest`.',
          },
        ),
        { maxItems: 100 },
      ),
    ),
  ),
}

/** What a provider reports about a person. It may report more, which is not stored. */
export const UserToTake = Type.Object({ userName, ...aboutSomebody })
export const UserChanges = Type.Object({ userName: Type.Optional(userName), ...aboutSomebody })

const mostMembers = 10_000

export const GroupToTake = Type.Object({
  displayName: Type.String({ minLength: 1, maxLength: longestTeamTitle }),
  externalId: Text(256),
  members: Type.Optional(
    Nullable(Type.Array(Type.Object({ value: Type.String({ maxLength: 64 }) }), { maxItems: mostMembers })),
  ),
})

export const PatchOperations = Type.Object({
  Operations: Type.Array(
    Type.Object({
      op: Type.String({ maxLength: 16, description: 'add, replace or remove.' }),
      path: Type.Optional(
        Nullable(Type.String({ maxLength: 512, description: 'An attribute, such as `members[value eq "id"]`.' })),
      ),
      value: Type.Optional(Type.Unknown()),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
})
