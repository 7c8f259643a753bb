import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Icons } from '../../published/icons/icons.ts'
import type { JsonObject } from './json.ts'
import { drawOperation } from './operation.ts'
import { Spec } from './spec.ts'

async function draw(operation: object, components: object = {}): Promise<string> {
  const document = { openapi: '3.1.0', info: {}, paths: { '/x': { get: operation } }, components }
  const spec = new Spec(JSON.parse(JSON.stringify(document)) as JsonObject)
  return String(await drawOperation(spec, spec.operation('/x', 'get')!, { id: 'op1' }, new Icons()))
}

const inQuery = (schema: object) => draw({ parameters: [{ name: 'p', in: 'query', schema }] })
const answering = (content: object, more: object = {}) => ({
  responses: { 200: { description: 'Well', content, ...more } },
})
const returning = (schema: object) => draw(answering({ 'application/json': { schema } }))
const tabsIn = (markup: string) =>
  [...markup.matchAll(/role="tab"[^>]*>(.*?)<\/button>/g)].map(([, title]) => title!.replaceAll(/<[^>]*>/g, ''))

test('enum values are listed with their descriptions from the specification', async () => {
  const values = { type: 'string', enum: ['LIVE', 'OFF'] }
  const lines = /<code>LIVE<\/code> Readers see it\.<\/div><div class="vals"><code>OFF<\/code> <\/div>/
  assert.match(await inQuery({ ...values, 'x-enumDescriptions': { LIVE: 'Readers see it.' } }), lines)
  assert.match(await inQuery({ ...values, 'x-enum-descriptions': ['Readers see it.'] }), lines)
  const items = { ...values, 'x-enumDescriptions': { LIVE: 'Readers see it.' } }
  assert.match(await inQuery({ type: 'array', items }), lines)
  const constants = { oneOf: [{ const: 'LIVE', description: 'Readers see it.' }, { const: 'OFF' }] }
  assert.match(await inQuery(constants), lines)
  assert.match(await inQuery(values), /<div class="vals"><code>LIVE<\/code><code>OFF<\/code><\/div>/)
})

test('an enum with more values than are shown says how many are left out', async () => {
  const values = Array.from({ length: 250 }, (_, at) => `v${at}`)
  assert.match(await inQuery({ type: 'string', enum: values }), /<code>v199<\/code> <span>\+ 50 …<\/span>/)
})

test('a deprecated operation says when it ends', async () => {
  const markup = await draw({ deprecated: true, 'x-deprecated-sunset': '2030-12-05' })
  assert.match(markup, /This operation is deprecated\. It will be gone on 2030-12-05\./)
})

test('a response whose sample is hidden shows its description and no sample', async () => {
  const content = { 'application/json': { example: { secret: 1 } } }
  const markup = await draw(answering(content, { 'x-hideSample': true }))
  assert.match(markup, /Well/)
  assert.doesNotMatch(markup, /secret/)
})

test('a response shows each of its examples by name, and its other media types', async () => {
  const examples = { one: { summary: 'A dog', value: { barks: true } }, two: { value: { lives: 9 } } }
  const markup = await draw(answering({ 'application/json': { examples }, 'application/xml': {}, 'text/csv': {} }))
  assert.deepEqual(tabsIn(markup).slice(3), ['200 A dog', '200 two'])
  assert.match(markup, /Also as <code>application\/xml<\/code><code>text\/csv<\/code>/)
})

test('additional properties and pattern properties are shown, also beside named fields', async () => {
  const values = { type: 'integer' }
  const beside = { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: values }
  assert.match(await returning(beside), /<code>id<\/code>.*<code>\*<\/code><span class="type">integer/s)
  assert.match(await returning({ patternProperties: { '^x-': values } }), /<span class="type">map of integer/)
})

test('nullable types and files are recognized in the spelling of 3.0 and of 3.1', async () => {
  const label = async (schema: object) => /<span class="type">([^<]*)/.exec(await inQuery(schema))?.[1]
  assert.equal(await label({ type: 'string', nullable: true }), 'string or null')
  assert.equal(
    await label({ oneOf: [{ type: 'string' }, { type: 'integer' }], nullable: true }),
    'string or integer or null',
  )
  assert.equal(await label({ type: 'string', format: 'binary' }), 'string (binary)')
  assert.equal(await label({ contentMediaType: 'application/octet-stream' }), 'string (binary)')
})

test('a required scope is shown with what it allows', async () => {
  const flow = { tokenUrl: 'https://x.test/token', scopes: { 'pets:read': 'Read your pets' } }
  const securitySchemes = { signIn: { type: 'oauth2', flows: { clientCredentials: flow } } }
  const markup = await draw({ security: [{ signIn: ['pets:read', 'other'] }] }, { securitySchemes })
  assert.match(markup, /<code>pets:read<\/code> Read your pets.*<code>other<\/code>/s)
})

test('a description of several blocks is laid out with distance between them, and a single paragraph is not', async () => {
  const markup = await draw({ description: 'One.\n\nTwo.\n\n```js\ncall()\n```\n' })
  assert.match(markup, /<div class="flow"><p>One\.<\/p>\s*<p>Two\.<\/p>\s*<pre/)
  assert.match(await draw({ description: 'One *word*.' }), /<div>\s*<p>One <em>word<\/em>\.<\/p>/)
})

test('a binary response has no example, and alternatives of constants are an enum', async () => {
  const schema = { type: 'string', format: 'binary' }
  assert.deepEqual(tabsIn(await draw(answering({ 'image/png': { schema } }))), ['cURL', 'JavaScript', 'Python'])
  assert.match(await inQuery({ oneOf: [{ const: 'a' }, { const: 'b' }] }), /<span class="type">enum<\/span>/)
})
