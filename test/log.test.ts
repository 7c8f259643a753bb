// What the server logs about requests: one line each, suited for searching, and never a secret.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../src/account/testing/person.ts'
import { Database } from '../src/db/connect.ts'
import { readConfig } from '../src/config.ts'
import { newId } from '../src/ids.ts'
import { startMailServer } from '../src/mail/testing/mail-server.ts'
import { cloneTemplate } from './database.ts'
import { startServer, temporaryFolder } from './process.ts'
import { sendRaw } from './raw.ts'

const database = await cloneTemplate()
after(() => database.drop())
const folder = await temporaryFolder()
const mailServer = await startMailServer()
const secretOfInstance = 'the-secret-of-this-installation-32'
const server = await startServer({
  DATABASE_URL: database.url,
  LECTERN_DATA: folder,
  LECTERN_URL: 'http://lectern.test',
  LECTERN_SECRET: secretOfInstance,
  LECTERN_SMTP_URL: mailServer.url.replace('//', '//user:in-the-address-of-mail@'),
  LECTERN_MAIL_FROM: 'lectern@example.com',
})
const adminToken = (await readFile(join(folder, 'admin-token'), 'utf8')).trim()

async function call(
  method: string,
  path: string,
  token: string | undefined,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    id: response.headers.get('x-request-id')!,
    status: response.status,
    body: text ? JSON.parse(text) : undefined,
  }
}

/** Waits until the lines with this text, such as the id of a request, have been written, and returns them. */
async function linesOf(text: string): Promise<any[]> {
  for (;;) {
    const lines = server
      .log()
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line))
    if (lines.length > 0) return lines
    await sleep(10)
  }
}

test('every request is logged in one line, with its declared route, its status and its user', async () => {
  const me = (await call('GET', '/v1/user', adminToken)).body
  const org = (await call('GET', '/v1/orgs', adminToken)).body.items[0]
  const expected: [Awaited<ReturnType<typeof call>>, object][] = [
    [
      await call('GET', `/v1/orgs/${org.id}?x=1`, adminToken),
      { method: 'GET', route: '/v1/orgs/:organizationId', status: 200, user: me.id },
    ],
    [
      await call('PATCH', `/v1/orgs/${org.id}`, adminToken, { title: 5 }),
      { method: 'PATCH', route: '/v1/orgs/:organizationId', status: 400, user: me.id },
    ],
    [await call('GET', '/v1/user', undefined), { method: 'GET', route: '/v1/user', status: 401, user: undefined }],
    [await call('GET', '/v1/unknown', adminToken), { method: 'GET', route: null, status: 404, user: me.id }],
    [await call('PUT', '/v1/user', adminToken), { method: 'PUT', route: '/v1/user', status: 405, user: me.id }],
    [await call('GET', '/v1/orgs/%zz', adminToken), { method: 'GET', route: null, status: 400, user: undefined }],
  ]
  for (const [{ id, status }, line] of expected) {
    const lines = await linesOf(id)
    assert.equal(lines.length, 1)
    const { method, route, user, ms, address, msg } = lines[0]
    assert.deepEqual({ method, route, status: lines[0].status, user }, line)
    assert.equal(status, lines[0].status)
    assert.ok(ms >= 0 && address === '127.0.0.1' && msg === 'request')
  }
})

test('pages of sites are logged alike at every address, even where a route of the API has their path', async () => {
  const org = (await call('GET', '/v1/orgs', adminToken)).body.items[0]
  const space = (await call('POST', `/v1/orgs/${org.id}/spaces`, adminToken, { title: 'Guide' })).body
  const sites = `/v1/orgs/${org.id}/sites`
  const site = (await call('POST', sites, adminToken, { title: 'Guide', spaces: [space.id] })).body
  await call('PATCH', `${sites}/${site.id}`, adminToken, { hostname: 'guide.example.com' })
  assert.equal((await call('POST', `${sites}/${site.id}/publish`, adminToken)).status, 200)
  const see = (host: string, path: string) => sendRaw(server.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  for (const [host, path, status] of [
    ['lectern.test', `/sites/${org.hostname}/guide/`, 200],
    ['guide.example.com', '/', 200],
    ['guide.example.com', '/nothing-here', 404],
    ['guide.example.com', '/v1/user', 404],
  ] as const) {
    const answer = await see(host, path)
    const [line] = await linesOf(answer.headers.get('x-request-id')!)
    assert.deepEqual([line.route, line.status], ['/sites/*', status], `${host}${path}`)
  }
})

test('a broken request is logged as well, with the request id that its sender got', async () => {
  const refused = await sendRaw(server.url, 'hello secret-of-nobody\r\n\r\n')
  const [line] = await linesOf(refused.headers.get('x-request-id')!)
  assert.deepEqual([line.status, line.msg], [400, 'broken request'])
})

test('a successful health check is not logged', async () => {
  const { id, status } = await call('GET', '/healthz', undefined)
  const later = await call('GET', '/v1/user', adminToken)
  await linesOf(later.id)
  assert.equal(status, 200)
  assert.ok(!server.log().includes(id))
})

test('a mail that is given up is logged with what the mail server answered, without the address', async () => {
  const org = (await call('GET', '/v1/orgs', adminToken)).body.items[0]
  const email = 'gone@example.com'
  mailServer.answers.push({ status: 550, says: `5.1.1 <${email}>: no such user` })
  await call('POST', `/v1/orgs/${org.id}/invites`, adminToken, { emails: [email] })
  const [line] = await linesOf('a mail was given up')
  assert.deepEqual([line.kind, line.code, line.reason], ['invite', 'EENVELOPE', 'answered 550 5.1.1 to RCPT TO'])
  assert.ok(!server.log().includes(email))
})

/** Signs in with a browser and a code from a mail. Returns the code, and the cookies from before and after. */
async function signIn(email: string) {
  const person = new Person(server)
  const page = await person.follow(await person.submit(await person.get('/login'), '/login', { email }))
  const before = person.cookies.get('lectern-sign-in')!
  const [, code] = /^(\d{4} \d{4})$/m.exec((await mailServer.next(email)).text)!
  assert.equal((await person.submit(page, '/login/code', { code: '0' })).status, 400)
  assert.equal((await person.submit(page, '/login/code', { code: code! })).status, 303)
  return { code: code!, cookies: [before, person.cookies.get('lectern-session')!] }
}

test('no secret appears in the log, in the output of the server, in an error or in a table', async () => {
  const org = (await call('GET', '/v1/orgs', adminToken)).body.items[0]
  const made = (
    await call('POST', '/v1/user/tokens', adminToken, { label: 'Spare' }, { 'idempotency-key': 'a-key-to-find' })
  ).body
  const invite = (await call('POST', `/v1/orgs/${org.id}/link-invites`, adminToken, { role: 'read' })).body
  const secret = invite.urls.invite.split('/').at(-1)
  const accepted = await call('POST', `/v1/invites/${secret}/accept`, undefined, { email: 'ada@example.com' })
  assert.equal(accepted.status, 200)
  const { code, cookies } = await signIn('ada@example.com')
  const guessed = 'lct_a-token-that-does-not-hold-at-all'
  const secrets = [
    adminToken,
    made.token,
    secret,
    accepted.body.token,
    ...cookies,
    'in-the-address-of-mail',
    guessed,
    secretOfInstance,
    'in-the-query',
    'in-a-header',
    'in-a-body',
    'a-key-to-find',
  ]

  const refusals = [
    await call('GET', '/v1/user', guessed),
    await call('GET', `/v1/orgs/${newId()}?shareKey=in-the-query&limit=in-the-query`, adminToken),
    await call('GET', `/v1/orgs?limit=in-the-query`, adminToken),
    await call('GET', `/v1/orgs/%zz${secret}`, adminToken),
    await call('POST', `/v1/invites/${secret}/accept`, undefined, {
      email: 'ada@example.com',
      displayName: 'in-a-body',
    }),
    await call('POST', `/v1/orgs/${newId()}/invites/${secret}`, adminToken, undefined, {
      cookie: 'in-a-header',
      'x-secret': 'in-a-header',
    }),
    await call('PATCH', `/v1/orgs/${org.id}`, adminToken, { title: ['in-a-body'] }),
    await call('GET', `/v1/unknown/${secret}`, adminToken),
  ]
  for (const { id, status, body } of refusals) {
    assert.ok(status >= 400)
    for (const each of secrets) assert.ok(!JSON.stringify(body).includes(each), `${each} is in ${JSON.stringify(body)}`)
    await linesOf(id)
  }
  await server.stop()

  const written = server.log() + server.output() + (await everyRow())
  for (const each of secrets) assert.ok(!written.includes(each), `${each} is kept where it can be read`)
  const told = server.log() + server.output()
  for (const each of [code, code.replace(' ', '')]) assert.ok(!told.includes(each), 'the code is told')
})

async function everyRow(): Promise<string> {
  const db = new Database({ connectionString: database.url }, readConfig({}).limits)
  const { rows: tables } = await db.pool.query(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await db.pool.query(`select t::text as row from ${name} t`)
      // Columns of bytes are decoded, too.
      return rows
        .map(
          ({ row }) =>
            row +
            row.replaceAll(/\\\\?x([0-9a-f]+)/g, (_: string, hex: string) =>
              Buffer.from(hex, 'hex').toString('latin1'),
            ),
        )
        .join('\n')
    }),
  )
  await db.close()
  return texts.join('\n')
}
