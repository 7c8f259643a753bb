import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'
import { aSite } from '../../test/sites.ts'
import { stateOf } from '../../test/state.ts'
import { until } from '../../test/until.ts'
import { newId } from '../ids.ts'
import { eventTypes } from './events.schema.ts'
import { WebhookSender } from './sender.ts'
import { aReceiver } from './testing/receiver.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

async function aWebhook(body: object = {}) {
  const org = await anOrganization(app)
  const { client } = org.admin
  const base = `/v1/orgs/${org.id}/webhooks`
  const made = await client.post(base, { url: 'https://example.com/hook', ...body })
  assert.equal(made.status, 201, made.text)
  return { org, client, base, webhook: made.body, path: `${base}/${made.body.id}` }
}

test('a webhook can be created, changed and deleted, and its secret is not in the list', async () => {
  const { client, base, path, webhook } = await aWebhook({ events: ['site_published'] })
  assert.match(webhook.secret, /^lwh_[\w-]{43}$/)
  assert.deepEqual(
    [webhook.title, webhook.url, webhook.events, webhook.active],
    ['example.com', 'https://example.com/hook', ['site_published'], true],
  )
  const { secret: _secret, ...listed } = webhook
  assert.deepEqual((await client.get(base)).body, { count: 1, items: [listed] })
  assert.deepEqual((await client.get(path)).body, webhook)

  const changed = await client.patch(path, { title: 'Builds', events: null, active: false })
  assert.deepEqual([changed.body.title, changed.body.events, changed.body.active], ['Builds', null, false])
  assert.equal(changed.body.url, webhook.url)
  assert.deepEqual((await client.patch(path, {})).body, changed.body)

  const tag = (await client.get(path)).headers.get('etag')!
  assert.equal((await client.patch(path, { title: 'X' }, { 'if-match': '"other"' })).status, 412)
  assert.equal((await client.patch(path, { title: 'X' }, { 'if-match': tag })).status, 200)
  assert.equal((await client.delete(path, { 'if-match': tag })).status, 412)
  assert.equal((await client.delete(path)).status, 204)
  assert.equal((await client.get(path)).status, 404)
  assert.equal((await client.get(base)).body.count, 0)
})

test('a webhook can be narrowed to spaces and sites of its organization, and widened again', async () => {
  const { client, org, base, path, webhook } = await aWebhook()
  const [space, site, foreign] = [await aLiveSpace(app, org), await aSite(app, {}, org), await aLiveSpace(app)]
  assert.equal(webhook.filter, null)
  const narrowed = await client.patch(path, { filter: { sites: [site.id], spaces: [space.id] } })
  assert.deepEqual(narrowed.body.filter, { spaces: [space.id], sites: [site.id] })
  assert.deepEqual((await client.patch(path, { title: 'X' })).body.filter, narrowed.body.filter)
  const made = await client.post(base, { url: 'https://example.com', filter: { spaces: [space.id] } })
  assert.deepEqual(made.body.filter, { spaces: [space.id], sites: [] })

  const cases: [object, string][] = [
    [{}, 'body.filter'],
    [{ spaces: [], sites: [] }, 'body.filter'],
    [{ spaces: [space.id, foreign.id] }, 'body.filter.spaces.1'],
    [{ spaces: [site.id] }, 'body.filter.spaces.0'],
    [{ sites: ['x'] }, 'body.filter.sites.0'],
    [{ sites: [newId()] }, 'body.filter.sites.0'],
    [{ spaces: 'x' }, 'body.filter.spaces'],
  ]
  const before = await stateOf(app.db)
  for (const [filter, field] of cases) {
    const refused = await client.patch(path, { filter })
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, field], JSON.stringify(filter))
    assert.equal((await client.post(base, { url: 'https://example.com', filter })).status, 400)
  }
  assert.equal(await stateOf(app.db), before)
  assert.equal((await client.patch(path, { filter: null })).body.filter, null)
})

test('a webhook without a title is named after its host, also after a change of its address', async () => {
  const { client, base } = await aWebhook()
  const made = (await client.post(base, { url: 'https://old.example.com/hook' })).body
  const path = `${base}/${made.id}`
  const titles = [made.title]
  for (const changes of [
    { url: 'https://new.example.com/hook' },
    { title: 'Builds' },
    { url: 'https://newest.example.com/hook' },
    { title: 'Tests', url: 'https://other.example.com/hook' },
  ])
    titles.push((await client.patch(path, changes)).body.title)
  assert.deepEqual(titles, ['old.example.com', 'new.example.com', 'Builds', 'Builds', 'Tests'])
})

test("a webhook's filter can be sent back although parts of it were deleted, but nothing else deleted can be added", async () => {
  const { client, org, path } = await aWebhook()
  const [space, other, site] = [await aLiveSpace(app, org), await aLiveSpace(app, org), await aSite(app, {}, org)]
  const { filter } = (await client.patch(path, { filter: { spaces: [space.id], sites: [site.id] } })).body
  for (const gone of [space.path, other.path, site.path]) assert.ok((await client.delete(gone)).status < 300)
  const renamed = await client.patch(path, { title: 'Renamed', filter })
  assert.deepEqual([renamed.status, renamed.body.title, renamed.body.filter], [200, 'Renamed', filter], renamed.text)
  const refused = await client.patch(path, { filter: { spaces: [space.id, other.id] } })
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.filter.spaces.1'])
})

test('a new secret replaces the old one, which is valid for another day unless it is revoked', async () => {
  const { client, path, webhook } = await aWebhook()
  const first = (await client.post(`${path}/secret`)).body
  assert.notEqual(first.secret, webhook.secret)
  assert.ok(Date.parse(first.formerSecretUntil) > Date.now() + 23 * 3_600_000)
  const second = (await client.post(`${path}/secret`, { revokeFormer: true })).body
  assert.notEqual(second.secret, first.secret)
  assert.equal(second.formerSecretUntil, undefined)
  assert.deepEqual((await client.get(path)).body, second)
})

test('only administrators have access to webhooks: creators get 403, strangers 404', async () => {
  const { org, client, base, path } = await aWebhook()
  const creator = await org.member('create')
  const stranger = await aStranger(app)
  const delivery = (await client.post(`${path}/test`)).body
  const before = await stateOf(app.db)
  const calls = [
    ['GET', base],
    ['POST', base, { url: 'https://example.com' }],
    ['GET', path],
    ['PATCH', path, { title: 'X' }],
    ['POST', `${path}/secret`],
    ['POST', `${path}/test`],
    ['GET', `${path}/deliveries`],
    ['GET', `${path}/deliveries/${delivery.id}`],
    ['POST', `${path}/deliveries/${delivery.id}/replay`],
    ['DELETE', path],
  ] as const
  for (const [method, address, body] of calls) {
    assert.equal((await creator.client.send(method, address, body)).status, 403, `${method} ${address}`)
    assert.equal((await stranger.client.send(method, address, body)).status, 404, `${method} ${address}`)
  }
  assert.equal(await stateOf(app.db), before)
  assert.equal((await client.get(`${path}/deliveries`)).body.count, 1)
})

test('webhooks and deliveries of another organization are not found', async () => {
  const [one, other] = [await aWebhook(), await aWebhook()]
  const foreign = `${one.base}/${other.webhook.id}`
  assert.equal((await one.client.get(foreign)).status, 404)
  assert.equal((await one.client.patch(foreign, { title: 'X' })).status, 404)
  assert.equal((await one.client.delete(foreign)).status, 404)
  const delivery = (await other.client.post(`${other.path}/test`)).body
  assert.equal((await one.client.get(`${one.path}/deliveries/${delivery.id}`)).status, 404)
})

test('invalid fields of a webhook are refused by name and change nothing', async () => {
  const { client, base, path } = await aWebhook()
  const before = await stateOf(app.db)
  const url = 'https://example.com'
  const cases: [object, string][] = [
    [{}, 'body.url'],
    [{ url: 'ftp://example.com' }, 'body.url'],
    [{ url: 'https://user:secret@example.com' }, 'body.url'],
    [{ url: `https://example.com/${'x'.repeat(2048)}` }, 'body.url'],
    [{ url, events: [] }, 'body.events'],
    [{ url, events: ['no_such'] }, 'body.events.0'],
    [{ url, events: ['site_published', 'site_published'] }, 'body.events'],
    [{ url, title: 'x'.repeat(101) }, 'body.title'],
    [{ url, active: 'yes' }, 'body.active'],
  ]
  for (const [body, field] of cases) {
    const refused = await client.post(base, body)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, field], JSON.stringify(body))
    if ('url' in body) assert.equal((await client.patch(path, body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await client.get(`${path}/deliveries/${newId()}`)).status, 404)
  assert.equal((await client.get(`${path}/deliveries?status=lost`)).status, 400)
  assert.equal(await stateOf(app.db), before)
})

test('an organization has at most fifty webhooks', async () => {
  const { client, base } = await aWebhook()
  const made = await Promise.all(Array.from({ length: 52 }, () => client.post(base, { url: 'https://example.com' })))
  const statuses = Map.groupBy(made, ({ status }) => status)
  assert.deepEqual([statuses.get(201)?.length, statuses.get(409)?.length], [49, 3])
})

test('a webhook that is off refuses a test with 409', async () => {
  const { client, path } = await aWebhook({ active: false })
  assert.equal((await client.post(`${path}/test`)).status, 409)
  await client.patch(path, { active: true })
  assert.equal((await client.post(`${path}/test`)).status, 201)
})

test('a delivery in progress when a process ends is sent by another, and the interrupted attempt does not count', async () => {
  const receiver = await aReceiver(() => {})
  const { client, path } = await aWebhook({ url: receiver.url })
  const { id } = (await client.post(`${path}/test`)).body
  const delivery = async () => (await client.get(`${path}/deliveries/${id}`)).body
  const sender = () => new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 100 })

  const first = sender()
  first.start()
  await until('it is under way', () => receiver.received.length === 1)
  await first.close()
  assert.deepEqual([(await delivery()).status, (await delivery()).attempts], ['pending', []])

  receiver.answer = (_, response) => response.writeHead(204).end()
  const second = sender()
  second.start()
  await until('it is delivered', async () => (await delivery()).status === 'delivered')
  assert.equal((await delivery()).attempts.length, 1)
  await second.close()
})

test('every event is in the description of the API, with its schema', async () => {
  const { body } = await app.client().get('/openapi.json')
  assert.deepEqual(Object.keys(body.webhooks).toSorted(), [...eventTypes, 'ping'].toSorted())
  const { $ref } = body.webhooks.space_content_updated.post.requestBody.content['application/json'].schema
  const schema = body.components.schemas[$ref.split('/').at(-1)]
  assert.deepEqual(schema.required.includes('spaceId'), true)
  assert.deepEqual(schema.properties.type.const, 'space_content_updated')
})
