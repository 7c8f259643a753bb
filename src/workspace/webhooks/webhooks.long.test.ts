// The webhooks of an organization, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { until } from '../../../test/until.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { WebhookSender } from '../../webhooks/sender.ts'
import { aReceiver, isSignedWith } from '../../webhooks/testing/receiver.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

async function aHouse() {
  const org = await anOrganization(app)
  const path = `/app/o/${org.id}/webhooks`
  const admin = await signedIn(app, org.admin)
  const all = { title: '', which: 'all', about: 'all' }
  const make = async (fields: Record<string, string>, page?: Page) =>
    admin.submit(page ?? (await admin.get(path)), path, { ...all, ...fields })
  const api = `/v1/orgs/${org.id}/webhooks`
  const listed = async () => expect(await org.admin.client.get(api), 200).items
  return { org, path, admin, make, api, listed }
}

const secretIn = ({ text }: Page) => /<code>(lwh_[^<]+)<\/code>/.exec(text)?.[1]
const ownPath = ({ text }: Page) => /action="([^"]+)\/switch"/.exec(text)![1]!

test('a webhook test shows what was answered and when, and a failed delivery can be sent again', async () => {
  const receiver = await aReceiver((_, response) => response.writeHead(410).end())
  const { admin, make } = await aHouse()
  const made = await make({ address: receiver.url })
  const own = ownPath(made)
  const sender = new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 100 })
  sender.start()
  const sent = await admin.submit(made, `${own}/test`)
  assert.equal(sent.location, `${own}?done=tested`)
  await until('it is refused', async () => (await admin.get(own)).text.includes('data-tone="danger">failed'))
  const page = await admin.follow(sent)
  assert.match(page.text, /Test sent\.[^]*A test of a webhook[^]*<time[^]*answered 410 after [\d,]+ ms/)
  assert.ok(isSignedWith(secretIn(made)!, receiver.received[0]!))

  receiver.answer = (_, response) => response.writeHead(204).end()
  await admin.submit(page, `${own}/again`)
  await until('it is taken', async () => (await admin.get(own)).text.includes('data-tone="success">delivered'))
  const [first, second] = receiver.received
  assert.deepEqual([receiver.received.length, second!.body.eventId], [2, first!.body.eventId])
  await sender.close()
  const failed = await admin.get(`${own}?status=failed`)
  assert.doesNotMatch(failed.text, /data-tone="success">delivered/)
})

test('the webhook page waits only for the first answer to a test, so retries do not block repairing it', async () => {
  const { org, admin, make } = await aHouse()
  const made = await make({ address: 'https://example.org/' })
  const own = ownPath(made)
  const waits = async () => {
    const { text } = await admin.get(`${own}?done=tested`)
    return [text.includes('http-equiv="refresh"'), !text.includes(`action="${own}/change"`)]
  }
  const sent = await admin.follow(await admin.submit(made, `${own}/test`))
  assert.match(sent.text, /http-equiv="refresh"/)
  const attempts = JSON.stringify([{ at: new Date().toISOString(), ms: 9, status: 500 }])
  await app.db.run(
    sql`update webhook_deliveries set tries = 1, attempts = ${attempts}::jsonb where organization_id = ${org.id}`,
  )
  assert.deepEqual(await waits(), [false, false])
  await app.db.run(sql`
    update webhook_deliveries set tries = 0, attempts = '[]', created_at = now() - interval '1 minute'
    where organization_id = ${org.id}`)
  assert.deepEqual(await waits(), [false, false], 'nobody sends it at the moment')
})

test('an administrator creates one webhook despite repeated clicks, and later pages do not show its secret', async () => {
  const { org, path, admin, make, api, listed } = await aHouse()
  assert.ok((await admin.get(`/app/o/${org.id}/settings`)).text.includes(`href="${path}"`))
  const page = await admin.get(path)
  const address = 'https://example.org/events?a=b&c'
  const fields = { address, which: 'some', 'event-site_published': 'on', 'event-member_added': 'on' }
  const [one, two] = await Promise.all([1, 2].map(() => make(fields, page)))
  assert.deepEqual([one!.status, secretIn(one!)], [200, secretIn(two!)])
  const [made, ...others] = await listed()
  assert.deepEqual([others, made.url, made.title], [[], address, 'example.org'])
  assert.deepEqual(made.events.toSorted(), ['member_added', 'site_published'])
  assert.equal(secretIn(one!), expect(await org.admin.client.get(`${api}/${made.id}`), 200).secret)
  for (const each of [path, `${path}/${made.id}`]) {
    const { text } = await admin.get(each)
    assert.ok(text.includes('https://example.org/events?a=b&amp;c') && !text.includes('lwh_'), each)
  }

  const own = `${path}/${made.id}`
  const renewed = await admin.submit(await admin.get(own), `${own}/secret`)
  const now = expect(await org.admin.client.get(`${api}/${made.id}`), 200)
  assert.deepEqual([secretIn(renewed), now.formerSecretUntil !== undefined], [now.secret, true])
  assert.notEqual(secretIn(renewed), secretIn(one!))
  const reloaded = await make(fields, page)
  assert.deepEqual(
    [reloaded.text.includes('lwh_'), /role="alert">[^<]*created another secret/.test(reloaded.text)],
    [false, true],
  )
  await admin.submit(await admin.get(own), `${own}/secret`, { revoke: 'on' })
  assert.equal(expect(await org.admin.client.get(`${api}/${made.id}`), 200).formerSecretUntil, undefined)
})

test('a webhook can be turned off and on, says why it was turned off automatically, and sends no test while off', async () => {
  const { admin, make, listed } = await aHouse()
  const made = await make({ address: 'https://example.org/' })
  const own = ownPath(made)
  const off = await admin.follow(await admin.submit(made, `${own}/switch`))
  assert.match(off.text, /Turned off.[^]*data-tone="plain">off[^]*Turn on/)
  const tested = await admin.post(`${own}/test`, tokenIn(off))
  assert.deepEqual([tested.status, /role="alert">[^<]*Turn it on first/.test(tested.text)], [409, true])
  await admin.submit(off, `${own}/switch`)
  assert.equal((await listed())[0].active, true)
  await admin.submit(made, `${own}/switch`)
  assert.equal((await listed())[0].active, false, 'whoever goes back to a page has what they click there')
  await admin.submit(off, `${own}/switch`)
  await app.db.run(sql`
    update webhooks set active = false, disabled_reason = '50 deliveries in a row failed.' where id = ${own.slice(-36)}`)
  for (const each of [own, own.slice(0, -37)])
    assert.match((await admin.get(each)).text, /(?=[^]*turned off after failures)[^]*50 deliveries in a row failed\./)
  await admin.submit(await admin.get(own), `${own}/switch`)
  assert.deepEqual([(await listed())[0].active, (await listed())[0].disabledReason], [true, undefined])
})

test('a webhook is changed only from a current form, keeps filters set by the API, and is deleted after a confirmation', async () => {
  const { org, path, admin, make, api, listed } = await aHouse()
  const space = expect(await org.admin.client.post(`/v1/orgs/${org.id}/spaces`, { title: 'Tea' }), 201).id
  const own = ownPath(await make({ address: 'https://example.org/', title: 'Builds' }))
  const site = expect(await org.admin.client.post(`/v1/orgs/${org.id}/sites`, { title: 'Drinks & more' }), 201).id
  const filter = { spaces: [space], sites: [site] }
  expect(await org.admin.client.patch(own.replace(path, api), { filter }), 200)
  const page = await admin.get(own)
  const about = [`the space <a href="/app/o/${org.id}/s/${space}">Tea</a>`, `the site <a href="/app/o/${org.id}/sites/${site}">Drinks &amp; more</a>`] // prettier-ignore
  assert.ok(page.text.includes(`Every event, only of ${about.join(', ')}.`))
  const change = (from: Page, fields: Record<string, string>) =>
    admin.submit(from, `${own}/change`, {
      address: 'https://example.org/',
      title: 'Builds',
      which: 'all',
      about: 'some',
      [`space-${space}`]: 'on',
      [`site-${site}`]: 'on',
      ...fields,
    })
  await change(page, { title: 'Tests', which: 'some', 'event-comment_posted': 'on' })
  const [{ title, events, filter: kept }] = await listed()
  assert.deepEqual([title, events, kept], ['Tests', ['comment_posted'], filter])
  const late = await change(page, { title: 'Late <b>' })
  assert.match(late.text, /role="alert">Somebody has changed this webhook[^]*value="Late &lt;b&gt;"/)
  assert.deepEqual([late.status, (await listed())[0].title], [409, 'Tests'])
  assert.match(late.text, /Delete “Tests”\?/)
  await change(late, { title: '', address: 'https://other.example:8443/' })
  assert.equal((await listed())[0].title, 'other.example:8443')
  const deleted = await admin.submit(late, `${own}/delete`)
  assert.equal((await admin.submit(late, `${own}/delete`)).location, deleted.location)
  const gone = await admin.follow(deleted)
  assert.match(gone.text, /Webhook deleted[^]*None yet/)
  assert.deepEqual(await listed(), [])
})

test('an administrator chooses the spaces and sites whose events are sent, and a chosen space stays while in the trash', async () => {
  const { org, path, admin, make, api, listed } = await aHouse()
  const { client } = org.admin
  const [tea, coffee] = await Promise.all(
    ['Tea & more', 'Coffee'].map(async (title) =>
      expect(await client.post(`/v1/orgs/${org.id}/spaces`, { title }), 201),
    ),
  )
  const site = expect(await client.post(`/v1/orgs/${org.id}/sites`, { title: 'Drinks' }), 201)
  const titles = ({ text }: Page) => [...text.matchAll(/<span dir="auto">([^<]+)<\/span>/g)].map((match) => match[1])
  assert.deepEqual(titles(await admin.get(path)), ['Coffee', 'Tea &amp; more', 'Drinks'])
  const both = { about: 'some', [`space-${tea.id}`]: 'on', [`site-${site.id}`]: 'on' }
  const made = await make({ address: 'https://example.org/', ...both })
  const filterNow = async () => (await listed())[0].filter
  assert.deepEqual(await filterNow(), { spaces: [tea.id], sites: [site.id] })
  const own = ownPath(made)
  const chosen = ({ text }: Page) =>
    [...text.matchAll(/name="(?:space|site)-([^"]+)" value="on" checked/g)].map((match) => match[1])
  assert.deepEqual(chosen(await admin.get(own)), [tea.id, site.id])

  expect(await client.delete(`/v1/spaces/${tea.id}`), 205)
  const change = async (fields: Record<string, string>) =>
    admin.submit(await admin.get(own), `${own}/change`, { address: 'https://example.org/', which: 'all', ...fields })
  await change({ title: 'Builds', about: 'some', [`site-${site.id}`]: 'on' })
  assert.deepEqual(await filterNow(), { spaces: [tea.id], sites: [site.id] })
  await change({ title: 'Builds', about: 'some', [`space-${coffee.id}`]: 'on' })
  assert.deepEqual(await filterNow(), { spaces: [coffee.id, tea.id], sites: [] })
  await change({ title: 'Tests', about: 'some' })
  assert.deepEqual(await filterNow(), { spaces: [tea.id], sites: [] })
  assert.equal((await listed())[0].title, 'Tests')
  await change({ title: 'Tests', about: 'all' })
  assert.equal(await filterNow(), null)
  const seen = expect(await client.get(`${api}/${own.split('/').at(-1)}`), 200)
  assert.equal(seen.filter, null)
})

test('the webhook form accepts as many spaces, sites and events as a webhook can have', async () => {
  const { org, admin, make, api, listed } = await aHouse()
  const { client } = org.admin
  const ids = Array.from({ length: 100 }, () => newId())
  await app.db.run(sql`
    insert into spaces (organization_id, id, title, position)
    select ${org.id}, id, 'Space', id::text from unnest(${ids}::uuid[]) id`)
  const { id: siteId } = expect(await client.post(`/v1/orgs/${org.id}/sites`, { title: 'Docs' }), 201)
  const all = [...ids.map((id) => `space-${id}`), `site-${siteId}`]
  const events = [...(await admin.get(`/app/o/${org.id}/webhooks`)).text.matchAll(/name="(event-[^"]+)"/g)]
  const chosen = Object.fromEntries([...all, ...events.map(([, name]) => name!)].map((name) => [name, 'on']))
  const made = await make({ address: 'https://example.org/', which: 'some', about: 'some', ...chosen })
  assert.equal(made.status, 200, made.text)
  const [webhook] = await listed()
  assert.deepEqual([webhook.filter.spaces.length, webhook.filter.sites], [100, [siteId]])
  assert.equal(webhook.events.length, events.length)

  const own = ownPath(made)
  const fields = { title: 'Builds', address: 'https://example.org/', which: 'some', about: 'some', ...chosen }
  const changed = await admin.submit(await admin.get(own), `${own}/change`, fields)
  assert.equal(changed.location, `${own}?done=changed`, changed.text)
  assert.equal(expect(await client.get(`${api}/${webhook.id}`), 200).title, 'Builds')
})

test('a far too long webhook address is refused on the form, which keeps all of it in its field', async () => {
  const { make, listed } = await aHouse()
  const address = `https://example.org/${'x'.repeat(20_000)}`
  const refused = await make({ address })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /role="alert">The address/)
  assert.ok(refused.text.includes(`value="${address}"`))
  assert.deepEqual(await listed(), [])
})

test('an invalid webhook is refused and kept in the form, and only administrators can create or see webhooks', async () => {
  const { org, path, admin, make } = await aHouse()
  const own = ownPath(await make({ address: 'https://example.org/', title: 'Builds' }))
  const creator = await signedIn(app, await org.member('create'))
  const stranger = await signedIn(app, await aStranger(app))
  const before = await stateOf(app.db)
  for (const [fields, reason] of [
    [{ address: 'ftp://example.org/' }, 'The address must be an address that starts with'],
    [{ address: 'https://me:pass@example.org/' }, 'The address must not contain a user'],
    [{ address: 'https://example.com/', which: 'some' }, 'Choose at least one event'],
    [{ address: 'https://example.com/', which: 'some', 'event-tea': 'on' }, 'Choose at least one event'],
    [{ address: 'https://example.com/', which: '' }, 'Choose which events'],
    [{ address: 'https://example.com/', about: '' }, 'Choose the spaces and sites whose events'],
    [{ address: 'https://example.com/', about: 'some' }, 'Choose at least one space or site'],
    [{ address: 'https://example.com/', about: 'some', [`space-${newId()}`]: 'on' }, 'no longer exists'],
    [{ address: 'https://example.com/', about: 'some', 'site-x': 'on' }, 'no longer exists'],
    [{ address: 'https://example.com/', title: 'x'.repeat(101) }, 'The title: at most 100 characters'],
  ] as [Record<string, string>, string][]) {
    const both = [
      await make(fields),
      await admin.submit(await admin.get(own), `${own}/change`, { which: 'all', about: 'all', ...fields }),
    ]
    for (const { status, text } of both) {
      assert.ok(status === 400 || status === 409, reason)
      assert.match(text, new RegExp(`role="alert">[^<]*${reason}`))
      assert.ok(text.includes(`value="${fields.address}"`) && text.includes(`value="${fields.title ?? ''}"`), reason)
    }
  }
  const nothing = (await new Person(app).get('/app/x')).text
  const form = tokenIn(await creator.get('/account'))
  assert.equal((await admin.get(`${path}/${newId()}`)).text, nothing)
  for (const each of [path, own]) {
    assert.equal((await creator.get(each)).location, `/app/o/${org.id}`)
    assert.equal((await stranger.get(each)).text, nothing)
  }
  const forms = ['test', 'again', 'switch', 'change', 'secret', 'delete'].map((each) => `${own}/${each}`)
  for (const each of [path, ...forms]) {
    assert.equal((await creator.post(each, { ...form, to: 'off' })).status, 403, each)
    assert.equal((await admin.post(each, { form: 'x.x', to: 'off' })).status, 403, each)
  }
  assert.equal(await stateOf(app.db), before)
})
