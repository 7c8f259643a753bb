import { MaybeRole, Name, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { Team } from '../teams/schema.ts'

const statuses = ['active', 'pending'] as const

export const SamlProvider = Type.Object(
  {
    object: Type.Literal('saml-provider'),
    id: Type.String(),
    label: Type.String(),
    ssoURL: Type.String({ description: 'Where the provider takes requests; empty until it was set.' }),
    entityID: Type.String({ description: 'How the provider calls itself; empty until it was set.' }),
    certificate: Type.String({ description: 'What its assertions are signed with; empty until it was set.' }),
    certificateExpiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the certificate runs out; of several, the first one.' }),
    ),
    defaultTeam: Type.Optional(Team),
    defaultRole: MaybeRole,
    createdAt: Time,
    status: OneOf(statuses, { description: 'pending: the address, the entity or the certificate is missing.' }),
    service: Type.Object(
      {
        acsURL: Type.String({ description: 'Where the provider sends people back to.' }),
        startURL: Type.String({ description: 'Begins a login; `?next=/path` says where it leads.' }),
        entityID: Type.String({ description: 'How Lectern calls itself there, and where its metadata is.' }),
      },
      { description: 'What to enter at the provider.' },
    ),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'SamlProvider' },
)

export const SsoLogin = Type.Object(
  { id: Type.String(), label: Type.String(), startURL: Type.String() },
  { $id: 'SsoLogin' },
)

const label = Name(1, 30)
const others = {
  entityID: Type.Optional(Type.String({ maxLength: 1024, description: 'An empty text takes it away again.' })),
  certificate: Type.Optional(
    Type.String({
      maxLength: 10000,
      description:
        'X.509 with an RSA key, as PEM or as its bare base64. Several PEM blocks: an assertion may be signed with any of ' +
        'them, so that the provider can change its key. An empty text takes it away again.',
    }),
  ),
  ssoURL: Type.Optional(
    Type.String({ maxLength: 2048, description: 'With the HTTP-Redirect binding. An empty text takes it away again.' }),
  ),
  defaultTeam: Type.Optional(Nullable(Type.String({ description: 'The id of the team that newcomers join.' }))),
  defaultRole: Type.Optional(MaybeRole),
}

export const NewSamlProvider = Type.Object({ label, ...others })

export const SamlProviderChanges = Type.Object({ label: Type.Optional(label), ...others })
