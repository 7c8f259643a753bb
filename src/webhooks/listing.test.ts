// What became of events, as an administrator of a webhook sees it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { until } from '../../test/until.ts'
import { expect } from '../../test/visitor.ts'
import { WebhookSender } from './sender.ts'
import { aReceiver } from './testing/receiver.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

test('deliveries are listed newest first, even for events at nearly the same time', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const receiver = await aReceiver()
  const wanted = { url: receiver.url, events: ['member_updated'] }
  const { id } = expect(await client.post(`/v1/orgs/${org.id}/webhooks`, wanted), 201)
  const person = await org.member('read')
  for (let n = 0; n < 12; n++) {
    const role = n % 2 === 0 ? 'edit' : 'read'
    expect(await client.patch(`/v1/orgs/${org.id}/members/${person.id}`, { role }), 200)
  }
  // From here on, all of them are read from the record in one batch.
  const sender = new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 100 })
  sender.start()
  after(() => sender.close())

  await until('all have come', () => receiver.received.length === 12)
  const { items } = expect(await client.get(`/v1/orgs/${org.id}/webhooks/${id}/deliveries`), 200)
  assert.deepEqual(
    items.map(({ eventId }: { eventId: string }) => eventId),
    receiver.received.map(({ body }) => body.eventId).toReversed(),
  )
})
