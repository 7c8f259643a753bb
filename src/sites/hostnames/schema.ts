import Type from '../../http/type.ts'

export const CustomHostname = Type.Object(
  {
    object: Type.Literal('custom-hostname'),
    hostname: Type.String(),
    target: Type.Object({ type: Type.Literal('site'), site: Type.String() }),
    isActive: Type.Boolean({
      description:
        'Whether this server answers requests for the host with the site, which must be published. The server does not check DNS records or certificates.',
    }),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'CustomHostname' },
)
