import { accessOrganization } from '../access/caller.ts'
import { roles } from '../access/roles.ts'
import { notFound } from '../http/errors.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { presentScimList, scimBase } from './present.ts'
import { Description, groupSchema, mostListed, scimListOf, userSchema } from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const tags = ['scim']
const config = { policy: token('organization:members:read', 'the role admin') }

const metaSchemas = {
  provider: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  type: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
}

/** What an identity provider reads to learn what we support: RFC 7643, 5 to 7. */
export const scimDescriptionRoutes: Routes = async (app) => {
  app.get(
    '/ServiceProviderConfig',
    {
      config,
      schema: {
        operationId: 'scimGetServiceProviderConfig',
        summary: 'Get the SCIM service provider configuration',
        tags,
        params: inOrganization,
        response: { 200: Description, ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const location = `${scimBase(app.url, organization.id)}/ServiceProviderConfig`
      return {
        schemas: [metaSchemas.provider],
        patch: { supported: true },
        bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
        filter: { supported: true, maxResults: mostListed },
        changePassword: { supported: false },
        sort: { supported: false },
        etag: { supported: true },
        authenticationSchemes: [
          {
            type: 'oauthbearertoken',
            name: 'API token',
            description: 'The API token of an administrator.',
            primary: true,
          },
        ],
        meta: { resourceType: 'ServiceProviderConfig', location },
      }
    },
  )

  const lists = [
    { path: 'ResourceTypes', operation: 'ResourceType', what: 'resource type', list: resourceTypes },
    { path: 'Schemas', operation: 'Schema', what: 'schema', list: schemas },
  ]
  for (const { path, operation, what, list } of lists) {
    app.get(
      `/${path}`,
      {
        config,
        schema: {
          operationId: `scimList${operation}s`,
          summary: `List the SCIM ${what}s`,
          tags,
          params: inOrganization,
          response: { 200: scimListOf(Description), ...refusals },
        },
      },
      async (request) => {
        const { organization } = accessOrganization(request.caller, 'admin')
        const described = list(scimBase(app.url, organization.id))
        return presentScimList({ offset: 0, limit: described.length }, described.length, described)
      },
    )

    app.get(
      `/${path}/:described`,
      {
        config,
        schema: {
          operationId: `scimGet${operation}`,
          summary: `Get a SCIM ${what}`,
          tags,
          params: Type.Object({ organizationId: Type.String(), described: Type.String() }),
          response: { 200: Description, ...refusals },
        },
      },
      async (request) => {
        const { organization } = accessOrganization(request.caller, 'admin')
        const found = list(scimBase(app.url, organization.id)).find(({ id }) => id === request.params.described)
        if (!found) throw notFound(operation)
        return found
      },
    )
  }
}

interface Described {
  id: string
}

const resourceTypes = (base: string): Described[] =>
  [
    { name: 'User', endpoint: '/Users', schema: userSchema, description: 'Members of the organization' },
    { name: 'Group', endpoint: '/Groups', schema: groupSchema, description: 'Teams of the organization' },
  ].map((each) => ({
    schemas: [metaSchemas.type],
    id: each.name,
    ...each,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${each.name}` },
  }))

interface Attribute {
  name: string
  type?: string
  multiValued?: boolean
  required?: boolean
  caseExact?: boolean
  mutability?: string
  uniqueness?: string
  canonicalValues?: string[]
  subAttributes?: object[]
}

const attribute = (given: Attribute): object => ({
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...given,
})

const complex = (name: string, multiValued: boolean, parts: Attribute[]) =>
  attribute({ name, type: 'complex', multiValued, subAttributes: parts.map(attribute) })

const attributesOfUser = [
  attribute({ name: 'userName', required: true, uniqueness: 'server' }),
  attribute({ name: 'displayName' }),
  complex('name', false, [{ name: 'formatted' }, { name: 'givenName' }, { name: 'familyName' }]),
  complex('emails', true, [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'boolean' }]),
  attribute({ name: 'active', type: 'boolean' }),
  complex('roles', true, [
    { name: 'value', canonicalValues: [...roles, 'guest'] },
    { name: 'primary', type: 'boolean' },
  ]),
]

const attributesOfGroup = [
  attribute({ name: 'displayName', required: true }),
  complex('members', true, [
    { name: 'value', mutability: 'immutable' },
    { name: 'display', mutability: 'readOnly' },
    { name: '$ref', type: 'reference', mutability: 'readOnly' },
  ]),
]

const schemas = (base: string): Described[] =>
  [
    { id: userSchema, name: 'User', attributes: attributesOfUser },
    { id: groupSchema, name: 'Group', attributes: attributesOfGroup },
  ].map((each) => ({
    schemas: [metaSchemas.schema],
    ...each,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${each.id}` },
  }))
