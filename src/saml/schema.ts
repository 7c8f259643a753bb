import { MaybeRole, Name, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { Team } from '../teams/schema.ts'
import { longestMetadata } from './provider-metadata.ts'

const statuses = ['active', 'pending'] as const
const keyUses = ['current', 'next'] as const

export const SamlKey = Type.Object(
  {
    object: Type.Literal('saml-key'),
    id: Type.String(),
    use: OneOf(keyUses, {
      description:
        'Both read what the provider encrypts for them. `current` signs requests; `next` does once that is removed.',
    }),
    certificate: Type.String({ description: 'X.509, as PEM: what the provider knows of the key.' }),
    createdAt: Time,
    expiresAt: Time,
  },
  { $id: 'SamlKey' },
)

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
    signRequests: Type.Boolean({ description: 'Whether requests to the provider are signed, with the current key.' }),
    keys: Type.Array(SamlKey, { description: 'Keys of Lectern for this provider, the current one first.' }),
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
  metadata: Type.Optional(
    Type.String({
      maxLength: longestMetadata,
      description:
        'What the provider says about itself, as XML: `entityID`, `ssoURL` and `certificate` are taken from it where they ' +
        'are not given, and `signRequests` where it asks for that (`WantAuthnRequestsSigned`). It is read now, and not kept.',
    }),
  ),
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
  signRequests: Type.Optional(
    Type.Boolean({ description: 'Sign requests to the provider. Where there is no key yet, one is made.' }),
  ),
}

export const NewSamlProvider = Type.Object({ label, ...others })

export const SamlProviderChanges = Type.Object({ label: Type.Optional(label), ...others })
