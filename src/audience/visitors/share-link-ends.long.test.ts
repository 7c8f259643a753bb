// A share link that has expired behaves for everybody and everywhere like one that is switched off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../../test/app.ts'
import { newPage } from '../../../test/editing.ts'
import { png } from '../../../test/every-content.ts'
import { type TestSite, aSite, expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { anotherNode } from '../testing/another-node.ts'

const app = await startApp()
const main = 'http://lectern.test'
const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString()

async function aSharedSite() {
  const site = await aSite(app, { visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'One', expiresAt: tomorrow() }), 201)
  const key = new URL(link.urls.published).pathname.split('/').at(-2)!
  const change = (body: object) => site.who.patch(`${site.path}/share-links/${link.id}`, body)
  return { site, link, key, change, headers: { cookie: `lectern-share-${site.id}=${key}` } }
}

/** Moves the end of the share links, as if time had passed. The other node is not told. */
async function moveEnd(site: TestSite, secondsFromNow: number): Promise<void> {
  await app.db.run(sql`
    update share_links set expires_at = now() + make_interval(secs => ${secondsFromNow}) where site_id = ${site.id}`)
  app.app.audience.snapshots.forget(site.id)
}

test('an expired share link is answered like one switched off: pages, files, search, PDF, assistants, the API', async () => {
  const { site, link, key, change, headers } = await aSharedSite()
  const files = [{ name: 'a.png', base64: png, contentType: 'image/png' }]
  const [file] = expect(await site.space.edit({ operation: 'insert_files', files }), 200).insertedFiles
  expect(
    await site.space.edit(newPage('Picture', { document: { markdown: `# Picture\n\n![](${file.downloadURL})\n` } })),
    200,
  )
  const destination = { kind: 'site-space', siteSpaceId: site.siteSpaceId }
  expect(await site.who.post(`${site.path}/redirects`, { source: '/old', destination }), 201)
  const drawn = await site.browser().get(`${site.address}picture`, { headers })
  const picture = /src="([^"]*a\.png[^"]*)"/.exec(drawn.text)![1]!
  const { apiToken } = expect(await site.who.post('/v1/urls/published', { url: `${main}${site.address}${key}/` }), 200)
  const reader = app.client(apiToken, [site.org.canary])

  const below = ['', 'guide', 'guide.md', 'old', 'nothing', 'sitemap.xml', 'robots.txt', 'llms.txt', 'llms-full.txt']
  const paths = [...below, 'rss.xml', '~/search?q=guide', '~/pdf', `${key}/`, `${key}/guide`].map(
    (each) => site.address + each,
  )
  const parts = ['structure', 'published', 'site-spaces']
  const asked = [...parts, 'redirect?source=%2Fold'].map((each) => `${site.path}/${each}`)
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const mcp = async (path: string) => {
    const { statusCode, payload } = await app.app.inject({
      method: 'POST',
      url: site.address + path,
      headers: { ...headers, host: 'lectern.test', 'content-type': 'application/json' },
      payload: JSON.stringify(message),
    })
    return [statusCode, payload]
  }
  const answers = async () => ({
    pages: await Promise.all(
      [...paths, picture].map(async (path) => {
        const { status, text, location } = await site.browser().get(path, { headers })
        return [path, status, text, location]
      }),
    ),
    assistants: [await mcp('~/mcp'), await mcp(`${key}/~/mcp`)],
    addresses: await Promise.all(
      [...asked, site.space.path].map(async (path) => {
        const { status, body } = await site.who.get(`${path}${path.includes('?') ? '&' : '?'}shareKey=${key}`)
        return [path, status, body]
      }),
    ),
    lookup: (await site.who.post('/v1/urls/published', { url: `${main}${site.address}${key}/guide` })).status,
    reader: (await reader.get(`/v1/spaces/${site.space.id}/content/path/guide`)).status,
    search: (await reader.post(`${site.path}/search`, { query: 'guide' })).status,
  })
  const open = await answers()
  const opened = open.pages.filter(([, status]) => status === 200).map(([path]) => path)
  for (const each of ['', 'guide', 'guide.md', '~/search?q=guide', '~/pdf'])
    assert.ok(opened.includes(site.address + each), each)
  assert.deepEqual([opened.includes(picture), open.lookup, open.reader, open.search], [true, 200, 200, 200])
  assert.ok(JSON.stringify(open.addresses).split(key).length > asked.length)

  expect(await change({ active: false }), 200)
  const off = await answers()
  assert.notDeepEqual(off, open)
  assert.deepEqual(
    off.pages.filter(([, status]) => status === 200),
    [],
  )
  expect(await change({ active: true }), 200)
  assert.equal((await site.browser().get(site.address, { headers })).status, 200)

  await moveEnd(site, -3600)
  assert.deepEqual(await answers(), off)
  expect(await change({ expiresAt: tomorrow() }), 200)
  assert.equal((await site.browser().get(site.address, { headers })).status, 200)
  assert.equal((await reader.get(`/v1/spaces/${site.space.id}/content/path/guide`)).status, 200)
  assert.ok(link.id)
})

test('a share link expires on every node at its time, even if nothing on the site changes', async () => {
  const { site, headers } = await aSharedSite()
  const second = await anotherNode(app)
  const nodes = [site.browser(), second.browser]
  const statuses = () => Promise.all(nodes.map(async (node) => (await node.get(site.address, { headers })).status))
  const version = async () =>
    (await app.db.one(sql<{ version: number }>`select version from sites where id = ${site.id}`)).version
  assert.deepEqual(await statuses(), [200, 200])
  const before = await version()
  // From here on, both nodes have a snapshot that was read while the link was still open.
  await moveEnd(site, 2)
  second.app.audience.snapshots.forget(site.id)
  const startedAt = performance.now()
  for (let seen = await statuses(); seen.some((status) => status !== 404); seen = await statuses()) {
    assert.ok(performance.now() - startedAt < 20_000, 'It is still open')
    await sleep(20)
  }
  assert.equal(await version(), before)
})

const days = (count: number) => count * 24 * 3_600_000

for (const [name, shiftMs] of [
  ['fast', days(400)],
  ['slow', -days(400)],
] as const) {
  test(`expiry of share links is judged by the clock of the database: a node that is ${name} changes nothing`, async (t) => {
    const { site, link, change, headers } = await aSharedSite()
    const open = async () => (await site.browser().get(site.address, { headers })).status
    const followed = async () => (await site.browser().get(new URL(link.urls.published).pathname)).status
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const [past, future] = [at(-60_000), at(days(1))]
    assert.equal(await open(), 200)

    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + shiftMs })
    assert.deepEqual([await open(), await followed()], [200, 307])
    const add = (expiresAt: string) => site.who.post(`${site.path}/share-links`, { name: 'Two', expiresAt })
    assert.deepEqual([(await add(past)).status, (await add(future)).status], [400, 201])
    assert.deepEqual(
      [(await change({ expiresAt: past })).status, (await change({ expiresAt: future })).status],
      [400, 200],
    )
    assert.deepEqual([await open(), await followed()], [200, 307])

    await moveEnd(site, -60)
    assert.deepEqual([await open(), await followed()], [404, 404])
    await moveEnd(site, 60)
    assert.deepEqual([await open(), await followed()], [200, 307])
  })
}

test('a share link that a node has read expires at its time although the clock of the node is set back', async (t) => {
  const { site, headers } = await aSharedSite()
  const open = async () => (await site.browser().get(site.address, { headers })).status
  await moveEnd(site, 2)
  assert.equal(await open(), 200)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - days(400) })
  const { left } = await app.db.one(sql<{ left: number }>`
    select extract(epoch from expires_at - clock_timestamp())::float8 as left from share_links
    where site_id = ${site.id}`)
  await sleep(Math.max(0, left) * 1000 + 50)
  assert.equal(await open(), 404)
})

test('an expired share link closes no other share link', async () => {
  const { site, link, headers } = await aSharedSite()
  const other = expect(await site.who.post(`${site.path}/share-links`, { name: 'Two' }), 201)
  const key = new URL(other.urls.published).pathname.split('/').at(-2)!
  await app.db.run(sql`update share_links set expires_at = now() - interval '1 day' where id = ${link.id}`)
  app.app.audience.snapshots.forget(site.id)
  const withKey = { cookie: `lectern-share-${site.id}=${key}` }
  assert.equal((await site.browser().get(site.address, { headers: withKey })).status, 200)
  assert.equal((await site.browser().get(site.address, { headers })).status, 404)
})
