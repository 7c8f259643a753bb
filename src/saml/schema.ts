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
        'Both decrypt what the provider encrypts for them. `current` signs requests; `next` does so once `current` is removed.',
    }),
    certificate: Type.String({ description: 'X.509, as PEM: the certificate to give to the provider.' }),
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
    ssoURL: Type.String({ description: 'Where the provider receives requests; empty until set.' }),
    entityID: Type.String({ description: 'The entity id of the provider; empty until set.' }),
    certificate: Type.String({ description: 'The certificate that its assertions are signed with; empty until set.' }),
    certificateExpiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the certificate expires; the earliest of several.' }),
    ),
    defaultTeam: Type.Optional(Team),
    defaultRole: MaybeRole,
    signRequests: Type.Boolean({ description: 'Whether requests to the provider are signed, with the current key.' }),
    keys: Type.Array(SamlKey, { description: "Lectern's keys for this provider, current one first." }),
    createdAt: Time,
    status: OneOf(statuses, { description: 'pending: the URL, the entity id or the certificate is missing.' }),
    service: Type.Object(
      {
        acsURL: Type.String({ description: 'Where the provider sends people back to.' }),
        startURL: Type.String({ description: 'Starts a sign-in; `?next=/path` is the page to open afterwards.' }),
        entityID: Type.String({ description: "Lectern's entity id, and the URL of its metadata." }),
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
        'The metadata of the provider, as XML. Sets `entityID`, `ssoURL` and `certificate` if they are not given, and ' +
        '`signRequests` if the metadata asks for it (`WantAuthnRequestsSigned`). The metadata itself is not stored.',
    }),
  ),
  entityID: Type.Optional(Type.String({ maxLength: 1024, description: 'An empty string removes it.' })),
  certificate: Type.Optional(
    Type.String({
      maxLength: 10000,
      description:
        'X.509 with an RSA key, as PEM or as its bare base64. Several PEM blocks: an assertion may be signed with any of ' +
        'them, so that the provider can change its key. An empty string removes it.',
    }),
  ),
  ssoURL: Type.Optional(
    Type.String({ maxLength: 2048, description: 'With the HTTP-Redirect binding. An empty string removes it.' }),
  ),
  defaultTeam: Type.Optional(Nullable(Type.String({ description: 'The id of the team that new members join.' }))),
  defaultRole: Type.Optional(MaybeRole),
  signRequests: Type.Optional(
    Type.Boolean({ description: 'Sign requests to the provider. Creates a key if there is none.' }),
  ),
}

export const NewSamlProvider = Type.Object({ label, ...others })

export const SamlProviderChanges = Type.Object({ label: Type.Optional(label), ...others })
