import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from './failure.ts'
import { type ReadingLimits, readingLimits } from './limits.ts'
import { readText } from './text.ts'

const base = 'https://specs.example/api/openapi.yaml'

/** Reads a text. The documents it refers to are in `files`, by path. */
async function read(text: string, files: Record<string, string> = {}, limits: Partial<ReadingLimits> = {}) {
  const asked: string[] = []
  const load = async (url: string) => {
    asked.push(url)
    return Buffer.from(files[new URL(url).pathname]!)
  }
  const url = Object.keys(files).length > 0 ? base : undefined
  const work = { bytes: Buffer.from(text), url, limits: { ...readingLimits, ...limits } }
  const { document, externals, format } = await readText(work, load)
  const parse = (json: Uint8Array) => JSON.parse(Buffer.from(json).toString())
  return { document: parse(document), externals: externals && parse(externals.json), asked, format }
}

/** Returns why it was refused. */
async function refusal(...args: Parameters<typeof read>): Promise<string> {
  const refused = await read(...args).then(
    () => assert.fail('it was read'),
    (error: unknown) => error,
  )
  assert.ok(refused instanceof Refused, String(refused))
  return refused.message
}

const yaml = `
openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses:
        200:
          description: Fine
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Pet'}
components:
  schemas:
    Pet:
      type: object
      properties:
        name: {type: string, nullable: true, example: Rex}
        parent: {$ref: '#/components/schemas/Pet'}
`

test('OpenAPI 3.0 in YAML is converted to 3.1, and a recursive schema keeps its reference', async () => {
  const { document, format } = await read(yaml)
  assert.equal(format, 'yaml')
  assert.match(document.openapi, /^3\.1/)
  assert.deepEqual(document.components.schemas.Pet.properties, {
    name: { type: ['string', 'null'], examples: ['Rex'] },
    parent: { $ref: '#/components/schemas/Pet' },
  })
  assert.equal(document.paths['/pets'].get.responses[200].description, 'Fine')
})

test('Swagger 2 is converted to OpenAPI 3.1: bodies, servers, definitions', async () => {
  const { document } = await read(
    JSON.stringify({
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      host: 'old.example',
      basePath: '/api',
      schemes: ['https'],
      consumes: ['application/json'],
      paths: {
        '/pets': {
          post: {
            parameters: [{ in: 'body', name: 'pet', schema: { $ref: '#/definitions/Pet' } }],
            responses: { 200: { description: 'Fine' } },
          },
        },
      },
      definitions: { Pet: { type: 'object', properties: { mother: { $ref: '#/definitions/Pet' } } } },
    }),
  )
  assert.match(document.openapi, /^3\.1/)
  assert.equal(document.servers[0].url, 'https://old.example/api')
  assert.deepEqual(document.paths['/pets'].post.requestBody.content['application/json'].schema, {
    $ref: '#/components/schemas/Pet',
  })
  assert.equal(document.components.schemas.Pet.properties.mother.$ref, '#/components/schemas/Pet')
})

test('relative servers of a fetched specification are relative to its address, and those of a text stay', async () => {
  const written = [
    '/v3',
    './sub',
    '..',
    '//cdn.example/{v}',
    '/{a}/b',
    'https://a.example/x',
    '{host}/v1',
    'b.example/v1',
  ]
  const servers = written.map((url) => ({ url }))
  const text = JSON.stringify({
    openapi: '3.1.0',
    servers,
    paths: { '/a': { servers: [{ url: '/path' }], get: { servers: [{ url: '/operation', description: 'Own' }] } } },
  })
  assert.deepEqual((await read(text)).document.servers, servers)
  const { document } = await read(text, { '/': '' })
  assert.deepEqual(
    document.servers.map(({ url }: { url: string }) => url),
    [
      'https://specs.example/v3',
      'https://specs.example/api/sub',
      'https://specs.example/',
      'https://cdn.example/{v}',
      'https://specs.example/{a}/b',
      'https://a.example/x',
      '{host}/v1',
      'b.example/v1',
    ],
  )
  assert.equal(document.paths['/a'].servers[0].url, 'https://specs.example/path')
  assert.deepEqual(document.paths['/a'].get.servers, [{ url: 'https://specs.example/operation', description: 'Own' }])

  const serverOf = async (more: object, files?: Record<string, string>) => {
    const old = { swagger: '2.0', info: { title: 'Old', version: '1' }, paths: {}, ...more }
    return (await read(JSON.stringify(old), files)).document.servers[0].url
  }
  assert.equal(await serverOf({ basePath: '/v2' }, { '/': '' }), 'https://specs.example/v2')
  assert.equal(await serverOf({ host: 'old.example', basePath: '/v2' }, { '/': '' }), 'https://old.example/v2')
  assert.equal(await serverOf({ host: 'old.example', schemes: ['http'] }, { '/': '' }), 'http://old.example')
  assert.equal(await serverOf({ basePath: '/v2' }), '/v2')
})

test('a Swagger 2 body that is shared or declared on the path becomes the request body of each operation', async () => {
  const shared = { name: 'pet', in: 'body', required: true, schema: { type: 'object' } }
  const text = JSON.stringify({
    swagger: '2.0',
    info: { title: 'Old', version: '1' },
    consumes: ['application/json'],
    parameters: { Pet: shared, Limit: { name: 'limit', in: 'query', type: 'integer' } },
    paths: {
      '/pets': {
        post: { parameters: [{ $ref: '#/parameters/Pet' }, { $ref: '#/parameters/Limit' }], responses: {} },
      },
      '/notes': {
        parameters: [{ name: 'note', in: 'formData', type: 'string' }],
        put: { consumes: ['application/x-www-form-urlencoded'], responses: {} },
      },
    },
  })
  const { document } = await read(text)
  const { post } = document.paths['/pets']
  assert.deepEqual(post.requestBody.content['application/json'].schema, { type: 'object' })
  assert.deepEqual(post.parameters, [{ $ref: '#/components/parameters/Limit' }])
  const { content } = document.paths['/notes'].put.requestBody
  assert.ok(content['application/x-www-form-urlencoded'].schema.properties.note, JSON.stringify(content))
})

test('a Swagger 2 response gets the media types of its operation, and a file response becomes binary content', async () => {
  const error = { description: 'Bad', schema: { $ref: '#/definitions/Error' } }
  const { document } = await read(
    JSON.stringify({
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      produces: ['application/json'],
      responses: { Bad: error, Photo: { description: 'It', schema: { type: 'file' } } },
      paths: {
        '/report': {
          get: {
            produces: ['text/csv', 'text/plain'],
            responses: { 200: { description: 'Fine', schema: { type: 'string' } }, 400: { $ref: '#/responses/Bad' } },
          },
          post: {
            responses: { 200: { description: 'Fine', schema: { type: 'file' } }, 400: { $ref: '#/responses/Bad' } },
          },
        },
        '/photo': { get: { produces: ['image/png'], responses: { 200: { $ref: '#/responses/Photo' } } } },
      },
      definitions: { Error: { type: 'object' } },
    }),
  )
  const formsOf = (path: string, method: string, status: number) => {
    const { $ref: reference, content } = document.paths[path][method].responses[status]
    return reference ? document.components.responses[reference.split('/').at(-1)].content : content
  }
  const schema = { $ref: '#/components/schemas/Error' }
  assert.deepEqual(formsOf('/report', 'get', 200), {
    'text/csv': { schema: { type: 'string' } },
    'text/plain': { schema: { type: 'string' } },
  })
  assert.deepEqual(formsOf('/report', 'get', 400), { 'text/csv': { schema }, 'text/plain': { schema } })
  assert.deepEqual(formsOf('/report', 'post', 400), { 'application/json': { schema } })
  // As in 3.1: binary content is described by its media type alone.
  assert.deepEqual(formsOf('/report', 'post', 200), { 'application/json': { schema: {} } })
  assert.deepEqual(formsOf('/photo', 'get', 200), { 'image/png': { schema: {} } })
})

test('a discriminator of a Swagger 2 schema is converted to its OpenAPI 3.1 form', async () => {
  const pet = { type: 'object', discriminator: 'kind', properties: { kind: { type: 'string' } } }
  const dog = { allOf: [{ $ref: '#/definitions/Pet' }, { type: 'object' }] }
  const { document } = await read(
    JSON.stringify({ swagger: '2.0', info: {}, paths: {}, definitions: { Pet: pet, Dog: dog } }),
  )
  assert.deepEqual(document.components.schemas.Pet.discriminator, { propertyName: 'kind' })
})

test('a long YAML text is read completely and correctly, including an alias to a distant anchor', async () => {
  const paths = Array.from({ length: 500 }, (_, n) =>
    [
      `  /things/${n}:`,
      '    # What it does',
      '    get:',
      `      summary: "Thing ${n}: a thing"`,
      '      tags:',
      '      - things',
      `      description: |`,
      `        First line: of ${n} ${'and so on '.repeat(8)}`,
      '',
      '          indented',
      '      parameters: []',
      '      responses: {"200": {description: Fine}}',
    ].join('\n'),
  ).join('\n')
  const head = 'openapi: 3.1.0\ninfo:\n  title: Long\n  version: "1"\n'
  const { document } = await read(`---\n# A comment\n${head}paths:\n${paths}\n`)
  assert.equal(Object.keys(document.paths).length, 500)
  assert.deepEqual(document.paths['/things/499'].get, {
    summary: 'Thing 499: a thing',
    tags: ['things'],
    description: `First line: of 499 ${'and so on '.repeat(8)}\n\n  indented\n`,
    parameters: [],
    responses: { 200: { description: 'Fine' } },
  })
  const aliased = await read(`${head}x-shared: &shared {description: Shared}\npaths:\n${paths}\nx-again: *shared\n`)
  assert.deepEqual(aliased.document['x-again'], { description: 'Shared' })
  assert.equal(Object.keys(aliased.document.paths).length, 500)
})

test('references are resolved relative to the referring document, and their targets become part of the specification', async () => {
  const text = `openapi: 3.1.0
info: {title: Split, version: '1'}
paths:
  /pets:
    $ref: paths/pets.yaml
components:
  schemas:
    Name: {type: string}
`
  const files = {
    '/api/paths/pets.yaml': `get:
  responses:
    '200':
      description: Fine
      content:
        application/json:
          schema: {$ref: ../schemas.json#/Pet}
`,
    '/api/schemas.json': JSON.stringify({
      Pet: {
        type: 'object',
        properties: { name: { $ref: 'openapi.yaml#/components/schemas/Name' }, friend: { $ref: '#/Pet' } },
      },
    }),
  }
  const { document, externals, asked } = await read(text, files)
  const [pathsUrl, schemasUrl] = asked as [string, string]
  assert.deepEqual(asked, ['https://specs.example/api/paths/pets.yaml', 'https://specs.example/api/schemas.json'])
  assert.deepEqual(externals[schemasUrl].specification.Pet.properties.friend, { $ref: '#/Pet' })
  assert.deepEqual(externals[pathsUrl].references, ['../schemas.json'])

  const at = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce((value, step) => value[step.replaceAll('~1', '/')], document)
  const pets = at(document.paths['/pets'].$ref)
  const pet = at(pets.get.responses[200].content['application/json'].schema.$ref)
  assert.deepEqual(at(pet.properties.name.$ref), { type: 'string' })
  assert.equal(at(pet.properties.friend.$ref), pet)
})

test('a $ref inside an example is no reference, properties may have any name, and an example can be a document', async () => {
  const says = { plan: { $ref: 'plan.yaml' }, list: [{ $ref: '#/nowhere' }] }
  const properties = {
    example: { $ref: 'schemas.json#/Name' },
    plan: {
      type: 'object',
      default: { deep: { $ref: 'default.json' } },
      examples: [{ deep: { $ref: 'listed.json' } }],
    },
  }
  const text = JSON.stringify({
    openapi: '3.1.0',
    components: {
      schemas: { Answer: { type: 'object', properties, example: says } },
      examples: { said: { value: says }, kept: { value: { $ref: 'kept.json' } } },
    },
  })
  const kept = JSON.stringify({ from: 'elsewhere' })
  const files = { '/api/schemas.json': '{"Name":{"type":"string"}}', '/api/kept.json': kept }
  const { document, asked } = await read(text, files)
  assert.deepEqual(asked.toSorted(), ['https://specs.example/api/kept.json', 'https://specs.example/api/schemas.json'])
  const { Answer } = document.components.schemas
  assert.deepEqual([Answer.example, document.components.examples.said.value], [says, says])
  assert.deepEqual(Answer.properties.plan, properties.plan)
  assert.match(Answer.properties.example.$ref, /^#\//)

  // With no other reference there is nothing to fetch, so the text needs no address.
  const alone = JSON.stringify({ openapi: '3.1.0', components: { examples: { said: { value: says } } } })
  assert.deepEqual((await read(alone)).document.components.examples.said.value, says)
})

const refersTo = (...references: string[]) =>
  JSON.stringify({ openapi: '3.1.0', 'x-all': references.map((reference) => ({ $ref: reference })) })

test('references never read local files, and their number, depth and size are limited', async () => {
  assert.match(await refusal(refersTo('./other.yaml')), /a text has no address/)
  assert.match(await refusal(refersTo('/etc/passwd')), /a text has no address/)
  assert.match(await refusal(refersTo('file:///etc/passwd')), /not an http or https address/)
  assert.match(await refusal(refersTo('file:///etc/passwd'), { '/x': '{}' }), /not an http or https address/)
  assert.match(
    await refusal(refersTo('broken'), { '/api/broken': '{' }),
    /specs.example\/api\/broken, which is not valid JSON/,
  )

  const chain = Object.fromEntries(
    Array.from({ length: 7 }, (_, n) => [`/api/${n}`, n < 6 ? refersTo(`${n + 1}`) : '{}']),
  )
  assert.equal((await read(refersTo('0'), chain)).asked.length, 7)
  assert.match(await refusal(refersTo('0'), chain, { referenceDepth: 6 }), /more than 6 references away/)
  const many = ['a', 'b', 'c']
  const files = Object.fromEntries(many.map((name) => [`/api/${name}`, '{}']))
  assert.equal((await read(refersTo(...many), files, { documents: 3 })).asked.length, 3)
  assert.match(await refusal(refersTo(...many), files, { documents: 2 }), /more than 2 other documents/)
  const wide = Object.fromEntries(many.map((name) => [`/api/${name}`, `{"x":[${'0,'.repeat(99)}0]}`]))
  assert.match(await refusal(refersTo(...many), wide, { values: 250 }), /more than 250 values/)
  const loop = await read(refersTo('loop'), { '/api/loop': refersTo('openapi.yaml', 'loop') })
  assert.equal(loop.asked.length, 1)
})

test('a text that is not a specification is refused with a reason', async () => {
  const cases: [string, RegExp][] = [
    ['  \n', /is empty/],
    ['{"openapi": "3.1.0", ', /is not valid JSON/],
    ['openapi: 3.1.0\n  info: [', /is not valid YAML/],
    ['just some words', /neither a JSON object nor a YAML mapping/],
    ['[]', /neither a JSON object/],
    ['{"asyncapi": "2.0.0"}', /neither an OpenAPI document/],
    ['{"openapi": "4.0.0"}', /neither an OpenAPI document/],
    ['{"openapi": "3.1.0", "paths": 7}', /"paths", which is not an object/],
    ['{"openapi": "3.1.0", "__proto__": {}}', /__proto__/],
    ['openapi: 3.1.0\n---\nopenapi: 3.1.0\n', /is not valid YAML/],
  ]
  for (const [text, reason] of cases) {
    assert.match(await refusal(text), reason, text)
  }
})

test('alias bombs, deep nesting, and too many schemas or values are refused', async () => {
  const levels = Array.from({ length: 9 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(9)}]`).join('\n')
  assert.match(await refusal(`openapi: 3.1.0\nl0: &l0 [ha,ha,ha]\n${levels}\n`), /is not valid YAML/)
  assert.match(await refusal('openapi: 3.1.0\nself: &self\n  inner: *self\n'), /nested too deeply|is not valid YAML/)
  const long = `openapi: 3.1.0\ntext: &t "${'x'.repeat(1_000_000)}"\nall: [${'*t,'.repeat(100)}]\n`
  assert.match(await refusal(long), /characters/)
  assert.match(await refusal(`{"openapi":"3.1.0","a":${'['.repeat(300)}${']'.repeat(300)}}`), /nested too deeply/)
  assert.match(await refusal(`{"openapi":"3.1.0","a":${'['.repeat(200_000)}`), /is not valid JSON|nested too deeply/)
  const schemas = Array.from({ length: 20_001 }, (_, n) => `"${n.toString(36)}":{}`).join(',')
  assert.match(await refusal(`{"openapi":"3.1.0","components":{"schemas":{${schemas}}}}`), /has 20,001 schemas/)
  assert.match(await refusal(`{"openapi":"3.1.0","a":[${'0,'.repeat(1_000_000)}0]}`), /more than 1,000,000 values/)
})

test('a specification with very many operations is refused, even if a few lines make them by references', async () => {
  const many = (length: number) => Array.from({ length }, (_, at) => at)
  const method = (at: number) => `m${[...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
  const text = (paths: number, methods: number) =>
    JSON.stringify({
      openapi: '3.2.0',
      paths: Object.fromEntries(many(paths).map((at) => [`/${at}`, { $ref: '#/components/pathItems/All' }])),
      components: {
        pathItems: { All: { additionalOperations: Object.fromEntries(many(methods).map((at) => [method(at), {}])) } },
      },
    })
  const used = process.threadCpuUsage()
  assert.equal(await refusal(text(10_000, 10_000)), 'has more than 50,000 operations')
  assert.ok(process.threadCpuUsage(used).user < 10_000_000)
  assert.equal(Object.keys((await read(text(100, 100))).document.paths).length, 100)
})

test('a specification with an endless path is refused', async () => {
  const text = (length: number) =>
    JSON.stringify({ openapi: '3.1.0', paths: { [`/${'a'.repeat(length)}`]: { get: {} } } })
  assert.equal(await refusal(text(2_000)), 'has a path with more than 2,000 characters')
  assert.equal(Object.keys((await read(text(1_999))).document.paths).length, 1)
})
