import { Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const Session = Type.Object(
  {
    object: Type.Literal('session'),
    id: Type.String(),
    method: OneOf(['code', 'invite', 'saml', 'oidc'] as const, { description: 'How you came in.' }),
    organization: Nullable(
      Type.String({ description: 'Set where it gives rights in that organization only: the account belongs to it.' }),
    ),
    address: Type.String({ description: 'The network address you came from.' }),
    userAgent: Type.String({ description: 'What the browser called itself.' }),
    createdAt: Time,
    lastSeenAt: Time,
    expiresAt: Time,
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'Session', description: 'A browser that you are signed in with.' },
)
