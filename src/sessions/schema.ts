import { Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const Session = Type.Object(
  {
    object: Type.Literal('session'),
    id: Type.String(),
    method: OneOf(['code', 'invite', 'saml', 'oidc'] as const, { description: 'How you signed in.' }),
    organization: Nullable(
      Type.String({
        description: 'Set if the account belongs to this organization, and the session is valid only there.',
      }),
    ),
    address: Type.String({ description: 'The IP address you signed in from.' }),
    userAgent: Type.String({ description: 'The user agent of the browser.' }),
    createdAt: Time,
    lastSeenAt: Time,
    expiresAt: Time,
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'Session', description: 'A browser session.' },
)
