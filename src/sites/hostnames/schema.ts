import Type from '../../http/type.ts'

export const CustomHostname = Type.Object(
  {
    object: Type.Literal('custom-hostname'),
    hostname: Type.String(),
    target: Type.Object({ type: Type.Literal('site'), site: Type.String() }),
    isActive: Type.Boolean({
      description:
        'Whether whoever asks this server for the host gets the site: it is published. Whether the DNS leads here, and whether there is a certificate, the server does not know.',
    }),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'CustomHostname' },
)
