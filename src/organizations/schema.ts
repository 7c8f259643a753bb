import { MaybeRole, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { OrganizationMergeRules } from '../spaces/merge-rules.ts'

const useCases = [
  'internalDocs',
  'docsSite',
  'audienceControlledSite',
  'productDocs',
  'teamKnowledgeBase',
  'designSystem',
  'openSourceDocs',
  'notes',
  'other',
] as const

const communityTypes = ['nonProfit', 'openSource', 'education'] as const

const EmailDomains = Type.Array(Type.String({ maxLength: 253 }), { maxItems: 50 })

const DefaultContent = Type.Object({ type: Type.Literal('site'), site: Type.String() })

export const Organization = Type.Object(
  {
    object: Type.Literal('organization'),
    id: Type.String(),
    title: Type.String(),
    createdAt: Time,
    emailDomains: Type.Array(Type.String()),
    hostname: Type.Optional(Type.String()),
    type: OneOf(['business', 'community'] as const),
    useCase: Type.Optional(OneOf(useCases)),
    communityType: Type.Optional(OneOf(communityTypes)),
    defaultRole: Type.Optional(MaybeRole),
    defaultContent: Type.Optional(DefaultContent),
    sso: Type.Optional(Type.Boolean()),
    ai: Type.Optional(Type.Boolean()),
    inviteLinks: Type.Boolean(),
    mergeRules: Type.Optional(OrganizationMergeRules),
    plan: Type.String(),
    urls: Type.Object({ location: Type.String(), app: Type.String(), logo: Type.Optional(Type.String()) }),
    trial: Type.Object({ status: Type.String() }),
    internal_isOnNewTrial: Type.Boolean({ deprecated: true }),
    permissions: Type.Object({
      view: Type.Boolean(),
      admin: Type.Boolean(),
      ownTeam: Type.Boolean(),
      createContent: Type.Boolean(),
      createOpenAPISpec: Type.Boolean(),
      ingestConversations: Type.Boolean(),
      viewBilling: Type.Boolean(),
      listMembers: Type.Boolean(),
      listTeams: Type.Boolean(),
      listIntegrations: Type.Boolean(),
    }),
  },
  { $id: 'Organization' },
)

const title = Type.String({
  minLength: 2,
  maxLength: 255,
  pattern: '^\\S([\\s\\S]*\\S)?$',
  format: 'one-line',
  description: 'Without leading or trailing spaces.',
})

export const NewOrganization = Type.Object({
  title,
  emailDomains: Type.Optional(EmailDomains),
})

/** In the query string, as in the public API. */
export const NewOrganizationQuery = Type.Object({
  withDefaultSite: Type.Optional(
    Type.Boolean({
      description: 'Also create a site with the title of the organization and one space, not yet published.',
    }),
  ),
  openapiUrl: Type.Optional(
    Type.String({
      maxLength: 2048,
      format: 'http-url',
      description: 'Also create an OpenAPI specification from this URL, named `api`.',
    }),
  ),
})

export const OrganizationChanges = Type.Object({
  title: Type.Optional(title),
  emailDomains: Type.Optional(EmailDomains),
  hostname: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 32,
      pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$',
      examples: ['acme-docs'],
      description: 'The part of URLs that identifies the organization.',
    }),
  ),
  defaultRole: Type.Optional(MaybeRole),
  defaultContent: Type.Optional(Nullable(DefaultContent)),
  logo: Type.Optional(Nullable(Type.String({ maxLength: 2048, format: 'http-url' }))),
  sso: Type.Optional(Type.Boolean()),
  ai: Type.Optional(Type.Boolean()),
  inviteLinks: Type.Optional(Type.Boolean()),
  mergeRules: Type.Optional(OrganizationMergeRules),
})
