// Random and almost right input for every operation: no answer is a 5xx, every answer has its documented shape (the
// shared client holds it against the schema), and what is refused has changed nothing.
//
// TEST_SEED=<number> repeats a run; TEST_RUNS=<number> makes it longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Operation } from '../src/http/spec.ts'
import { newId } from '../src/ids.ts'
import { startApp } from './app.ts'
import type { Client } from './client.ts'
import { anOrganization } from './factories.ts'
import { aSite } from './sites.ts'
import { stateOf } from './state.ts'

const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

const app = await startApp()
// A few hundred in all, however many operations there are.
const runs = Number(process.env.TEST_RUNS ?? Math.ceil(400 / app.app.operations.length))
const org = await anOrganization(app)
const reader = await org.member('read')
const stranger = await anOrganization(app)
const callers: Client[] = [
  org.admin.client,
  org.admin.client,
  org.admin.client,
  reader.client,
  stranger.admin.client,
  app.client(),
]

const strangerAt = 4

const team = (await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Writers', members: [reader.id] })).body
const invite = (await org.admin.client.post(`/v1/orgs/${org.id}/link-invites`, { role: 'read' })).body
const spare = (await org.admin.client.post('/v1/user/tokens', { label: 'Spare' })).body
const site = await aSite(app, {}, org)
const link = (await site.who.post(`${site.path}/share-links`, { name: 'Partners' })).body
const destination = { kind: 'external', url: 'https://example.com' }
const section = (await site.who.post(`${site.path}/sections`, { spaceId: site.space.id })).body
const group = (await site.who.post(`${site.path}/section-groups`, { title: 'Group' })).body
const redirect = (await site.who.post(`${site.path}/redirects`, { source: '/old', destination })).body

/** What there is, by the name a path calls it; a new kind of thing adds its own. */
const real: Record<string, string[]> = {
  organizationId: [org.id, org.id, org.id, stranger.id],
  userId: [reader.id, org.admin.id, stranger.admin.id],
  teamId: [team.id],
  inviteId: [invite.id],
  inviteSecret: [invite.urls.invite.split('/').at(-1)],
  tokenId: [spare.id],
  subdomain: [org.row.hostname],
  emailDomain: ['example.com'],
  siteId: [site.id],
  siteSectionId: [section.id],
  siteSectionGroupId: [group.id],
  siteSpaceId: [site.siteSpaceId],
  shareLinkId: [link.id],
  siteRedirectId: [redirect.id],
}

interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

const oddities = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\udc00b',
  '\u202e',
  '🦉',
  '%00',
  '../..',
  "' or 1=1 --",
  '$1',
  '{}',
  '[]',
  'null',
  '-1',
  '1e999',
  '0x10',
  'true',
  '__proto__',
  'constructor',
  'toString',
  '<script>',
  '\r\nX-A: b',
  'a@example.com',
  'A@EXAMPLE.COM',
  'https://example.com',
  'xn--a.example',
  '2030-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '2030-02-30T00:00:00Z',
  org.id,
  reader.id,
  team.id,
  newId(),
  'x'.repeat(5000),
]

const text = fc.oneof(
  fc.constantFrom(...oddities),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', minLength: 40 }),
)

const anything: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue({ depthSize: 'medium' }),
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], [null], { length: 3 }),
)

/** Mostly what the schema asks for, now and then something else. */
function almost(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: matching(schema) }, { weight: 1, arbitrary: anything })
}

function matching(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(almost))
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(almost(schema.items ?? {}), { maxLength: 5 })
    case 'string':
      return text
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer()
    case 'null':
      return fc.constant(null)
    default:
      return anything
  }
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const declared = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, almost(schema)]))
  const known = fc.record(declared, { requiredKeys: required.filter((name) => name in declared) })
  const unknown = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('id', 'organization', '__proto__', 'constructor')),
    anything,
    { maxKeys: 3 },
  )
  return fc.oneof(
    { weight: 4, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(unknown, known).map(([a, b]) => ({ ...a, ...b })) },
  )
}

const bodyFor = (schema: Schema | undefined): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 8, arbitrary: almost(schema ?? {}).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )

function pathFor({ url }: Operation): fc.Arbitrary<string> {
  const steps = url.split('/').map((step) => {
    if (!step.startsWith(':')) return fc.constant(step)
    const odd = text.filter((value) => value !== '').map((value) => encodeURIComponent(value.toWellFormed()))
    return fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...(real[step.slice(1)] ?? [newId()])) },
      { weight: 1, arbitrary: odd },
    )
  })
  return fc.tuple(...steps).map((parts) => parts.join('/'))
}

function queryFor(schema: Schema | undefined): fc.Arbitrary<string> {
  const names = [...Object.keys(schema?.properties ?? {}), 'unknown']
  const values = names.map((name) => {
    const declared = schema?.properties?.[name] ?? {}
    return fc.tuple(
      fc.constant(name),
      fc.oneof(almost(declared).map(asText), fc.constantFrom('', '0', '1', '1000', '%zz')),
    )
  })
  return fc
    .subarray(values)
    .chain((chosen) => fc.tuple(...chosen))
    .map((pairs) => new URLSearchParams(pairs).toString())
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const headers = fc.record(
  {
    'if-match': fc.constantFrom('*', '"x"', 'W/"x"', ',,,'),
    'if-none-match': fc.constantFrom('*', '"x"', ''),
    'idempotency-key': fc.constantFrom('', 'key', 'a key', 'x'.repeat(300)),
    'accept-encoding': fc.constantFrom('gzip', 'br;q=x', '*;q=0', ';;;'),
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=x'),
  },
  { requiredKeys: [] },
)

/** A stranger who uses the invite is none any more, and rightly sees what belongs to the organization. */
const callersOf = ({ url }: Operation) =>
  [...callers.keys()].filter((i) => i !== strangerAt || !url.includes(':inviteSecret'))

const inputFor = (operation: Operation) =>
  fc.record({
    path: pathFor(operation),
    query: queryFor(operation.schema.querystring as Schema | undefined),
    body: operation.method === 'GET' ? fc.constant(undefined) : bodyFor(operation.schema.body as Schema | undefined),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
    caller: fc.constantFrom(...callersOf(operation)),
  })

test('no input makes a 5xx, an answer of another shape, or a change where it is refused', async (t) => {
  t.diagnostic(`TEST_SEED=${seed}`)
  let before = await stateOf(app.db)
  const statuses = new Map<number, number>()
  for (const operation of app.app.operations) {
    const property = fc.asyncProperty(inputFor(operation), async ({ path, query, body, headers, caller }) => {
      const { status, text } = await callers[caller]!.send(
        operation.method,
        query ? `${path}?${query}` : path,
        body,
        headers,
      )
      const now = await stateOf(app.db)
      const unchanged = now === before
      before = now
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      assert.ok(status < 500, `${status} ${text}`)
      if (status >= 400) assert.ok(unchanged, `${status}, and something has changed: ${text}`)
    })
    await fc.assert(property, { seed, numRuns: runs, endOnFailure: true }).catch((error: Error) => {
      throw new Error(`${operation.method} ${operation.url} (TEST_SEED=${seed}): ${error.message}`, {
        cause: error.cause,
      })
    })
  }
  t.diagnostic(
    [...statuses]
      .toSorted()
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
  )
  assert.ok((statuses.get(200) ?? 0) > 10, 'too little of it gets through to be worth anything')
})
