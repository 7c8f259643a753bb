// Small specifications that expand to very much: each must be rendered in both forms in little time, and the result
// must stay readable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Icons } from '../../published/icons/icons.ts'
import { roomFor } from './room.ts'
import { drawOperation } from './operation.ts'
import { drawSchemas } from './schemas.ts'
import { Spec } from './spec.ts'
import { asSpec } from '../testing/as-spec.ts'
import { writeOperation, writeSchemas } from './text.ts'

const many = (length: number) => Array.from({ length }, (_, at) => at)
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const named = <Value>(count: number, valueOf: (at: number) => Value, name = 'f') =>
  Object.fromEntries(many(count).map((at) => [`${name}${at}`, valueOf(at)]))

interface Told {
  operation?: object
  schemas?: object
  others?: object
}

const specOf = ({ operation = {}, schemas = {}, others = {} }: Told): Spec =>
  asSpec({ openapi: '3.1.0', info: {}, paths: { '/x': { get: operation }, ...others }, components: { schemas } })

/** Returns both forms. The time limit is high enough for a busy machine: code that exceeds it would take for ever. */
async function told(spec: Spec, what: readonly string[] | 'operation'): Promise<string[]> {
  const from = process.cpuUsage()
  const room = roomFor(1)
  const manner = { id: 'x', room }
  const icons = new Icons()
  const forms =
    what === 'operation'
      ? [
          await drawOperation(spec, spec.operations[0]!, manner, icons),
          writeOperation(spec, spec.operations[0]!, manner),
        ]
      : [await drawSchemas(spec, what, manner, icons), await writeSchemas(spec, what, manner)]
  const { user, system } = process.cpuUsage(from)
  const texts = forms.map(String)
  assert.ok((user + system) / 1e6 < 20, `${(user + system) / 1e6} s`)
  for (const text of texts) assert.ok(text.length < 8_000_000, `${text.length} characters`)
  return texts
}

const answer = (schema: object) => ({ responses: { 200: { content: { 'application/json': { schema } } } } })

test('a schema that includes another twice by allOf, over many levels, requires each field once', async () => {
  const twice = named(60, (at) => ({ allOf: [to(`S${at - 1}`), to(`S${at - 1}`)] }), 'S')
  const spec = specOf({ schemas: { ...twice, S0: { properties: { a: { type: 'string' } }, required: ['a'] } } })
  const [drawn, written] = await told(spec, ['S59'])
  assert.equal(drawn!.split('<span class="need">').length, 2)
  assert.match(written!, /- `a` \(`string`, /)
})

test('of very many large schemas a page shows a readable part and says how many more fields there are', async () => {
  const heirs = named(1_500, () => ({ allOf: [to('Base')] }), 'S')
  const spec = specOf({ schemas: { Base: { properties: named(2_000, () => ({})) }, ...heirs } })
  let bytes = 0
  spec.onGrowth = (more) => (bytes += more)
  for (const text of await told(spec, spec.schemaNames)) {
    assert.match(text, /S998/)
    assert.match(text, / 500 more fields|>500 more fields/)
  }
  assert.ok(bytes > 10_000_000 && bytes < 300_000_000, `${bytes}`)
})

test('a schema with very many fields or required fields is rendered in little time, even if every field uses it', async () => {
  const big = { properties: named(20_000, () => ({})), required: many(20_000).map((at) => `f${at}`) }
  for (const each of [to('Big'), { allOf: [to('Big')], description: 'Big' }, { items: { allOf: [to('Big')] } }]) {
    const spec = specOf({ operation: answer({ properties: named(300, () => each) }), schemas: { Big: big } })
    for (const text of await told(spec, 'operation')) assert.match(text, /20000 more fields/)
  }
})

test('of an enum with very many values, every field that uses it shows the first ones', async () => {
  const values = many(300_000).map((at) => `value${at}`)
  for (const each of [to('Word'), { oneOf: [to('Word'), { type: 'null' }] }, { items: to('Word') }]) {
    const schemas = { Word: { type: 'string', enum: values } }
    const spec = specOf({ operation: answer({ properties: named(300, () => each) }), schemas })
    for (const text of await told(spec, 'operation')) assert.match(text, /\+ 299800 …/)
  }
})

test('of very many parameters a page shows a readable part and says how many more there are', async () => {
  const parameters = many(50_000).map((at) => ({ in: 'query', name: `p${at}`, description: 'One of *many*.' }))
  for (const text of await told(specOf({ operation: { parameters } }), 'operation'))
    assert.match(text, /48500 more fields/)
})

test('huge discriminator mappings and many links among very many operations are rendered in little time', async () => {
  const mapping = named(20_000, (at) => `S${at % 50}`, 'key')
  const discriminator = { propertyName: 'kind', mapping }
  const variants = named(50, () => ({ properties: { kind: { type: 'string' } } }), 'S')
  const union = { oneOf: many(50).map((at) => to(`S${at}`)), discriminator }
  const unions = specOf({ operation: answer({ properties: named(20, () => union) }), schemas: variants })
  await told(unions, 'operation')

  const links = named(20, (at) => ({ operationId: `gone${at}` }))
  const responses = Object.fromEntries(many(40).map((at) => [String(200 + at), { description: 'Some', links }]))
  const others = Object.fromEntries(many(10_000).map((at) => [`/o${at}`, { get: { operationId: `o${at}` } }]))
  for (const text of await told(specOf({ operation: { responses }, others }), 'operation')) assert.match(text, /gone19/)
})

test('very many callbacks, each with the same very many addresses, are rendered in little time', async () => {
  const addresses = named(5_000, () => ({ post: { responses: {} } }), '{$url}/')
  const callbacks = named(5_000, () => ({ $ref: '#/components/callbacks/All' }))
  const spec = asSpec({
    openapi: '3.1.0',
    paths: { '/x': { get: { callbacks } } },
    components: { callbacks: { All: addresses } },
  })
  for (const text of await told(spec, 'operation')) assert.match(text, /\{\$url\}\/19/)
})

test('very many ways to sign in, each with the same very many flows, are rendered in little time', async () => {
  const schemes = named(20_000, () => ({ $ref: '#/components/securitySchemes/Same' }), 'way')
  const same = { type: 'oauth2', flows: named(1_000, () => ({ scopes: {} })) }
  const spec = asSpec({
    openapi: '3.1.0',
    security: [named(20_000, () => [], 'way')],
    paths: { '/x': { get: {} } },
    components: { securitySchemes: { ...schemes, Same: same } },
  })
  for (const text of await told(spec, 'operation')) assert.match(text, /OAuth 2/)
})

test('many references to a huge schema, each with its own description, are rendered in little time', async () => {
  const odd = { type: 'object', ...named(50_000, () => 1, 'x-') }
  const each = { ...to('Odd'), description: 'Odd' }
  const spec = specOf({ operation: answer({ properties: named(500, () => each) }), schemas: { Odd: odd } })
  for (const text of await told(spec, 'operation')) assert.match(text, /f499/)
})
