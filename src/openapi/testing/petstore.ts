/** A pet shop, as small as possible but with everything that a specification can have. */
export const petstore = {
  openapi: '3.1.0',
  info: { title: 'Pet shop', version: '1.2.0', description: 'Sells *pets*.\n\n## Rules\n\nBe kind.' },
  servers: [{ url: 'https://{region}.pets.example/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }],
  security: [{ token: [] }],
  tags: [
    { name: 'pets', description: 'All about **pets**.', 'x-page-title': 'Pets', 'x-page-icon': 'paw' },
    { name: 'orders', 'x-parent': 'shop' },
    { name: 'shop', 'x-page-description': 'Buying and selling' },
  ],
  paths: {
    '/pets': {
      parameters: [{ $ref: '#/components/parameters/Trace' }],
      get: {
        operationId: 'listPets',
        summary: 'List pets',
        tags: ['pets'],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          {
            name: 'status',
            in: 'query',
            description: 'Only pets with this *status*.',
            schema: { type: 'string', enum: ['available', 'sold'] },
          },
          { name: 'colour', in: 'query', deprecated: true, schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'The pets',
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
            },
          },
          default: { $ref: '#/components/responses/Problem' },
        },
      },
      post: {
        operationId: 'addPet',
        summary: 'Add a pet',
        description: 'Adds a pet to the shop.',
        tags: ['pets'],
        requestBody: {
          required: true,
          description: 'The new pet',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
        },
        responses: {
          201: {
            description: 'Added',
            headers: { Location: { description: 'Where it is', schema: { type: 'string' } } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Pet' },
                example: { id: 7, name: 'Rex', tag: null },
              },
            },
          },
          400: { $ref: '#/components/responses/Problem' },
        },
      },
    },
    '/pets/{petId}': {
      delete: {
        operationId: 'removePet',
        summary: 'Remove a pet',
        tags: ['pets'],
        deprecated: true,
        security: [],
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' }, example: 42 }],
        responses: { 204: { description: 'Gone' } },
      },
    },
    '/orders': {
      get: { summary: 'List orders', tags: ['orders'], responses: { 200: { description: 'The orders' } } },
    },
    '/secret': { get: { summary: 'Nobody is told', 'x-internal': true, responses: {} } },
    '/health': { get: { summary: 'Is it well?', responses: { 200: { description: 'Yes' } } } },
  },
  webhooks: {
    petSold: {
      post: {
        summary: 'A pet was sold',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        responses: { 200: { description: 'Noted' } },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token of your account.' } },
    parameters: { Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string', format: 'uuid' } } },
    responses: {
      Problem: {
        description: 'What went wrong',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    schemas: {
      NewPet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 64, description: 'What it is called.' },
          tag: { type: ['string', 'null'], examples: ['dog'] },
          kind: { oneOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Cat' }] },
          attributes: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      Pet: {
        allOf: [
          { $ref: '#/components/schemas/NewPet' },
          {
            type: 'object',
            required: ['id'],
            properties: {
              id: { type: 'integer', format: 'int64', readOnly: true },
              parents: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
              born: { type: 'string', format: 'date-time' },
            },
          },
        ],
      },
      Dog: { type: 'object', title: 'A dog', properties: { barks: { type: 'boolean', default: true } } },
      Cat: { type: 'object', properties: { lives: { type: 'integer', const: 9 } } },
      Problem: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    },
  },
}
