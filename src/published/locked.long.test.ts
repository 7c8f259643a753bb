// Share links that require a password: without it they open nothing, whichever way it is tried.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestApp, startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { png } from '../../test/every-content.ts'
import { type Browser, type TestSite, aSite, expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { anotherNode } from '../audience/testing/another-node.ts'

const app = await startApp()
const main = 'http://lectern.test'
const password = 'correct hörse'

async function aLockedSite(of: TestApp = app) {
  const site = await aSite(of, { visibility: 'share-link' })
  const links = `${site.path}/share-links`
  const link = expect(await site.who.post(links, { name: 'Press', password }), 201)
  const { pathname } = new URL(link.urls.published)
  const key = pathname.split('/').at(-2)!
  const change = async (body: object) => expect(await site.who.patch(`${links}/${link.id}`, body), 200)
  const open = (browser: Browser, fields: Record<string, string> = { password }) =>
    browser.post(`${pathname}~/open`, { location: '', ...fields })
  return { site, link, pathname, key, change, open }
}

const asksIn = (text: string) => text.includes('This link requires a password')

/** Whether a text reveals more about the site than its address, which the reader has already. */
const tellsOf = ({ address, org }: TestSite, text: string) => text.replaceAll(address, '').includes(org.canary)

test('a reader with a locked share link is asked for the password and then comes to the requested page', async () => {
  const { site, link, pathname, open } = await aLockedSite()
  assert.equal(link.hasPassword, true)
  assert.ok(!JSON.stringify(link).includes(password))
  const browser = site.browser()
  const asked = await browser.get(`${pathname}guide?a=b`)
  assert.equal(asked.status, 401)
  assert.ok(asksIn(asked.text) && !tellsOf(site, asked.text), asked.text)
  assert.ok(asked.text.includes(`action="${pathname}~/open"`))
  assert.ok(asked.text.includes('name="location" value="guide?a=b"'))
  assert.deepEqual(
    [asked.headers['cache-control'], asked.headers['x-robots-tag'], asked.headers['referrer-policy']],
    ['private, no-store', 'noindex', 'same-origin'],
  )
  assert.deepEqual(browser.cookies, [])

  const wrong = await open(browser, { password: 'correct horse', location: 'guide' })
  assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [401, undefined])
  assert.match(wrong.text, /Wrong password\.[^]*value="guide"|value="guide"[^]*Wrong password\./)

  // The same letter as two code points, as some keyboards enter it.
  const right = await open(browser, { password: password.normalize('NFD'), location: 'guide?a=b' })
  assert.deepEqual([right.status, right.location], [303, `${site.address}guide?a=b`])
  assert.equal((await browser.get(`${site.address}guide`)).status, 200)
  const again = await browser.get(`${pathname}guide`)
  assert.deepEqual([again.status, again.location], [307, `${site.address}guide`])
  assert.equal((await site.browser().get(`${site.address}guide`)).status, 404)
})

test('without the password a share link opens nothing: pages, files, search, PDF, feeds, assistants, the API', async () => {
  const { site, pathname, key } = await aLockedSite()
  const kept = { cookie: `lectern-share-${site.id}=${key}` }
  const below = [
    '',
    'guide',
    'guide.md',
    'nothing',
    'sitemap.xml',
    'robots.txt',
    'llms.txt',
    'llms-full.txt',
    'rss.xml',
  ]
  const doors = [...below, '~/search?q=guide', '~/pdf', '~/mcp', '~/auth/login', '~/open', '/guide']
  for (const door of doors) {
    for (const [path, headers] of [
      [pathname + door, {}],
      [site.address + door, kept],
    ] as const) {
      const page = await site.browser().get(path, { headers })
      assert.deepEqual([page.status, asksIn(page.text), tellsOf(site, page.text)], [401, true, false], path)
      assert.equal(page.headers['set-cookie'], undefined, path)
    }
    assert.equal((await site.browser().get(site.address + door)).status, 404, door)
  }
  const message = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const assistant = await site.browser().get(`${pathname}~/mcp`, { method: 'POST', headers: message, body })
  assert.equal(assistant.status, 401)
  const looked = await site.who.post('/v1/urls/published', { url: `${main}${pathname}guide` })
  assert.equal(looked.status, 404)
})

test('a new password of a share link locks out earlier readers on every node until they enter it', async () => {
  const { site, pathname, change, open } = await aLockedSite()
  const other = await anotherNode(app)
  const [browser, late] = [site.browser(), site.browser()]
  await open(browser)
  assert.equal((await browser.get(`${site.address}guide`)).status, 200)
  assert.equal((await change({ password: 'another one' })).hasPassword, true)
  for (const node of [app.app, other.app]) {
    const { statusCode, payload } = await node.inject({
      url: `${site.address}guide`,
      headers: { host: 'lectern.test', cookie: browser.cookies.join('; ') },
    })
    assert.deepEqual([statusCode, asksIn(payload)], [401, true])
    assert.ok(payload.includes(`action="${pathname}~/open"`) && payload.includes('value="guide"'))
  }
  assert.equal((await open(browser)).status, 401)
  assert.equal((await open(browser, { password: 'another one' })).status, 303)
  assert.equal((await browser.get(`${site.address}guide`)).status, 200)

  await open(late, { password: 'another one' })
  assert.equal((await change({ password: null })).hasPassword, false)
  for (const reader of [browser, late]) assert.equal((await reader.get(`${site.address}guide`)).status, 200)
  assert.equal((await site.browser().follow(`${pathname}guide`)).status, 200)
  assert.equal((await site.browser().get(`${pathname}~/open`)).status, 307)
})

test('a share link that gets a password later asks readers who opened it before', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Open' }), 201)
  assert.equal(link.hasPassword, false)
  const browser = site.browser()
  const { pathname } = new URL(link.urls.published)
  assert.equal((await browser.follow(pathname)).status, 200)
  expect(await site.who.patch(`${site.path}/share-links/${link.id}`, { password }), 200)
  assert.ok(asksIn((await browser.get(`${site.address}guide`)).text))
  assert.equal(
    (await browser.post(`${pathname}~/open`, { password, location: 'guide' })).location,
    `${site.address}guide`,
  )
  assert.equal((await browser.get(`${site.address}guide`)).status, 200)
})

test('a locked share link that is inactive, expired or deleted gets 404 without asking for the password', async () => {
  const { site, link, pathname, change, open } = await aLockedSite()
  const browser = site.browser()
  await open(browser)
  const nothing = async () => {
    for (const path of [pathname, `${pathname}~/open`, `${site.address}guide`]) {
      assert.equal((await browser.get(path)).status, 404, path)
    }
    assert.equal((await open(site.browser())).status, 404)
  }
  await change({ active: false })
  await nothing()
  await change({ active: true })
  assert.equal((await browser.get(`${site.address}guide`)).status, 200)
  await app.db.run(sql`update share_links set expires_at = now() - interval '1 minute' where id = ${link.id}`)
  app.app.audience.snapshots.forget(site.id)
  await nothing()
  expect(await site.who.delete(`${site.path}/share-links/${link.id}`), 205)
  await nothing()
})

test('after twenty wrong passwords in an hour a network is blocked, for that share link only', async () => {
  const { site, open } = await aLockedSite()
  for (let at = 0; at < 20; at++) assert.equal((await open(site.browser(), { password: `wrong ${at}` })).status, 401)
  const stopped = await open(site.browser())
  assert.equal(stopped.status, 429)
  assert.ok(Number(stopped.headers['retry-after']) > 0)
  assert.match(stopped.text, /Too many wrong passwords[^]*Try again in \d+ minutes/)
  assert.equal(stopped.headers['set-cookie'], undefined)
  const other = await aLockedSite()
  assert.equal((await other.open(other.site.browser())).status, 303)
  await app.db.run(sql`update sign_in_counts set since = now() - interval '61 minutes'`)
  assert.equal((await open(site.browser())).status, 303)
})

test('the password form accepts only small forms of the same origin, and never redirects to another host', async () => {
  const { site, pathname, open } = await aLockedSite()
  const post = (headers: Record<string, string>, fields: Record<string, string> = { password }) =>
    site.browser().post(`${pathname}~/open`, fields, { headers })
  assert.equal((await post({ origin: 'http://evil.example' })).status, 403)
  assert.equal((await post({ origin: 'null' })).status, 403)
  assert.equal((await post({ 'content-type': 'application/json' })).status, 415)
  assert.equal((await post({}, { password: 'x'.repeat(20_000) })).status, 413)
  assert.equal((await post({}, { password: 'x'.repeat(5_000) })).status, 401)
  assert.equal((await post({}, {})).status, 401)
  for (const location of ['//evil.example', 'https://evil.example', '/\\evil.example', '..//evil', 'a\r\nb: c']) {
    const page = await open(site.browser(), { password, location })
    const { host, pathname: path } = new URL(page.location!, main)
    assert.deepEqual([page.status, host, path.startsWith(site.address)], [303, 'lectern.test', true], location)
  }
  for (const path of [`${pathname}guide`, `${site.address}~/open`, site.address]) {
    const page = await site.browser().post(path, { password })
    assert.ok([401, 404, 405].includes(page.status) && page.headers['set-cookie'] === undefined, path)
  }
  const unlocked = await aSite(app)
  assert.equal((await unlocked.browser().post(`${unlocked.address}~/open`, { password })).status, 405)
})

test('a password has 8 to 200 characters, is not stored in plain text, and its change is audited', async () => {
  const { site, link, change } = await aLockedSite()
  const links = `${site.path}/share-links`
  for (const bad of ['', 'short12', 'x'.repeat(201), 7, true]) {
    for (const answer of [
      await site.who.post(links, { name: 'x', password: bad }),
      await site.who.patch(`${links}/${link.id}`, { password: bad }),
    ]) {
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.error.message, /body\.password/)
    }
  }
  expect(await site.who.post(links, { name: 'longest', password: 'ä'.repeat(200) }), 201)
  const rows = await app.db.all(
    sql<{ row: string }>`select l::text as row from share_links l where site_id = ${site.id}`,
  )
  assert.ok(rows.every(({ row }) => !row.includes(password)))
  await change({ password: null })
  await change({ password: null })
  const { items } = expect(await site.who.get(`/v1/orgs/${site.org.id}/audit-events?action=share-link.updated`), 200)
  assert.equal(items.length, 1)
  const event = expect(await site.who.get(`/v1/orgs/${site.org.id}/audit-events/${items[0].id}`), 200)
  assert.ok(JSON.stringify(event).includes('"password"') && !JSON.stringify(event).includes(password))
})

test('the password form uses the host of the site or of its proxy, and redirects back there', async () => {
  const { site, key } = await aLockedSite()
  await site.change({ hostname: 'locked.example.com' })
  const host = 'locked.example.com'
  const browser = site.browser()
  const asked = await browser.get(`/${key}/guide`, { host })
  assert.ok(asked.text.includes(`action="/${key}/~/open"`), asked.text)
  const opened = await browser.post(`/${key}/~/open`, { password, location: 'guide' }, { host })
  assert.deepEqual([opened.status, opened.location], [303, '/guide'])
  assert.equal((await browser.get('/guide', { host })).status, 200)

  const proxied = await aLockedSite()
  await proxied.site.change({ proxy: 'shown.example.org/docs' })
  const form = await proxied.site.browser().get(proxied.pathname)
  assert.ok(form.text.includes(`action="https://shown.example.org/docs/${proxied.key}/~/open"`), form.text)
  const origin = { headers: { origin: 'https://shown.example.org' } }
  const answer = await proxied.site.browser().post(`${proxied.pathname}~/open`, { password }, origin)
  assert.deepEqual([answer.status, answer.location], [303, 'https://shown.example.org/docs/'])
})

test('twenty wrong passwords at most are checked, even if they arrive at once', async () => {
  const { site, open } = await aLockedSite()
  const tries = Array.from({ length: 40 }, (_, at) =>
    open(site.browser(), { password: `wrong ${at}`, location: 'guide' }),
  )
  const pages = await Promise.all(tries)
  const statuses = pages.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 20)
  assert.equal(statuses.filter((status) => status === 429).length, 20)
  assert.ok(pages.every(({ text }) => text.includes('name="location" value="guide"')))
})

test('every allowed password opens its share link, with any characters', async () => {
  const { site, change, open } = await aLockedSite()
  for (const one of ['🦉'.repeat(200), 'x'.repeat(200), ' 8 or more ', '\ufdfa'.repeat(200)]) {
    await change({ password: one })
    assert.equal((await open(site.browser(), { password: one })).status, 303, one)
  }
  await change({ password: 'ä'.repeat(200) })
  assert.equal((await open(site.browser(), { password: 'ä'.repeat(200).normalize('NFD') })).status, 303)
})

test('a password form sent again, or after the password was removed, redirects to the page', async () => {
  const { site, pathname, change, open } = await aLockedSite()
  const browser = site.browser()
  await open(browser)
  const again = await open(browser, { password, location: 'guide' })
  assert.deepEqual([again.status, again.location], [303, `${site.address}guide`])
  assert.equal((await browser.get(`${site.address}guide`)).status, 200)
  // The address that a wrong password leads to has no page for readers who are already in.
  const left = await browser.get(`${pathname}~/open`)
  assert.deepEqual([left.status, left.location], [307, site.address])

  await change({ password: null })
  const late = site.browser()
  const free = await open(late, { password, location: 'guide' })
  assert.deepEqual([free.status, free.location], [303, `${site.address}guide`])
  assert.equal((await late.get(`${site.address}guide`)).status, 200)
  await site.change({ visibility: 'public' })
  const forAll = await open(site.browser(), { password, location: 'guide' })
  assert.deepEqual(
    [forAll.status, forAll.location, forAll.headers['set-cookie']],
    [303, `${site.address}guide`, undefined],
  )
})

test('a reader who opened two share links stays in by the last one', async () => {
  const { site, link, open } = await aLockedSite()
  const other = expect(await site.who.post(`${site.path}/share-links`, { name: 'Other', password: 'another one' }), 201)
  const browser = site.browser()
  await open(browser)
  await browser.post(`${new URL(other.urls.published).pathname}~/open`, { password: 'another one', location: '' })
  expect(await site.who.delete(`${site.path}/share-links/${link.id}`), 205)
  assert.equal((await browser.get(`${site.address}guide`)).status, 200)
})

test('the location in the password form can have characters of any script', async () => {
  const { site, open } = await aLockedSite()
  const page = await open(site.browser(), { password, location: 'führung/日本?a=ö b' })
  const there = `${site.address}f%C3%BChrung/%E6%97%A5%E6%9C%AC?a=%C3%B6%20b`
  assert.deepEqual([page.status, page.location], [303, there])
})

test('the password form works behind a proxy that uses another host towards the server', async () => {
  const { site, pathname } = await aLockedSite()
  const inside = { host: 'inside:3000', headers: { origin: main } }
  assert.equal((await site.browser().post(`${pathname}~/open`, { password }, inside)).status, 303)

  const behind = await startApp({ LECTERN_TRUSTED_PROXIES: '127.0.0.1' })
  const own = await aLockedSite(behind)
  const host = `own${own.site.id}.example.com`
  await own.site.change({ hostname: host })
  const headers = { origin: `https://${host}`, 'x-forwarded-host': host, 'x-forwarded-proto': 'https' }
  const told = await own.site.browser().post(`/${own.key}/~/open`, { password }, { host: '127.0.0.1:3000', headers })
  assert.deepEqual([told.status, told.location], [303, '/'])
})

test('the content security policy allows the password form to be sent to the proxy of the site', async () => {
  const { site, pathname } = await aLockedSite()
  await site.change({ proxy: 'proxied.example.org/docs' })
  const { headers } = await site.browser().get(pathname)
  assert.match(String(headers['content-security-policy']), /form-action 'self' https:\/\/proxied\.example\.org;/)
})

test('a share link cookie with additional parts does not open the link', async () => {
  const { site, open, key } = await aLockedSite()
  const browser = site.browser()
  await open(browser)
  const [, opened] = browser.cookies[0]!.split('.')
  const read = async (value: string) =>
    (await site.browser().get(`${site.address}guide`, { headers: { cookie: `lectern-share-${site.id}=${value}` } }))
      .status
  assert.equal(await read(`${key}.${opened}`), 200)
  assert.equal(await read(`${'.'.repeat(5_000)}${opened}`), 404)
  assert.equal(await read(`${key}.x.${opened}`), 401)
})

test('the password form works with an encoded tilde in its address', async () => {
  const { site, pathname } = await aLockedSite()
  assert.equal((await site.browser().post(`${pathname}%7Eopen`, { password })).status, 405)
  assert.equal((await site.browser().post(`${pathname}%7E/open`, { password })).status, 303)
})

test('cookies, images and API tokens from before a password was set open nothing until it is entered', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Open' }), 201)
  const { pathname } = new URL(link.urls.published)
  const files = [{ name: 'a.png', base64: png, contentType: 'image/png' }]
  const [file] = expect(await site.space.edit({ operation: 'insert_files', files }), 200).insertedFiles
  const markdown = `# Picture\n\n![](${file.downloadURL})\n`
  expect(await site.space.edit(newPage('Picture', { document: { markdown } })), 200)
  const browser = site.browser()
  const picture = /src="([^"]*a\.png[^"]*)"/.exec((await browser.follow(`${pathname}picture`)).text)![1]!
  assert.equal((await browser.get(picture)).status, 200)
  const { apiToken } = expect(await site.who.post('/v1/urls/published', { url: `${main}${pathname}guide` }), 200)
  const reader = app.client(apiToken, [site.org.canary])
  const content = `/v1/spaces/${site.space.id}/content/path/guide`
  expect(await reader.get(content), 200)

  expect(await site.who.patch(`${site.path}/share-links/${link.id}`, { password }), 200)
  expect(await reader.get(content), 401)
  assert.equal((await browser.get(picture)).status, 401)
  assert.equal((await site.browser().get(picture)).status, 404)
  await browser.post(`${pathname}~/open`, { password, location: '' })
  assert.equal((await browser.get(picture)).status, 200)
})
