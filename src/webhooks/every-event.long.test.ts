// Every type of event is delivered, as documented, with the URL of its object.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Ajv } from 'ajv'
import type { Answer } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { startGitServer } from '../../test/git-server.ts'
import { aSite } from '../../test/sites.ts'
import { until } from '../../test/until.ts'
import { sync } from '../git/testing/syncing.ts'
import { formats } from '../http/formats.ts'
import { petstore } from '../openapi/testing/petstore.ts'
import { putSpec } from '../openapi/testing/specs.ts'
import { eventDescriptions, eventTypes, ping } from './events.schema.ts'
import { WebhookSender } from './sender.ts'
import { type Received, aReceiver } from './testing/receiver.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const git = await startGitServer()
const sender = new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 100 })
sender.start()
after(() => sender.close())

const ok = async (answer: Promise<Answer>): Promise<any> => {
  const { status, body, text } = await answer
  assert.ok(status < 300, text)
  return body
}

test('each type of event is sent when it happens, as described, with a working URL of its object', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const receiver = await aReceiver()
  const webhook = await ok(client.post(`/v1/orgs/${org.id}/webhooks`, { url: receiver.url }))
  const come = (type: string) => until(type, () => receiver.types().includes(type))
  const leadsSomewhere = new Map<string, number>()
  /** Requests the URL before the next step, because the object may be gone by then. */
  const told = async (...types: string[]) => {
    for (const type of types) {
      await come(type)
      const { location } = receiver.received.findLast(({ body }) => body.type === type)!.body.urls
      if (location) leadsSomewhere.set(type, (await client.get(location.replace('http://lectern.test', ''))).status)
    }
  }

  const space = await aLiveSpace(app, org)
  await ok(space.edit(newPage('One')))
  await told('space_created', 'space_content_updated')
  await ok(client.patch(space.path, { title: 'Another' }))
  await told('space_updated')
  const request = await space.changeRequest()
  await told('change_request_created')
  await ok(request.edit(newPage('Two')))
  await ok(client.patch(request.path, { subject: 'Better', status: 'open' }))
  await told('change_request_content_updated', 'change_request_updated')
  const reviewer = await org.member('review')
  await told('member_added')
  await ok(client.post(`${request.path}/requested-reviewers`, { users: [reviewer.id] }))
  await ok(reviewer.client.post(`${request.path}/reviews`, { status: 'approved' }))
  await told('change_request_review_requested', 'change_request_reviewed')
  const comment = await ok(client.post(`${request.path}/comments`, { body: { markdown: 'Hm' } }))
  const comments = `${request.path}/comments/${comment.id}`
  await ok(client.put(comments, { resolved: true }))
  await told('comment_posted', 'comment_updated')
  const reply = await ok(client.post(`${comments}/replies`, { body: { markdown: 'Yes' } }))
  await ok(client.put(`${comments}/replies/${reply.id}`, { body: { markdown: 'No' } }))
  await told('comment_reply_posted', 'comment_reply_updated')
  await ok(client.delete(`${comments}/replies/${reply.id}`))
  await ok(client.delete(comments))
  await ok(client.patch(request.path, { status: 'archived' }))
  await told('comment_reply_deleted', 'comment_deleted', 'change_request_archived')
  await ok(client.patch(request.path, { status: 'open' }))
  await ok(client.post(`${request.path}/merge`))
  await told('change_request_merged')
  await ok(client.patch(`/v1/orgs/${org.id}/members/${reviewer.id}`, { role: 'edit' }))
  await told('member_updated')
  await ok(client.delete(`/v1/orgs/${org.id}/members/${reviewer.id}`))
  await told('member_removed')

  const site = await aSite(app, {}, org)
  await told('site_created', 'site_structure_updated')
  await ok(client.patch(site.path, { title: 'Another' }))
  await ok(client.put(`${site.path}/customization`, { title: 'Look' }))
  await told('site_updated', 'site_customization_updated')
  await ok(client.post(`${site.path}/publish`))
  await ok(client.post(`${site.path}/unpublish`))
  await told('site_published', 'site_unpublished')
  await ok(client.delete(site.path))
  await told('site_deleted')

  const specs = `/v1/orgs/${org.id}/openapi`
  await putSpec(client, org.id, 'shop', { text: JSON.stringify(petstore) })
  await told('openapi_spec_created', 'openapi_spec_version_created')
  await putSpec(client, org.id, 'shop', { text: 'no specification' })
  await told('openapi_spec_updated', 'openapi_spec_failed')
  await ok(client.delete(`${specs}/shop`))
  await told('openapi_spec_deleted')

  const repository = await git.repository('told', { 'README.md': '# One\n' })
  await sync(client, `${space.path}/git/import`, { url: repository.url, ref: 'refs/heads/main', force: true })
  await told('space_gitsync_started', 'space_gitsync_completed')
  await ok(client.delete(space.path))
  await told('space_deleted')
  await ok(client.post(`${space.path}/restore`))
  await told('space_restored')
  await ok(client.post(`/v1/orgs/${org.id}/webhooks/${webhook.id}/test`))
  await told(ping)

  assert.deepEqual([...new Set(receiver.types())].toSorted(), [...eventTypes, ping].toSorted())
  for (const each of receiver.received) isAsDescribed(each)
  const withoutPlace = [...eventTypes].filter((type) => !leadsSomewhere.has(type))
  assert.ok(
    withoutPlace.every((type) => /_(?:deleted|removed)$/.test(type)),
    withoutPlace.join(),
  )
  assert.deepEqual(
    [...leadsSomewhere].filter(([, status]) => status !== 200),
    [],
  )
})

const ajv = new Ajv({ strict: false })
for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)

function isAsDescribed({ body, raw }: Received): void {
  const { schema } = eventDescriptions.find(({ type }) => type === body.type)!
  const exact = { ...schema, $id: undefined, additionalProperties: false }
  assert.ok(ajv.validate(exact, body), `${raw} ${ajv.errorsText()}`)
}
