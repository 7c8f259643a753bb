// Errors on the side of the server have the single error shape, and reveal nothing that they should not.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { makeApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { type ErrorType, errorTypes } from '../src/http/errors.ts'
import { makeServer } from '../src/http/server.ts'
import { openStore } from '../src/storage/open.ts'
import { Secrets } from '../src/secrets.ts'
import { startApp } from './app.ts'
import { emptyDatabase } from './database.ts'

const app = await startApp()

test('docs/errors.md lists every type with its status, and nothing else', async () => {
  const text = await readFile(new URL('../docs/errors.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (\d{3}) /gm)].map(([, type, status]) => [type, Number(status)])
  assert.deepEqual(Object.fromEntries(rows), errorTypes)
  assert.equal(rows.length, Object.keys(errorTypes).length)
})

test('internal errors tell the caller nothing but a generic message', async () => {
  const broken = makeServer(readConfig({ LECTERN_LOG: 'silent' }))
  const thrown: unknown[] = [
    new Error('select secret from /etc/passwd'),
    Object.assign(new Error('secret'), { statusCode: 400, code: 'E_SECRET' }),
    'secret',
    undefined,
    null,
    { secret: true },
    new TypeError('secret', { cause: new Error('secret') }),
    Object.assign(new Error('secret'), { status: 403, headers: { 'x-secret': 'secret' } }),
  ]
  thrown.forEach((error, i) =>
    broken.get(`/throws/${i}`, async () => {
      throw error
    }),
  )
  broken.get('/circle', async () => {
    const circle: { self?: object } = {}
    circle.self = circle
    return circle
  })
  after(() => broken.close())
  for (const url of [...thrown.keys().map((i) => `/throws/${i}`), '/circle']) {
    const { statusCode, body, headers } = await broken.inject(url)
    assert.equal(statusCode, 500, url)
    assert.deepEqual(JSON.parse(body).error, {
      code: 500,
      type: 'internal_error',
      message: 'Something went wrong on the server. Quote the request id when you report it.',
    })
    assert.doesNotMatch(body + JSON.stringify(headers), /secret|passwd|stack/i)
  }
})

test('database errors become the error type that fits their meaning', async () => {
  const config = readConfig({ LECTERN_LOG: 'silent', LECTERN_STATEMENT_TIMEOUT: '100' })
  const db = new Database(app.db.pool.options, config.limits)
  const server = makeServer(config)
  server.get<{ Params: { code: string } }>('/raise/:code', async (request) => {
    return db.run(sql`select raise_for_test(${request.params.code})`.asSlow())
  })
  server.get('/sleep', async () => db.run(sql`select pg_sleep(5)`))
  after(async () => {
    await server.close()
    await db.close()
  })
  await db.run(sql`create function raise_for_test(code text) returns void language plpgsql as $$ begin
    raise exception 'secret' using errcode = code; end $$`)

  const meanings: Record<string, ErrorType> = {
    23505: 'taken',
    23503: 'conflict',
    40001: 'conflict',
    '40P01': 'conflict',
    22021: 'invalid_request',
    '22P05': 'invalid_request',
    53100: 'storage_full',
    '57P01': 'unavailable',
    '57P03': 'unavailable',
    57014: 'unavailable',
    '08006': 'unavailable',
    53300: 'unavailable',
    42601: 'internal_error',
    23514: 'internal_error',
  }
  for (const [code, type] of Object.entries(meanings)) {
    const { statusCode, body, headers } = await server.inject(`/raise/${code}`)
    assert.deepEqual([statusCode, JSON.parse(body).error.type], [errorTypes[type], type], code)
    assert.doesNotMatch(body, /secret/)
    assert.equal(headers['retry-after'] !== undefined, type === 'unavailable', code)
  }
  const slow = await server.inject('/sleep')
  assert.deepEqual([slow.statusCode, slow.headers['retry-after']], [503, '1'])
})

test('the API and health check answer 503 while the server starts or has no database, and the landing page works without one', async () => {
  const config = readConfig({ LECTERN_LOG: 'silent' })
  const nowhere = new Database({ host: '127.0.0.1', port: 1 }, config.limits)
  const away = await makeApp({
    config,
    db: nowhere,
    secrets: new Secrets('a secret that nobody needs'),
    store: openStore(config),
  })
  after(() => away.close())
  const ask = (url: string, method: 'GET' | 'POST' = 'GET') =>
    away.inject({ method, url, headers: { authorization: 'Bearer lct_whatever' } })

  for (const [ready, message] of [
    [false, /is starting/],
    [true, /database is unavailable/],
  ] as const) {
    away.health.ready = ready
    for (const refused of [await ask('/v1/user'), await ask('/healthz'), await ask('/v1/user/tokens', 'POST')]) {
      assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '1'])
      assert.deepEqual([refused.json().error.code, refused.json().error.type], [503, 'unavailable'])
      assert.match(refused.json().error.message, message)
    }
  }
  assert.equal((await away.inject('/')).statusCode, 200)
})

test('while the server starts, readers get 503 with Retry-After at every kind of site address', async () => {
  const database = await emptyDatabase()
  const config = readConfig({ LECTERN_LOG: 'silent', LECTERN_SITES_HOST: 'sites.test' })
  const db = new Database({ connectionString: database.url }, config.limits)
  const starting = await makeApp({
    config,
    db,
    secrets: new Secrets('a secret that nobody needs'),
    store: openStore(config),
  })
  after(async () => {
    await starting.close()
    await db.close()
    await database.drop()
  })

  for (const [host, url] of [
    ['127.0.0.1', '/sites/acme/docs/guide'],
    ['acme.sites.test', '/docs/guide'],
    ['docs.acme.test', '/'],
    ['docs.acme.test', '/guide'],
  ] as const) {
    const { statusCode, headers, body } = await starting.inject({ url, headers: { host } })
    assert.deepEqual([statusCode, headers['retry-after']], [503, '1'], host + url)
    assert.match(body, /Back in a moment/)
  }
  // While the server starts, it does not know yet whether a request is for a site. So what clients send is not refused
  // for good, but should be sent again.
  for (const url of ['/login', '/guide', '/scim/v2/x/Users']) {
    const { statusCode, headers } = await starting.inject({ method: 'POST', url, headers: { host: 'docs.acme.test' } })
    assert.deepEqual([statusCode, headers['retry-after']], [503, '1'], url)
  }
  // Operators and API clients get the usual answers, whatever host name they use.
  for (const url of ['/healthz', '/v1/user']) {
    const { statusCode, body } = await starting.inject({ url, headers: { host: 'lectern.acme.test' } })
    assert.deepEqual([statusCode, JSON.parse(body).error.type], [503, 'unavailable'], url)
  }
})
