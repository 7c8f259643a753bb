import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger } from '../../../test/factories.ts'
import { aSite } from '../../../test/sites.ts'
import { stateOf } from '../../../test/state.ts'

const app = await startApp()

const jsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    staff: { type: 'boolean', description: 'Works for us' },
    unsigned: {
      type: 'object',
      description: 'From the address',
      properties: { plan: { type: 'string', description: '', enum: ['free', 'pro'] } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

test('a site declares the claims of its visitors, and template conditions are made from them', async () => {
  const site = await aSite(app)
  const at = `${site.path}/adaptive-schema`
  const empty = await site.who.get(at)
  assert.deepEqual(empty.body.jsonSchema, { type: 'object', properties: {}, additionalProperties: false })
  assert.deepEqual((await site.who.get(`${at}/template-conditions`)).body, { items: [] })

  const set = await site.who.put(at, { jsonSchema })
  assert.equal(set.status, 200, set.text)
  assert.deepEqual([set.body.object, set.body.jsonSchema], ['site-adaptive-schema', jsonSchema])
  const read = await site.who.get(at)
  assert.deepEqual(read.body, set.body)
  assert.equal(read.headers.get('etag'), set.headers.get('etag'))
  assert.deepEqual((await site.who.put(at, { jsonSchema })).body, set.body)

  const { items } = (await site.who.get(`${at}/template-conditions`)).body
  assert.deepEqual(items.map(({ condition }: any) => condition).toSorted(), [
    'visitor.claims.staff === false',
    'visitor.claims.staff === true',
    'visitor.claims.unsigned.plan === "free"',
    'visitor.claims.unsigned.plan === "pro"',
  ])
  for (const { condition } of items) {
    const used = await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, { condition })
    assert.equal(used.status, 200, used.text)
  }
  const unknown = await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, {
    condition: 'visitor.claims.x',
  })
  assert.equal(unknown.status, 400)
  // A condition stays when its claim is removed. It hides its content from then on.
  assert.equal((await site.who.put(at, { jsonSchema: { type: 'object', properties: {} } })).status, 200)
  const { body } = await site.who.get(`${site.path}/site-spaces`)
  assert.equal(body.items[0].condition, items.at(-1).condition)
})

test('a claims schema is returned as it was sent, without fields that were left out', async () => {
  const site = await aSite(app)
  const at = `${site.path}/adaptive-schema`
  const unsigned = { type: 'object', properties: { beta: { type: 'boolean' } }, additionalProperties: false }
  const bare = { type: 'object', properties: { unsigned, isRich: { type: 'boolean' } } }
  for (const sent of [bare, { ...bare, additionalProperties: false }, jsonSchema]) {
    const { body } = await site.who.put(at, { jsonSchema: sent })
    assert.deepEqual(body.jsonSchema, sent)
    assert.deepEqual((await site.who.get(at)).body, body)
  }
})

test('an invalid claims schema is refused with the path of the fault and changes nothing', async () => {
  const site = await aSite(app)
  const at = `${site.path}/adaptive-schema`
  const before = await stateOf(app.db)
  const bad: [object, string][] = [
    [{}, 'body.jsonSchema'],
    [{ jsonSchema: 'x' }, 'body.jsonSchema'],
    [{ jsonSchema: { type: 'string' } }, 'body.jsonSchema.type'],
    [{ jsonSchema: { type: 'object', properties: { a: { type: 'any' } } } }, 'body.jsonSchema.properties.a.type'],
    [
      { jsonSchema: { type: 'object', properties: { unsigned: { type: 'object', properties: { a: 1 } } } } },
      'body.jsonSchema.properties.unsigned.properties.a',
    ],
  ]
  for (const [body, path] of bad) {
    const refused = await site.who.put(at, body)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, path], JSON.stringify(body))
  }
  assert.equal((await site.who.put(at, { jsonSchema }, { 'if-match': '"other"' })).status, 412)
  assert.deepEqual(await stateOf(app.db), before)
})

test('members read the claims schema, those who can change the site set it, guests and strangers get 404', async () => {
  const site = await aSite(app)
  const at = `${site.path}/adaptive-schema`
  for (const [who, reads, writes] of [
    [await site.org.member('create'), 200, 200],
    [await site.org.member('review'), 200, 403],
    [await site.org.member('read'), 200, 403],
    [await site.org.member(null), 404, 404],
    [await aStranger(app), 404, 404],
  ] as const) {
    assert.equal((await who.client.get(at)).status, reads)
    assert.equal((await who.client.get(`${at}/template-conditions`)).status, reads)
    assert.equal((await who.client.put(at, { jsonSchema })).status, writes)
  }
})
