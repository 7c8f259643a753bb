import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, holds } from '../../expressions/compile.ts'
import { ApiError } from '../../http/errors.ts'
import { declaredUnsigned, noClaims, templateConditions, unsignedFromText } from './claims.ts'
import { readClaimsSchema } from './read-claims.ts'

const unsigned = {
  type: 'object',
  properties: {
    beta: { type: 'boolean', description: 'Wants what is new' },
    plan: { type: 'string', enum: ['free', 'pro'] },
    name: { type: 'string' },
    seats: { type: 'number' },
    products: { type: 'array', items: { type: 'string', enum: ['api', 'cli'] } },
    profile: { type: 'object', properties: { beta: { type: 'boolean' } } },
  },
}
const schema = readClaimsSchema({ type: 'object', properties: { unsigned, staff: { type: 'boolean' } } }, 'body')

test('unsigned claims count only if they are declared and have the declared type', () => {
  const good = { beta: true, plan: 'pro', name: 'x', seats: 3, products: ['api'], profile: { beta: false } }
  assert.deepEqual(declaredUnsigned(schema, good), good)
  const wrong = {
    beta: 'true',
    plan: 'gold',
    name: 'x'.repeat(2000),
    seats: Infinity,
    products: ['api', 'x', 1, null],
    profile: { beta: 1, other: true },
    staff: true,
    unsigned: { beta: true },
    __proto__: { beta: true },
  }
  assert.deepEqual(declaredUnsigned(schema, wrong), { products: ['api'], profile: {} })
  for (const nothing of [null, undefined, 'x', 1, [good], [], JSON.parse('{"__proto__": {"beta": true}}')]) {
    assert.deepEqual(declaredUnsigned(schema, nothing), {})
    assert.deepEqual(declaredUnsigned(noClaims, good), {})
  }
})

test('claims in an address are read as their declared types, and all others are ignored', () => {
  const read = (query: string) => unsignedFromText(schema, new URLSearchParams(query))
  assert.deepEqual(read('beta=true&plan=pro&name=7&seats=7&products=api&products=cli&products=x&profile.beta=false'), {
    beta: true,
    plan: 'pro',
    name: '7',
    seats: 7,
    products: ['api', 'cli'],
    profile: { beta: false },
  })
  const nonsense =
    'beta=1&beta.x=true&seats=&seats=x&plan=gold&staff=true&unsigned.beta=true&__proto__.beta=true&=x&profile=x'
  assert.deepEqual(read(nonsense), { profile: {} })
})

test('a claims schema is kept as it was sent, and an invalid one is refused with the path of the fault', () => {
  const primitives = { a: { type: 'array', items: { type: 'number' } }, b: { type: 'boolean', description: '' } }
  for (const given of [
    { type: 'object', properties: { ...primitives, unsigned } },
    { type: 'object', properties: { unsigned: { ...unsigned, additionalProperties: false } } },
    {
      $schema: 'http://json-schema.org/draft-07/schema',
      description: 'What we know of visitors',
      type: 'object',
      properties: { c: { type: 'object', description: 'C', properties: primitives, additionalProperties: false } },
      additionalProperties: false,
    },
  ]) {
    assert.deepEqual(readClaimsSchema(given, 'x'), given)
  }
  const of = (claim: unknown) => ({ type: 'object', properties: { a: claim } })
  const deep = (depth: number): object =>
    depth === 0 ? { type: 'boolean' } : { type: 'object', properties: { a: deep(depth - 1) } }
  const bad: [unknown, string][] = [
    [null, 's'],
    [[], 's'],
    ['{}', 's'],
    [{}, 's.type'],
    [{ type: 'array', items: {} }, 's.items'],
    [{ type: 'object' }, 's.properties'],
    [{ type: 'object', properties: [] }, 's.properties'],
    [{ type: 'object', properties: {}, required: ['a'] }, 's.required'],
    [{ type: 'object', properties: {}, additionalProperties: true }, 's.additionalProperties'],
    [{ type: 'object', properties: {}, $schema: 'https://json-schema.org/draft/2020-12/schema' }, 's.$schema'],
    [of(true), 's.properties.a'],
    [of({ type: 'integer' }), 's.properties.a.type'],
    [of({ type: ['string', 'null'] }), 's.properties.a.type'],
    [of({ type: 'string', pattern: '.' }), 's.properties.a.pattern'],
    [of({ type: 'string', enum: ['a', 1] }), 's.properties.a.enum.1'],
    [of({ type: 'string', enum: 'a' }), 's.properties.a.enum'],
    [of({ type: 'boolean', description: 1 }), 's.properties.a.description'],
    [{ type: 'object', properties: {}, description: 1 }, 's.description'],
    [of({ type: 'array' }), 's.properties.a.items'],
    [of({ type: 'array', items: { type: 'object', properties: {} } }), 's.properties.a.items.type'],
    [of({ type: 'object' }), 's.properties.a.properties'],
    [of(deep(8)), `s${'.properties.a'.repeat(8)}`],
    [{ type: 'object', properties: { unsigned: { type: 'boolean' } } }, 's.properties.unsigned.type'],
    [{ type: 'object', properties: { ' ': { type: 'boolean' } } }, 's.properties'],
    [{ type: 'object', properties: JSON.parse('{"__proto__": {"type": "boolean"}}') }, 's.properties'],
    [{ type: 'object', properties: { constructor: { type: 'boolean' } } }, 's.properties'],
  ]
  for (const [given, path] of bad) {
    const refused = (error: unknown) => {
      assert.ok(error instanceof ApiError && error.status === 400, String(error))
      assert.equal(error.details![0]!.path, path)
      return true
    }
    assert.throws(() => readClaimsSchema(given, 's'), refused, JSON.stringify(given))
  }
})

test('every template condition holds for the claim value that it names', () => {
  const odd = { 'is-odd': { type: 'boolean' }, class: { type: 'boolean' }, 'a"b': { type: 'string', enum: ['"\\'] } }
  const templates = templateConditions(readClaimsSchema({ type: 'object', properties: { unsigned, ...odd } }, 's'))
  const claims = {
    unsigned: { beta: true, plan: 'pro', products: ['cli'], profile: { beta: false } },
    'is-odd': true,
    class: false,
    'a"b': '"\\',
  }
  const shown = templates.filter(({ condition }) => holds(compile(condition), { visitor: { claims } }))
  assert.deepEqual(
    shown.map(({ condition }) => condition),
    [
      'visitor.claims.unsigned.beta === true',
      'visitor.claims.unsigned.plan === "pro"',
      'visitor.claims.unsigned.products.includes("cli")',
      'visitor.claims.unsigned.profile.beta === false',
      'visitor.claims["is-odd"] === true',
      'visitor.claims.class === false',
      'visitor.claims["a\\"b"] === "\\"\\\\"',
    ],
  )
  assert.equal(templates[0]!.description, 'unsigned.beta is true: Wants what is new')
  assert.equal(templates.length, 13)
})
