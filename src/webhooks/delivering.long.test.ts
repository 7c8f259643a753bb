import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { aSite } from '../../test/sites.ts'
import { until } from '../../test/until.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { formats } from '../http/formats.ts'
import { webhookInvariants } from '../doctor/webhooks.ts'
import { addMember } from '../organizations/members.actions.ts'
import { eventDescriptions, eventTypes } from './events.schema.ts'
import { purgeDeliveries } from './purge.task.ts'
import { WebhookSender } from './sender.ts'
import { aReceiver, isSignedWith } from './testing/receiver.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

// Two senders, as on two nodes: everything is still sent only once.
const senders = [1, 2].map(() => new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 100 }))
for (const sender of senders) sender.start()
after(() => Promise.all(senders.map((sender) => sender.close())))

async function listen(org: TestOrganization, url: string, body: object = {}) {
  const made = await org.admin.client.post(`/v1/orgs/${org.id}/webhooks`, { url, ...body })
  assert.equal(made.status, 201, made.text)
  return { ...made.body, path: `/v1/orgs/${org.id}/webhooks/${made.body.id}` }
}

async function aListenedOrganization(body: object = {}) {
  const org = await anOrganization(app)
  const receiver = await aReceiver()
  const webhook = await listen(org, receiver.url, body)
  return { org, client: org.admin.client, receiver, webhook }
}

const eventsOfSites = eventTypes.filter((type) => type.startsWith('site_'))

const deliveriesOf = async (client: Client, { path }: { path: string }, query = '') =>
  (await client.get(`${path}/deliveries${query}`)).body

const rename = (org: TestOrganization, userId: string, role: string) =>
  org.admin.client.patch(`/v1/orgs/${org.id}/members/${userId}`, { role })

/** A webhook whose receiver has refused a first event. */
async function aFailingWebhook() {
  const listened = await aListenedOrganization({ events: ['member_updated'] })
  const { org, client, receiver, webhook } = listened
  receiver.answer = (_, response) => response.writeHead(500).end()
  const person = await org.member('read')
  await rename(org, person.id, 'edit')
  await until('it fails', async () => 'failingSince' in (await client.get(webhook.path)).body)
  return { ...listened, person }
}

/** The state after many failures: nothing is due for an hour. */
async function putOff({ id }: { id: string }) {
  const later = sql`now() + interval '1 hour'`
  await app.db.run(sql`update webhooks set failed_attempts = 20, paused_until = ${later} where id = ${id}`)
  await app.db.run(sql`update webhook_deliveries set due_at = ${later} where due_at is not null and webhook_id = ${id}`)
}

test('events are sent signed, once, in order for a change request, and contain nothing but ids', async () => {
  const { org, client, receiver, webhook } = await aListenedOrganization()
  const space = await aLiveSpace(app, org)
  const edited = await space.edit(newPage(`Secret ${org.canary}`))
  const request = await space.changeRequest()
  await request.edit(newPage('More'))
  await client.post(`${request.path}/comments`, { body: { markdown: 'A remark' } })
  await client.patch(request.path, { status: 'archived' })
  await client.patch(request.path, { status: 'open' })
  const merged = await client.post(`${request.path}/merge`)
  assert.equal(merged.body.result, 'merge', merged.text)
  const site = await aSite(app, {}, org)
  await client.post(`${site.path}/publish`)
  const someone = await org.member('read')
  await client.delete(`/v1/orgs/${org.id}/members/${someone.id}`)

  const expected = [
    'space_created',
    'space_content_updated',
    'change_request_created',
    'change_request_content_updated',
    'comment_posted',
    'change_request_archived',
    'change_request_updated',
    'change_request_merged',
    'space_content_updated',
    'space_created',
    'site_created',
    'site_structure_updated',
    'site_published',
    'member_added',
    'member_removed',
  ]
  await until('all are there', () => receiver.received.length >= expected.length)
  assert.deepEqual(receiver.types().toSorted(), expected.toSorted())
  assert.equal(new Set(receiver.received.map(({ body }) => body.eventId)).size, expected.length)

  const ofRequest = receiver.types().filter((type) => type.startsWith('change_request'))
  assert.deepEqual(
    ofRequest,
    expected.filter((type) => type.startsWith('change_request')),
  )
  const ajv = new Ajv({ strict: false })
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)
  for (const each of receiver.received) {
    assert.ok(isSignedWith(webhook.secret, each))
    assert.equal(each.headers['x-lectern-event'], each.body.type)
    assert.ok(!each.raw.includes(org.canary), each.raw)
    const { schema } = eventDescriptions.find(({ type }) => type === each.body.type)!
    const exact = { ...schema, $id: undefined, additionalProperties: false }
    assert.ok(ajv.validate(exact, each.body), `${each.raw} ${ajv.errorsText()}`)
    if (each.body.urls.location) {
      const { status } = await client.get(each.body.urls.location.replace('http://lectern.test', ''))
      assert.ok(status === 200 || each.body.type === 'member_added', each.raw)
    }
  }
  const [first, second] = receiver.received.filter(({ body }) => body.type === 'space_content_updated')
  assert.deepEqual(
    [first!.body.spaceId, first!.body.revisionId, first!.body.updatedBy, first!.body.actor.id],
    [space.id, edited.body.revision, [org.admin.id], org.admin.id],
  )
  assert.deepEqual(
    [second!.body.revisionId, second!.body.changeRequestId],
    [(await client.get(space.path)).body.revision, request.id],
  )
  const delivered = async () => (await deliveriesOf(client, webhook, '?status=delivered')).items
  await until('all answers are recorded', async () => (await delivered()).length === expected.length)
  const items = await delivered()
  assert.deepEqual([items[0].attempts.length, items[0].attempts[0].status], [1, 204])
})

test('every content change of a change request sends its revision, an update from main, too', async () => {
  const { org, client, receiver } = await aListenedOrganization({ events: ['change_request_content_updated'] })
  const space = await aLiveSpace(app, org)
  const request = await space.changeRequest()
  await request.edit(newPage('Mine'))
  await space.edit(newPage('Meanwhile'))
  const updated = await client.post(`${request.path}/update`)
  assert.equal(updated.body.result, 'update', updated.text)
  await until('both are there', () => receiver.received.length === 2)
  assert.equal(receiver.received[1]!.body.revisionId, updated.body.revision)
})

test('each of many events is sent once', async () => {
  const { org, receiver } = await aListenedOrganization()
  await app.db.run(sql`
    insert into changes (organization_id, id, action, target_type, target_id)
    select ${org.id}, gen_random_uuid(), 'member.updated', 'member', gen_random_uuid() from generate_series(1, 300)`)
  await until('all are there', () => receiver.received.length === 300)
  await sleep(100)
  assert.equal(new Set(receiver.received.map(({ body }) => body.eventId)).size, receiver.received.length)
})

test('a webhook gets the events it asked for, of its own organization, from when it was made', async () => {
  const { org, receiver } = await aListenedOrganization({ events: ['member_added'] })
  const other = await aListenedOrganization()
  const late = await aReceiver()
  await org.member('read')
  const webhook = await listen(org, late.url)
  const person = await org.member('read')
  await rename(org, person.id, 'edit')
  await until('the last one is there', () => late.types().includes('member_updated'))
  assert.deepEqual(receiver.types(), ['member_added', 'member_added'])
  assert.deepEqual(late.types(), ['member_added', 'member_updated'])
  assert.deepEqual(other.receiver.types(), [])
  assert.ok(isSignedWith(webhook.secret, late.received[0]!))
})

test('a webhook narrowed to spaces and sites gets the events about these and no others', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const [space, other] = [await aLiveSpace(app, org), await aLiveSpace(app, org)]
  const [site, otherSite] = [await aSite(app, {}, org), await aSite(app, {}, org)]
  const [ofSpace, ofSite, ofAll] = [await aReceiver(), await aReceiver(), await aReceiver()]
  await listen(org, ofSpace.url, { filter: { spaces: [space.id] } })
  await listen(org, ofSite.url, { filter: { sites: [site.id] } })
  await listen(org, ofAll.url, { filter: null })

  for (const each of [space, other]) {
    const request = await each.changeRequest()
    await client.post(`${request.path}/comments`, { body: { markdown: 'A remark' } })
    await each.edit(newPage('More'))
    await client.delete(each.path)
  }
  for (const each of [site, otherSite]) await client.post(`${each.path}/publish`)
  await org.member('read')

  await until('all are there', () => ofAll.received.length === 11)
  await until('those of the space', () => ofSpace.received.length === 4)
  await until('those of the site', () => ofSite.received.length === 1)
  const expected = ['change_request_created', 'comment_posted', 'space_content_updated', 'space_deleted']
  assert.deepEqual(ofSpace.types().toSorted(), expected)
  assert.ok(ofSpace.received.every(({ body }) => body.spaceId === space.id))
  assert.deepEqual(
    ofSite.received.map(({ body }) => [body.type, body.siteId]),
    [['site_published', site.id]],
  )
})

test('every change of a site is sent: of its settings, structure and look, its publication and its deletion', async () => {
  const { org, client, receiver } = await aListenedOrganization({ events: eventsOfSites })
  const site = await aSite(app, {}, org)
  const space = await aLiveSpace(app, org)
  const ok = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    assert.ok(status < 300, text)
  }
  await ok(client.patch(site.path, { title: 'Another' }))
  await ok(
    client.post(`${site.path}/redirects`, {
      source: '/old',
      destination: { kind: 'external', url: 'https://example.com' },
    }),
  )
  await ok(client.post(`${site.path}/share-links`, { name: 'Friends' }))
  await ok(client.post(`${site.path}/sections`, { spaceId: space.id }))
  const look = (await client.get(`${site.path}/customization`)).body
  await ok(client.put(`${site.path}/customization`, { ...look, title: 'Look' }))
  await ok(client.post(`${site.path}/publish`))
  await ok(client.post(`${site.path}/unpublish`))
  await ok(client.delete(site.path))

  await until('its end', () => receiver.types().includes('site_deleted'))
  const told = receiver.received.map(({ body }) => [body.type, body.fields])
  const kinds = new Set(receiver.types())
  assert.deepEqual([...kinds].toSorted(), eventsOfSites.toSorted())
  for (const fields of [['title'], ['redirects'], ['shareLinks']]) {
    assert.ok(
      told.some((each) => isDeepStrictEqual(each, ['site_updated', fields])),
      JSON.stringify(told),
    )
  }
  assert.ok(receiver.received.every(({ body }) => body.siteId === site.id))
  assert.equal(org.id, receiver.received[0]!.body.organization)
})

test('a failed delivery is sent again with the same bytes, and later events about the same object wait for it', async () => {
  const { org, client, receiver, webhook } = await aListenedOrganization({ events: ['member_updated'] })
  const answers = [500, 429, 'cut', 204, 204]
  receiver.answer = (_, response) => {
    const answer = answers.shift()
    if (answer === 'cut') response.destroy()
    else response.writeHead(Number(answer ?? 204)).end()
  }
  const person = await org.member('read')
  await rename(org, person.id, 'edit')
  await until('the first attempt', () => receiver.received.length > 0)
  await rename(org, person.id, 'review')
  await until('both are there', () => receiver.received.length >= 5)

  const ids = receiver.received.map(({ body }) => body.eventId)
  assert.deepEqual(
    ids.map((id) => ids.indexOf(id)),
    [0, 0, 0, 0, 4],
  )
  assert.equal(new Set(receiver.received.slice(0, 4).map(({ raw }) => raw)).size, 1)
  const [a, b, c] = receiver.received
  assert.ok(b!.at - a!.at >= 90 && c!.at - b!.at >= 180, 'each time it waits longer')
  await until('all is settled', async () => (await deliveriesOf(client, webhook, '?status=delivered')).count === 2)
  const { items } = await deliveriesOf(client, webhook)
  assert.deepEqual(
    items.at(-1).attempts.map(({ status, error }: any) => status ?? error),
    [500, 429, 'cannot be reached', 204],
  )
  assert.equal((await client.get(webhook.path)).body.failingSince, undefined)
})

test('a delivery answered with 410 or a redirect is not sent again, and the redirect is not followed', async () => {
  const { org, client, receiver, webhook } = await aListenedOrganization({ events: ['member_updated'] })
  const elsewhere = await aReceiver()
  const answers = [410, 302]
  receiver.answer = (_, response) => response.writeHead(answers.shift()!, { location: elsewhere.url }).end()
  const person = await org.member('read')
  await rename(org, person.id, 'edit')
  await rename(org, person.id, 'review')
  await until('both failed', async () => (await deliveriesOf(client, webhook, '?status=failed')).count === 2)
  assert.deepEqual([receiver.received.length, elsewhere.received.length], [2, 0])
})

test('a webhook does not reach a private address', async () => {
  const { org, client } = await aListenedOrganization()
  const webhook = await listen(org, 'http://127.0.0.2:9/')
  const { body } = await client.post(`${webhook.path}/test`)
  for (const sender of senders) sender.wake()
  const delivery = () => client.get(`${webhook.path}/deliveries/${body.id}`)
  await until('it failed', async () => (await delivery()).body.status === 'failed')
  assert.deepEqual(
    (await delivery()).body.attempts[0].error,
    'leads to an address that is not public (LECTERN_FETCH_ALLOW can open it)',
  )
})

test('slow receivers do not delay the others', async () => {
  const { org, receiver } = await aListenedOrganization()
  const waiting: ServerResponse[] = []
  const slow = await aReceiver((_, response) => void waiting.push(response))
  for (let i = 0; i < 6; i++) await listen(org, slow.url)
  const people = await Promise.all(Array.from({ length: 20 }, () => org.member('read')))
  await until('the slow ones are busy', () => slow.received.length > 60)
  await rename(org, people[0]!.id, 'edit')
  await until('it is there', () => receiver.types().includes('member_updated'))
  slow.answer = (_, response) => response.writeHead(204).end()
  for (const response of waiting) response.writeHead(204).end()
})

test('an event can be sent again with the same event id', async () => {
  const { org, client, receiver, webhook } = await aListenedOrganization()
  await org.member('read')
  await until('it is delivered', async () => (await deliveriesOf(client, webhook, '?status=delivered')).count === 1)
  const { items } = await deliveriesOf(client, webhook)
  const again = await client.post(`${items[0].urls.location.replace('http://lectern.test', '')}/replay`)
  assert.deepEqual([again.status, again.body.replayOf], [201, items[0].id])
  await until('it came again', () => receiver.received.length === 2)
  const [first, second] = receiver.received
  assert.equal(first!.raw, second!.raw)
  assert.notEqual(first!.headers['x-lectern-delivery'], second!.headers['x-lectern-delivery'])
})

test('after a change of the secret both secrets sign, until the former one is revoked', async () => {
  const { client, receiver, webhook } = await aListenedOrganization()
  const ping = async () => {
    const before = receiver.received.length
    await client.post(`${webhook.path}/test`)
    await until('the ping', () => receiver.received.length > before)
    return receiver.received.at(-1)!
  }
  assert.ok(isSignedWith(webhook.secret, await ping()))
  const { secret } = (await client.post(`${webhook.path}/secret`)).body
  const both = await ping()
  assert.deepEqual([isSignedWith(webhook.secret, both), isSignedWith(secret, both)], [true, true])
  const last = (await client.post(`${webhook.path}/secret`, { revokeFormer: true })).body.secret
  const one = await ping()
  assert.deepEqual([isSignedWith(secret, one), isSignedWith(last, one)], [false, true])
})

test('a webhook that fails for three days is switched off with a reason, and sends what waited once it is on again', async () => {
  const { org, client, receiver, webhook, person } = await aFailingWebhook()
  await app.db.run(sql`
    update webhooks set failing_since = now() - interval '3 days' where id = ${webhook.id}`)
  await until('it is off', async () => !(await client.get(webhook.path)).body.active)
  const { body } = await client.get(webhook.path)
  assert.equal(body.disabledReason, 'All deliveries failed for three days.')
  const { items } = (await client.get(`/v1/orgs/${org.id}/audit-events?action=webhook.disabled`)).body
  assert.deepEqual(
    items.map(({ target, payload }: any) => [target.id, payload.details.reason]),
    [[webhook.id, body.disabledReason]],
  )

  await rename(org, person.id, 'review')
  await putOff(webhook)
  const before = receiver.received.length
  receiver.answer = (_, response) => response.writeHead(204).end()
  const on = await client.patch(webhook.path, { active: true })
  assert.deepEqual([on.body.active, on.body.disabledReason, on.body.failingSince], [true, undefined, undefined])
  await until('what waited is sent', () => receiver.received.length > before)
  assert.equal(receiver.received[before]!.body.eventId, receiver.received[0]!.body.eventId)
})

test('a ping is sent at once even while its webhook pauses after failures', async () => {
  const { client, receiver, webhook } = await aFailingWebhook()
  await putOff(webhook)
  const { body } = await client.post(`${webhook.path}/test`)
  const delivery = () => client.get(`${webhook.path}/deliveries/${body.id}`)
  await until('it is told', async () => (await delivery()).body.status === 'failed')
  assert.ok(receiver.types().includes('ping'))
})

test("a delivery shows its next attempt, not before its webhook's pause is over, and none while the webhook is off", async () => {
  const { client, webhook } = await aFailingWebhook()
  await putOff(webhook)
  await app.db.run(sql`
    update webhook_deliveries set due_at = now() - interval '1 minute' where webhook_id = ${webhook.id}`)
  const next = async () => (await deliveriesOf(client, webhook)).items[0].nextAttemptAt
  await until('it waits for the end of the rest', async () => Date.parse(await next()) > Date.now() + 60_000)
  await client.patch(webhook.path, { active: false })
  assert.equal(await next(), undefined)
})

test('a failing webhook that gets another address sends there at once what was waiting', async () => {
  const { client, receiver, webhook } = await aFailingWebhook()
  await putOff(webhook)
  const right = await aReceiver()
  const changed = await client.patch(webhook.path, { url: right.url })
  assert.equal(changed.body.failingSince, undefined)
  await until('it is there', () => right.received.length === 1)
  assert.equal(right.received[0]!.body.eventId, receiver.received[0]!.body.eventId)
})

test('one failed attempt, long after the last one, does not switch a webhook off', async () => {
  const { org, client, receiver, webhook } = await aListenedOrganization({ events: ['member_updated'] })
  const answers = [500]
  receiver.answer = (_, response) => response.writeHead(answers.shift() ?? 204).end()
  await app.db.run(sql`
    update webhooks set failing_since = now() - interval '4 days', failed_attempts = 1 where id = ${webhook.id}`)
  const person = await org.member('read')
  await rename(org, person.id, 'edit')
  await until('it is taken', async () => (await deliveriesOf(client, webhook, '?status=delivered')).count === 1)
  const { active, failingSince } = (await client.get(webhook.path)).body
  assert.deepEqual([active, failingSince, receiver.received.length], [true, undefined, 2])
})

test('a delivery that a sender took and abandoned is tried again and shown like any other', async () => {
  const { client, webhook } = await aFailingWebhook()
  await app.db.run(sql`update webhook_deliveries set tries = tries + 1 where webhook_id = ${webhook.id}`)
  await until('the next attempt is told', async () => {
    const [delivery] = (await deliveriesOf(client, webhook)).items
    return delivery.attempts.length > 1 && 'nextAttemptAt' in delivery
  })
})

test('a webhook is switched off after fifty failed deliveries in a row', async () => {
  const { org, client, receiver, webhook } = await aListenedOrganization()
  receiver.answer = (_, response) => response.writeHead(400).end()
  await app.db.run(sql`update webhooks set failed_deliveries = 49 where id = ${webhook.id}`)
  await org.member('read')
  await until('it is off', async () => !(await client.get(webhook.path)).body.active)
  assert.equal((await client.get(webhook.path)).body.disabledReason, '50 deliveries in a row failed.')
})

test('a change that is rolled back is never sent, and one that commits late is sent', async () => {
  const { org, receiver } = await aListenedOrganization()
  const [one, two] = [await org.member('read'), await org.member('read')]
  await until('both', () => receiver.received.length === 2)
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const late = transaction(app.db, nobody, async (tx) => {
    await tx.run(sql`delete from members where organization_id = ${org.id} and user_id = ${two.id}`)
    await addMember(tx, { organizationId: org.id, userId: two.id, role: 'edit', sso: false })
    begun.resolve()
    await held.promise
  })
  await begun.promise
  await assert.rejects(
    transaction(app.db, nobody, async (tx) => {
      await tx.run(sql`delete from members where organization_id = ${org.id} and user_id = ${one.id}`)
      await addMember(tx, { organizationId: org.id, userId: one.id, role: 'edit', sso: false })
      throw new Error('no')
    }),
  )
  await rename(org, one.id, 'comment')
  await sleep(300)
  assert.equal(receiver.received.length, 2, 'it waits for whoever began before')
  held.resolve()
  await late
  await until('the rest', () => receiver.received.length === 4)
  await sleep(150)
  assert.deepEqual(receiver.types().slice(2).toSorted(), ['member_added', 'member_updated'])
})

const purgeNow = () => purgeDeliveries.run({ db: app.db, config: app.config, store: app.app.store, log: app.app.log })

test('old deliveries and those of deleted webhooks are purged, and nothing else', async () => {
  const { org, client, webhook, receiver } = await aListenedOrganization()
  const gone = await listen(org, receiver.url)
  await org.member('read')
  await org.member('read')
  await until('all are there', () => receiver.received.length === 4)
  await app.db.run(sql`
    update webhook_deliveries set created_at = now() - interval '31 days'
    where id = (select id from webhook_deliveries where webhook_id = ${webhook.id} limit 1)`)
  await client.delete(gone.path)
  await purgeNow()
  assert.equal((await deliveriesOf(client, webhook)).count, 1)
  const left = await app.db.all(sql`select from webhooks where id = ${gone.id}`)
  assert.equal(left.length, 0)
  for (const { promise, broken } of webhookInvariants) assert.equal((await app.db.one(broken)).count, 0, promise)
})

test('an event that waited for a failing delivery is sent once that delivery is purged', async () => {
  const { org, client, receiver, webhook, person } = await aFailingWebhook()
  await rename(org, person.id, 'comment')
  await until('it waits', async () => (await deliveriesOf(client, webhook, '?status=pending')).count === 2)
  await client.patch(webhook.path, { active: false })
  await app.db.run(sql`
    update webhook_deliveries set created_at = now() - interval '31 days' where webhook_id = ${webhook.id} and tries > 0`)
  await purgeNow()
  for (const { promise, broken } of webhookInvariants) assert.equal((await app.db.one(broken)).count, 0, promise)

  receiver.answer = (_, response) => response.writeHead(204).end()
  await client.patch(webhook.path, { active: true })
  await until('it is sent', async () => (await deliveriesOf(client, webhook, '?status=delivered')).count === 1)
  assert.equal((await deliveriesOf(client, webhook)).count, 1)
})
