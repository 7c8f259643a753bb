import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { anUpstream, silence } from '../openapi/testing/upstream.ts'

const app = await startApp({ LECTERN_EMBEDS: 'on', LECTERN_FETCH_ALLOW: '127.0.0.1' })

const inUrl = (url: string) => `/v1/urls/embed?url=${encodeURIComponent(url)}`
const host = (url: string) => new URL(url).host

/** A page with this markup. */
const page =
  (markup: string | Buffer, headers: Record<string, string> = {}) =>
  (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(markup)

test('an address is resolved to what its page says about itself, with and without a space', async () => {
  const space = await aLiveSpace(app)
  const upstream = await anUpstream({
    '/': page(
      '<title>Window</title><meta property="og:title" content="A &lt;title&gt;"><meta property="og:site_name" content="Shop"><link rel="icon" href="/i.png">',
    ),
  })
  const expected = { type: 'link', title: 'A <title>', site: 'Shop', icon: upstream.url('/i.png') }
  for (const path of [
    inUrl(upstream.url('/')),
    `${space.path}/embed?url=${encodeURIComponent(upstream.url('/#here'))}`,
  ]) {
    const { status, body } = await space.who.get(path)
    assert.equal(status, 200)
    assert.deepEqual(body, expected)
  }
  assert.deepEqual(await app.db.all(sql`select from embeds`), [], 'nothing is kept for whoever only asks')
})

test('resolving an address in a space needs access to the space, and anywhere a sign-in', async () => {
  const space = await aLiveSpace(app)
  const other = await anOrganization(app)
  const { url } = await anUpstream({ '/': page('<title>X</title>') })
  const path = `${space.path}/embed?url=${encodeURIComponent(url('/'))}`
  assert.equal((await other.admin.client.get(path)).status, 404)
  assert.equal((await app.client().get(path)).status, 401)
  assert.equal((await app.client().get(inUrl(url('/')))).status, 401)
  assert.equal((await other.admin.client.get(inUrl(url('/')))).status, 200)
})

test('an address that is invalid, too long, private, not http or has a password is refused with its parameter', async () => {
  const { client } = (await anOrganization(app)).admin
  const upstream = await anUpstream({
    '/inside': (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.2:1/' }).end(),
  })
  const wrong = [
    'x', '', 'ftp://example.org/', 'javascript:alert(1)', 'http://a:b@127.0.0.1/', `http://x.test/${'a'.repeat(2_048)}`,
    'http://127.0.0.2/', 'http://[::1]/', 'http://169.254.169.254/latest', upstream.url('/inside'),
  ] // prettier-ignore
  for (const url of wrong) {
    const { status, body } = await client.get(inUrl(url))
    assert.equal(status, 400, url)
    assert.equal(body.error.details[0].path, 'query.url', JSON.stringify(body))
  }
  const { status, body } = await client.get('/v1/urls/embed')
  assert.deepEqual([status, body.error.details[0].path], [400, 'query.url'])
})

test('a page that does not answer or has no title resolves to its address as title and its host as site', async () => {
  const { client } = (await anOrganization(app)).admin
  const upstream = await anUpstream({
    '/500': { status: 500 },
    '/none': page('<p>No title</p>'),
    '/binary': page(Buffer.alloc(1_000, 0xff)),
    '/pdf': page('<title>Not this</title>', { 'content-type': 'application/pdf' }),
    '/broken': page('no gzip', { 'content-encoding': 'gzip' }),
    '/loop': (_request, response) => void response.writeHead(302, { location: '/loop' }).end(),
    '/odd': (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/cut': (_request, response) => void response.destroy(),
  })
  for (const path of ['/404', '/500', '/none', '/binary', '/pdf', '/broken', '/loop', '/odd', '/cut']) {
    const url = upstream.url(path)
    assert.deepEqual((await client.get(inUrl(url))).body, { type: 'link', title: url, site: host(url) }, path)
  }
  for (const url of ['http://127.0.0.1:1/', 'http://nowhere.invalid/']) {
    assert.deepEqual((await client.get(inUrl(url))).body, { type: 'link', title: url, site: host(url) })
  }
})

test('only the beginning of an endless page is read, compressed or not', async () => {
  const { client } = (await anOrganization(app)).admin
  let sent = 0
  const megabyte = Buffer.alloc(1024 ** 2, 'x')
  const upstream = await anUpstream({
    '/50': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': String(50 * megabyte.length) })
      response.write('<title>Large</title>')
      const more = () => {
        while (sent < 50 && !response.destroyed) {
          sent += 1
          if (!response.write(megabyte)) return void response.once('drain', more)
        }
      }
      more()
    },
    '/bomb': page(gzipSync(Buffer.concat([Buffer.from('<title>Bomb</title>'), Buffer.alloc(64 * 1024 ** 2, 'x')])), {
      'content-encoding': 'gzip',
    }),
  })
  assert.equal((await client.get(inUrl(upstream.url('/50')))).body.title, 'Large')
  assert.equal((await client.get(inUrl(upstream.url('/bomb')))).body.title, 'Bomb')
  assert.ok(sent < 50, `${sent} MB were taken`)
})

test('a page that never ends or never begins is given up, and one person can wait for only a few at once', async () => {
  const { client } = (await anOrganization(app)).admin
  let held = 0
  const upstream = await anUpstream({
    '/silent': () => {
      held += 1
      silence()
    },
    '/drip': (_request, response) => {
      held += 1
      response.writeHead(200, { 'content-type': 'text/html' })
      const timer = setInterval(() => response.write('<p>'), 50)
      response.on('close', () => clearInterval(timer))
    },
  })
  const paths = ['/silent', '/drip', '/silent', '/drip']
  const waiting = paths.map((path) => client.get(inUrl(upstream.url(path))))
  while (held < paths.length) await new Promise(setImmediate)
  const { status, body } = await client.get(inUrl(upstream.url('/silent')))
  assert.deepEqual([status, body.error.type], [429, 'rate_limited'])
  for (const [at, answer] of (await Promise.all(waiting)).entries())
    assert.deepEqual([answer.status, answer.body.title], [200, upstream.url(paths[at]!)])
})

test('a page is decoded by its declared encoding, or as UTF-8 if that is unknown', async () => {
  const { client } = (await anOrganization(app)).admin
  const latin = Buffer.from('<title>Caf\xe9</title>', 'latin1')
  const upstream = await anUpstream({
    '/said': page(latin, { 'content-type': 'text/html; charset=iso-8859-1' }),
    '/meta': page(Buffer.concat([Buffer.from('<meta charset="windows-1252">'), latin])),
    '/wrong': page(latin, { 'content-type': 'text/html; charset=utf-8' }),
    '/unknown': page('<title>Café</title>', { 'content-type': 'text/html; charset=klingon' }),
  })
  const titles = ['/said', '/meta', '/wrong', '/unknown'].map(
    async (path) => (await client.get(inUrl(upstream.url(path)))).body.title,
  )
  assert.deepEqual(await Promise.all(titles), ['Café', 'Café', 'Caf\ufffd', 'Café'])
})

test('no page is fetched where the operator did not turn embeds on', async () => {
  const quiet = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
  const { client } = (await anOrganization(quiet)).admin
  const upstream = await anUpstream({ '/': page('<title>X</title>') })
  assert.equal((await client.get(inUrl(upstream.url('/')))).body.title, upstream.url('/'))
  assert.deepEqual(upstream.asked, [])
})
