/**
 * A specification with features that few have: servers to choose from, links, documents elsewhere, deprecated parts.
 */
export const everything = {
  openapi: '3.2.0',
  info: { title: 'Parcels', version: '1', description: 'Sends parcels.' },
  externalDocs: { url: 'https://docs.example.com/all', description: 'The *whole* manual' },
  servers: [
    { url: 'https://api.example.com/v2', description: 'Production' },
    {
      url: 'https://{region}.example.com:{port}/v2',
      description: 'By **region**',
      variables: {
        region: { default: 'eu', enum: ['eu', 'us'], description: 'Where parcels are kept.' },
        port: { default: '8443' },
      },
    },
    { url: '/local', name: 'On this machine' },
  ],
  security: [{ key: [] }, { oauth: ['parcels:write'], tenant: [] }, {}],
  tags: [
    { name: 'parcels', description: 'All about parcels.', externalDocs: { url: 'https://docs.example.com/parcels' } },
    { name: 'unsafe', externalDocs: { url: 'javascript:alert(1)' } },
  ],
  paths: {
    '/parcels': {
      post: {
        tags: ['parcels'],
        operationId: 'sendParcel',
        summary: 'Send a parcel',
        externalDocs: { url: 'https://docs.example.com/send', description: 'How sending works' },
        parameters: [{ name: 'express', in: 'query', deprecated: true, schema: { type: 'boolean' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } } },
        responses: {
          201: {
            description: 'Sent',
            headers: {
              Location: { description: 'Where it is', schema: { type: 'string' } },
              'X-Old': { deprecated: true, schema: { type: 'string' } },
            },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } },
            links: {
              track: {
                operationId: 'trackParcel',
                description: 'Follow it on its way',
                parameters: { parcelId: '$response.body#/id', full: true },
              },
              again: { operationRef: '#/paths/~1parcels/post', requestBody: '$request.body' },
              elsewhere: { operationRef: 'https://other.example/openapi.json#/paths/~1x/get' },
              shared: { $ref: '#/components/links/Shared' },
            },
          },
        },
      },
    },
    '/parcels/{parcelId}': {
      servers: [{ url: 'https://track.example.com' }],
      get: {
        tags: ['parcels'],
        operationId: 'trackParcel',
        summary: 'Track a parcel',
        deprecated: true,
        parameters: [{ name: 'parcelId', in: 'path', required: true, schema: { type: 'string' } }],
        security: [],
        responses: { 200: { description: 'Where it is' } },
      },
      put: {
        tags: ['parcels'],
        summary: 'Move a parcel',
        servers: [
          { url: '{scheme}://one.example.com/', variables: { scheme: { default: 'https', enum: ['https', 'http'] } } },
        ],
        security: [{ old: [] }],
        'x-codeSamples': [{ lang: 'bash', source: 'parcels move' }],
        responses: { 204: { description: 'Moved' } },
      },
    },
  },
  components: {
    links: { Shared: { operationId: 'trackParcel', parameters: { parcelId: '$request.path.id' } } },
    schemas: {
      Parcel: {
        type: 'object',
        deprecated: true,
        description: 'Something to send.',
        externalDocs: { url: 'https://docs.example.com/parcel', description: 'Sizes' },
        properties: {
          id: { type: 'string', externalDocs: { url: 'https://docs.example.com/ids' } },
          weight: { type: 'number', deprecated: true },
          kind: { oneOf: [{ $ref: '#/components/schemas/Letter' }, { $ref: '#/components/schemas/Box' }] },
        },
      },
      Letter: { type: 'object', deprecated: true, properties: { pages: { type: 'integer' } } },
      Box: { type: 'object', properties: { height: { type: 'integer' } } },
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant' },
      old: { type: 'http', scheme: 'basic', deprecated: true },
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: {
            tokenUrl: 'https://login.example.com/token',
            scopes: { 'parcels:write': 'Send and change parcels' },
          },
        },
      },
    },
  },
}
