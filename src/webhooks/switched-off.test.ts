import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { until } from '../../test/until.ts'
import { sql } from '../db/sql.ts'
import { Mailer } from '../mail/mailer.ts'
import { startMailServer } from '../mail/testing/mail-server.ts'
import { WebhookSender } from './sender.ts'
import { settle } from './settle.ts'
import { takeDue } from './sending.queries.ts'
import { aReceiver, isSignedWith } from './testing/receiver.ts'

const mailServer = await startMailServer()
const app = await startApp({
  LECTERN_FETCH_ALLOW: '127.0.0.1',
  LECTERN_SMTP_URL: mailServer.url,
  LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>',
})
const mailer = new Mailer(app.app, { everyMs: 20, firstRetrySeconds: 0.02, quietSeconds: 0 })
mailer.start()
after(() => mailer.close())

/** An organization with a webhook that is turned off after one more failed delivery. */
async function aWebhookAboutToStop(org?: TestOrganization) {
  org ??= await anOrganization(app)
  const receiver = await aReceiver((_, response) => response.writeHead(400).end())
  const made = await org.admin.client.post(`/v1/orgs/${org.id}/webhooks`, {
    url: `${receiver.url}?key=s3cret`,
    title: 'Builds',
    events: ['member_added'],
  })
  assert.equal(made.status, 201, made.text)
  await app.db.run(sql`update webhooks set failed_deliveries = 49 where id = ${made.body.id}`)
  return { org, webhook: { id: made.body.id, path: `/v1/orgs/${org.id}/webhooks/${made.body.id}` } }
}

const settled = () => until('all mail is sent', async () => (await app.db.all(sql`select from mails`)).length === 0)

test('administrators get one mail about a webhook that was switched off, unless they muted it, and others get none', async () => {
  const org = await anOrganization(app)
  const [second, muted] = [await org.member('admin'), await org.member('admin')]
  const { webhook } = await aWebhookAboutToStop(org)
  const reader = await org.member('read')
  await app.db.run(sql`insert into muted_mail (user_id, kind) values (${muted.id}, 'webhook-disabled')`)
  const sender = new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 100 })
  sender.start()
  await until('it is off', async () => !(await org.admin.client.get(webhook.path)).body.active)
  await sender.close()

  const mail = await mailServer.next(org.admin.user.email)
  assert.equal(mail.subject, `Webhook turned off: Builds (${org.row.title})`)
  assert.match(mail.text, /was turned off\. 50 deliveries in a row failed\./)
  assert.ok(mail.text.includes(`http://lectern.test/app/o/${org.id}/webhooks/${webhook.id}`))
  assert.ok(!mail.text.includes('s3cret') && !mail.html.includes('s3cret'))
  assert.match(mail.headers, /^List-Unsubscribe: /m)
  await mailServer.next(second.user.email)
  await settled()
  const told = [org.admin, second, muted, reader].map(
    ({ user }) => mailServer.mails.filter(({ to }) => to === user.email).length,
  )
  assert.deepEqual(told, [1, 1, 0, 0])
})

test('a delivery in progress when its webhook is switched off does not switch it off again', async () => {
  const { org, webhook } = await aWebhookAboutToStop()
  const { client } = org.admin
  await client.post(`${webhook.path}/test`)
  const [delivery] = await takeDue(app.db, { limit: 1, usually: 1, busy: [] })
  assert.equal(delivery!.webhook_id, webhook.id)
  const outcome = {
    delivery: { ...delivery!, type: 'member_added' },
    attempt: { at: new Date().toISOString(), ms: 1, status: 400 },
    result: 'refused' as const,
  }
  for (const _ of [1, 2]) await settle(app.app, [outcome], 100)
  assert.equal((await client.get(webhook.path)).body.disabledReason, '50 deliveries in a row failed.')
  const events = await client.get(`/v1/orgs/${org.id}/audit-events?action=webhook.disabled`)
  assert.equal(events.body.items.length, 1)

  await client.patch(webhook.path, { active: true })
  await client.patch(webhook.path, { active: false })
  await app.db.run(sql`update webhooks set failed_deliveries = 49 where id = ${webhook.id}`)
  await settle(app.app, [outcome], 100)
  assert.equal((await client.get(webhook.path)).body.disabledReason, undefined, 'somebody switched it off')
})

test('events that happen while a webhook is off are not sent once it is on again', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const receiver = await aReceiver()
  const made = await client.post(`/v1/orgs/${org.id}/webhooks`, { url: receiver.url, events: ['member_added'] })
  const path = `/v1/orgs/${org.id}/webhooks/${made.body.id}`
  const sender = new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 100 })
  sender.start()
  await org.member('read')
  await until('it listens', () => receiver.received.length === 1)

  await client.patch(path, { active: false })
  const meanwhile = await org.member('read')
  // Changing the title neither resets since when it listens nor stops it.
  await client.patch(path, { active: true, title: 'Builds' })
  const later = await org.member('read')
  await client.patch(path, { title: 'Tests' })
  await until('the last one', () => receiver.received.some(({ body }) => body.userId === later.id))
  await sender.close()
  assert.ok(!receiver.received.some(({ body }) => body.userId === meanwhile.id))
})

test('a node whose clock is days ahead neither switches a webhook off nor forgets its former secret', async (t) => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const receiver = await aReceiver((_, response) => response.writeHead(500).end())
  const made = (await client.post(`/v1/orgs/${org.id}/webhooks`, { url: receiver.url, events: ['member_added'] })).body
  const path = `/v1/orgs/${org.id}/webhooks/${made.id}`
  const { secret } = (await client.post(`${path}/secret`)).body
  await app.db.run(sql`
    update webhooks set failing_since = now() - interval '1 hour', failed_attempts = 1 where id = ${made.id}`)
  await org.member('read')

  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 4 * 24 * 3_600_000 })
  const sender = new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 1 })
  sender.start()
  const isOff = async () => !(await client.get(path)).body.active
  await until('it was tried hard', async () => receiver.received.length > 6 || isOff())
  await sender.close()
  const { active, failingSince, formerSecretUntil } = (await client.get(path)).body
  const [first] = receiver.received
  const isSigned = [made.secret, secret].map((each) => isSignedWith(each, first!))
  t.mock.timers.reset()
  assert.deepEqual([active, isSigned], [true, [true, true]])
  assert.ok(Date.parse(failingSince) < Date.now() && Date.parse(formerSecretUntil) > Date.now())
})
