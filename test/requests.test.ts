// Odd addresses, headers and bytes are refused with the single error shape, and change nothing.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readConfig } from '../src/config.ts'
import { makeServer } from '../src/http/server.ts'
import { newId } from '../src/ids.ts'
import { startApp } from './app.ts'
import { anOrganization } from './factories.ts'
import { openRaw, readAnswer, sendRaw } from './raw.ts'
import { stateOf } from './state.ts'
import { refusing } from './refusing.ts'

const app = await startApp()
const org = await anOrganization(app)
const { refusesRaw, rawRequest, client, here, members } = refusing(app, org)

test('paths with traversal, encoded slashes or invalid bytes are refused and reach nothing', async () => {
  const paths = [
    `/v1/orgs/../user`,
    `/v1/orgs/..`,
    `/v1/orgs/%2e%2e/user`,
    `/v1/orgs/%2e%2e%2fuser`,
    `/v1/orgs/..%2fuser`,
    `/v1/orgs/${org.id}%2fmembers`,
    `/v1/orgs/${org.id}%00`,
    `/v1/%00/orgs`,
    `/v1/orgs/${org.id}/members/%00`,
    '/v1/orgs/%5c..%5cuser',
    '/v1/orgs/;/members',
    `/v1/orgs/${org.id.toUpperCase()}`,
    `/v1/orgs/{${org.id}}`,
    `/v1/orgs/ ${org.id}`.replace(' ', '%20'),
    '/v1/unknown',
    '/v1',
    '/unknown',
    '/v1/orgs/%F0%9F%A6%89',
    '/v1/orgs/__proto__',
    '/v1/constructor',
  ]
  for (const path of paths) await refusesRaw('not_found', rawRequest(`GET ${path} HTTP/1.1`), path)
  for (const path of [
    '/v1/orgs/%',
    '/v1/orgs/%zz',
    '/v1/orgs/%c3%28',
    '/v1/orgs/%ed%a0%80',
    '/%',
    '/v1/email-domains/%ff/orgs',
  ]) {
    await refusesRaw('invalid_request', rawRequest(`GET ${path} HTTP/1.1`), path)
  }
})

test('an answer has the same content, cache and CORS headers however its address is written', async () => {
  const paths = [members, members.replace('v1', '%761'), members.replace('v1', 'v%31')]
  const plain = await sendRaw(app.url, rawRequest(`GET ${members} HTTP/1.1`))
  assert.equal(plain.headers.get('cache-control'), 'private, no-store')
  for (const each of [
    ...paths,
    ...paths.map((path) => `http://lectern.test${path}`),
    `HTTP://Lectern.test${members}`,
  ]) {
    const { status, headers, text } = await sendRaw(app.url, rawRequest(`GET ${each} HTTP/1.1`))
    assert.deepEqual([status, text], [200, plain.text], each)
    for (const name of ['cache-control', 'access-control-allow-origin'])
      assert.equal(headers.get(name), plain.headers.get(name), `${each}: ${name}`)
  }
  assert.equal((await sendRaw(app.url, rawRequest('GET http://lectern.test/healthz HTTP/1.1'))).status, 200)
  await refusesRaw('not_found', rawRequest('GET http://lectern.test/unknown HTTP/1.1'), 'a whole address')
  await refusesRaw('not_found', rawRequest(`GET ftp://lectern.test${members} HTTP/1.1`), 'another protocol')
})

test('an address of up to 8 KiB is accepted, and a longer one refused, whichever part is long', async () => {
  const line = (path: string) => rawRequest(`GET ${path} HTTP/1.1`)
  const upTo = (start: string, length: number) => start + 'a'.repeat(length - start.length)
  assert.equal((await sendRaw(app.url, line(upTo(`${members}?x=`, 8192)))).status, 200)
  assert.equal((await sendRaw(app.url, line(upTo('/v1/orgs/', 8192)))).status, 404)
  for (const start of [`${members}?x=`, '/v1/orgs/', '/v1/unknown/', '/unknown', `${here}/invites/`]) {
    for (const length of [8193, 12_000, 20_000, 60_000])
      await refusesRaw('url_too_long', line(upTo(start, length)), `${start} ${length}`)
  }
})

test('headers of up to 16 KiB are accepted, and larger ones refused', async () => {
  const withHeader = (length: number) => rawRequest('GET /v1/user HTTP/1.1', [`X-Long: ${'a'.repeat(length)}`])
  assert.equal((await sendRaw(app.url, withHeader(15_000))).status, 200)
  await refusesRaw('headers_too_large', withHeader(17_000), 'one long header')
  const many = Array.from({ length: 1000 }, (_, i) => `X-Many-${i}: ${'a'.repeat(20)}`)
  await refusesRaw('headers_too_large', rawRequest('GET /v1/user HTTP/1.1', many), 'many headers')
})

test('broken HTTP is refused in the shape of every other error', async () => {
  const broken: Record<string, string | Buffer> = {
    'no request line': 'hello\r\n\r\n',
    bytes: Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]),
    'an unknown method': 'FLY /v1/user HTTP/1.1\r\nHost: x\r\n\r\n',
    'an unknown version': 'GET /v1/user HTTP/9.9\r\nHost: x\r\n\r\n',
    'a header without a name': 'GET /v1/user HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n',
    'a header with NUL': 'GET /v1/user HTTP/1.1\r\nHost: x\r\nX-Y: a\0b\r\n\r\n',
    'two lengths': 'POST /v1/user/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    'a length that is none': 'POST /v1/user/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nhello',
    'a length and chunks':
      'POST /v1/user/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'an unknown encoding of transfer':
      'POST /v1/user/tokens HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: zip\r\n\r\nhello',
    'a blank in the address': 'GET /v1/us er HTTP/1.1\r\nHost: x\r\n\r\n',
    'no host': `GET /v1/user HTTP/1.1\r\nAuthorization: Bearer ${client.token}\r\n\r\n`,
  }
  for (const [what, bytes] of Object.entries(broken)) await refusesRaw('invalid_request', bytes, what)
  await refusesRaw('unauthenticated', 'GET /v1/user HTTP/1.0\r\n\r\n', 'version 1.0 needs no host')
  await refusesRaw(
    'unauthenticated',
    'GET /v1/user HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n\r\n',
    'an expectation',
  )
})

test('an invalid chunk is refused in the middle of the body', async () => {
  const head = rawRequest(`PATCH ${here} HTTP/1.1`, ['Content-Type: application/json', 'Transfer-Encoding: chunked'])
  await refusesRaw('invalid_request', `${head}zz\r\n{}\r\n`, 'a bad chunk')
})

test('a client that sends garbage and does not hang up is disconnected', async () => {
  const count = promisify(app.app.server.getConnections.bind(app.app.server))
  const before = await count()
  const socket = await openRaw(app.url)
  socket.write('hello\r\n\r\n')
  assert.equal((await readAnswer(socket)).status, 400)
  const until = performance.now() + 30_000
  while ((await count()) > before) {
    assert.ok(performance.now() < until, 'the connection is still there')
    await sleep(50)
  }
  socket.destroy()
})

test('a request that is cut off half-way changes nothing, and the server goes on', async () => {
  const before = await stateOf(app.db)
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    const socket = await openRaw(app.url)
    socket.write(
      rawRequest(
        `PATCH ${here} HTTP/1.1`,
        ['Content-Type: application/json', 'Content-Length: 100'],
        '{"title": "Half',
      ),
    )
    await sleep(20)
    socket[end]()
  }
  await sleep(20)
  assert.equal(await stateOf(app.db), before)
  assert.equal((await client.get(here)).status, 200)
})

test('a request that arrives too slowly is refused', async () => {
  const slow = makeServer(readConfig({ LECTERN_LOG: 'silent', LECTERN_REQUEST_TIMEOUT: '1000' }))
  slow.server.headersTimeout = 200
  // How often Node looks for slow requests is set when a server is created, and our code does not set it.
  ;(slow.server as unknown as { connectionsCheckingInterval: number }).connectionsCheckingInterval = 100
  const url = await slow.listen({ port: 0, host: '127.0.0.1' })
  after(() => slow.close())
  const socket = await openRaw(url)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
  const refused = await readAnswer(socket)
  assert.deepEqual([refused.status, refused.body.error.message], [400, 'The request did not arrive in time.'])
})

test('browsers may call the API from any page and read the headers they need, and a preflight needs no token', async () => {
  const preflight = await fetch(`${app.url}${here}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-methods')!, /PATCH/)
  for (const name of ['authorization', 'content-type', 'if-match', 'if-none-match', 'idempotency-key', 'user-agent']) {
    assert.ok(preflight.headers.get('access-control-allow-headers')!.split(', ').includes(name), name)
  }
  const answers = [
    await client.get(here),
    await client.get(`/v1/orgs/${newId()}`),
    await app.client().get(here),
    await client.patch(here, '{'),
    await client.get('/v1/unknown'),
    await client.get('/v1/orgs/%zz'),
    await client.send('PUT', here),
    await client.get(`/v1/orgs?${'a'.repeat(9000)}`),
  ]
  for (const { headers, status } of answers) {
    assert.equal(headers.get('access-control-allow-origin'), '*', String(status))
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.match(headers.get('access-control-expose-headers')!, /etag.*x-request-id.*retry-after/)
    assert.equal(headers.get('cache-control'), 'private, no-store', String(status))
  }
})
