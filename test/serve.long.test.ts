import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { Person } from '../src/account/testing/person.ts'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { listMigrations, migrate } from '../src/db/migrate.ts'
import { cloneTemplate, emptyDatabase } from './database.ts'
import { aLossyWay } from './lossy-way.ts'
import { lectern, startByNpm, startServer, temporaryFolder } from './process.ts'
import { until } from './until.ts'

const token = 'a-token-of-the-operator-that-is-long-enough'

/**
 * By default on a database that is migrated already, which saves a second. `makeDatabase` can make an empty one
 * instead.
 */
async function anInstallation(makeDatabase = cloneTemplate) {
  const database = await makeDatabase()
  after(() => database.drop())
  const folder = await temporaryFolder()
  return { database, folder, environment: { DATABASE_URL: database.url, LECTERN_DATA: folder } }
}

const ask = (url: string, secret: string, path = '/v1/user', init: RequestInit = {}) =>
  fetch(url + path, { ...init, headers: { authorization: `Bearer ${secret}`, ...init.headers } })

const isThere = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )

test('a first start makes an organization, an administrator and a token that only its owner can read', async () => {
  const { folder, environment } = await anInstallation(emptyDatabase)
  const server = await startServer({ ...environment, LECTERN_ORG: 'Acme', LECTERN_ADMIN_EMAIL: 'root@acme.test' })
  const file = join(folder, 'admin-token')
  const secret = (await readFile(file, 'utf8')).trim()

  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.ok(!server.output().includes(secret) && !server.log().includes(secret))
  assert.match(
    server.output(),
    /create a code: npm run --silent lectern -- users sign-in-code --email root@acme\.test$/m,
  )
  const told = [...server.output().matchAll(/http:\/\/[^\s)]+/g)].map(([address]) => address)
  assert.deepEqual(told, [`${server.url}/`, `${server.url}/v1/`, `${server.url}/docs/api`])
  for (const address of told) assert.equal((await fetch(address)).status, 200, address)
  const user = (await (await ask(server.url, secret)).json()) as { email: string }
  assert.equal(user.email, 'root@acme.test')
  const { items } = (await (await ask(server.url, secret, '/v1/orgs')).json()) as {
    items: { title: string; permissions: { admin: boolean } }[]
  }
  assert.deepEqual(
    items.map(({ title, permissions }) => [title, permissions.admin]),
    [['Acme', true]],
  )
  await server.stop()

  const again = await startServer({ ...environment, LECTERN_TOKEN: secret, LECTERN_DEMOS: 'off' })
  assert.equal((await ask(again.url, secret)).status, 200)
  assert.doesNotMatch(again.output(), /First start/)
  // A setting with a mistyped name is reported.
  assert.match(again.output(), /^LECTERN_DEMOS is not a setting/m)
  assert.doesNotMatch(again.output(), /LECTERN_(TOKEN|DATA)/)
  await again.stop()
})

test('a first start in a terminal shows a code that signs the administrator in', async () => {
  const { folder, environment } = await anInstallation(emptyDatabase)
  const terminal = join(folder, 'terminal.mjs')
  await writeFile(terminal, 'process.stdout.isTTY = true')
  const server = await startServer({ ...environment, NODE_OPTIONS: `--import=${pathToFileURL(terminal).href}` })
  const [, path] = new RegExp(`^Sign in with a browser: ${server.url}(\\S+)$`, 'm').exec(server.output())!
  const [, code] = /^Your code, valid for ten minutes: (\d+) /m.exec(server.output())!
  const person = new Person(server)
  const account = await person.follow(await person.submit(await person.get(path!), '/login/code', { code: code! }))
  assert.match(account.text, /<h1>Administrator<\/h1>/)
  await server.stop()
})

test('a first start publishes documentation about Lectern, a restart keeps it, and the front page links to it', async () => {
  const { environment } = await anInstallation(emptyDatabase)
  const server = await startServer({ ...environment, LECTERN_DEMO: 'on' })
  const docs = await fetch(`${server.url}/docs`)
  assert.match(docs.url, /\/sites\/my-organization\/lectern\/$/)
  assert.match(await docs.text(), /Welcome to Lectern/)
  for (const path of ['start/first-page', 'write/blocks', 'publish/audience', 'build/first-call', 'operate/settings']) {
    const page = await fetch(docs.url + path)
    assert.equal(page.status, 200, path)
    assert.doesNotMatch(await page.text(), /does not exist/)
  }
  const blocks = async (query: string) => (await fetch(`${docs.url}write/blocks${query}`)).text()
  assert.doesNotMatch(await blocks(''), /Only readers who come with/)
  assert.match(await blocks('?visitor.isBeta=true'), /Only readers who come with/)
  assert.match(await (await fetch(server.url)).text(), /href="[^"]*\/docs"/)
  await server.stop()

  const again = await startServer({ ...environment, LECTERN_DEMO: 'on' })
  assert.match(await (await fetch(`${again.url}/docs`)).text(), /Welcome to Lectern/)
  await again.stop()
})

test('a new LECTERN_ADMIN_TOKEN replaces the old token, and a revoked one never works again', async () => {
  const { environment } = await anInstallation()
  const first = await startServer({ ...environment, LECTERN_ADMIN_TOKEN: token })
  assert.equal((await ask(first.url, token)).status, 200)
  await first.stop()

  const second = await startServer({ ...environment, LECTERN_ADMIN_TOKEN: `${token}-2` })
  assert.equal((await ask(second.url, token)).status, 401)
  assert.equal((await ask(second.url, `${token}-2`)).status, 200)
  await second.stop()

  const third = await startServer({ ...environment, LECTERN_ADMIN_TOKEN: token })
  assert.equal((await ask(third.url, token)).status, 401)
  assert.equal((await ask(third.url, `${token}-2`)).status, 200)
  await third.stop()
})

test('a server started by npm ends together with the shell that npm started it in', async () => {
  const { environment } = await anInstallation()
  const server = await startServer(environment, { by: startByNpm })
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  await server.stop()
  await until('it is gone', async () => !(await isThere(server.url)))
})

test('the server goes on when nobody reads its output any more', async () => {
  const { environment } = await anInstallation()
  const server = await startServer(environment, { ready: false })
  server.child.stdout!.destroy()
  await until('it serves', async () => (await fetch(`${server.url}/healthz`)).ok)
  assert.equal((await server.stop()).code, 0)
})

test('a reachable server warns if LECTERN_URL is not set, or LECTERN_TRUSTED_PROXIES behind an https address', async () => {
  const { environment } = await anInstallation()
  for (const [settings, isTold] of [
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '0.0.0.0', LECTERN_URL: 'https://docs.acme.test' }, false],
    [{ LECTERN_TRUSTED_PROXIES: '127.0.0.1' }, true],
    [{ LECTERN_SMTP_URL: 'smtp://127.0.0.1', LECTERN_MAIL_FROM: 'docs@acme.test' }, true],
    [{ LECTERN_OIDC_ISSUER: 'https://id.acme.test', LECTERN_OIDC_CLIENT_ID: 'docs' }, true],
    [{}, false],
  ] as const) {
    const server = await startServer({ ...environment, ...settings })
    assert.equal(/LECTERN_URL is not set/.test(server.output()), isTold, JSON.stringify(settings))
    // LECTERN_URL is an https address, so a proxy in front of the server handles TLS.
    const hasProxy = 'LECTERN_URL' in settings
    assert.equal(/LECTERN_TRUSTED_PROXIES is not set/.test(server.output()), hasProxy, JSON.stringify(settings))
    await server.stop()
  }
})

test('two processes that start at once on an empty database make one installation', async () => {
  const { environment } = await anInstallation(emptyDatabase)
  const both = await Promise.all([
    startServer({ ...environment, LECTERN_ADMIN_TOKEN: token }),
    startServer({ ...environment, LECTERN_ADMIN_TOKEN: token }),
  ])
  for (const server of both) {
    const { count } = (await (await ask(server.url, token, '/v1/orgs')).json()) as { count: number }
    assert.equal(count, 1)
    await server.stop()
  }
})

test('a first start by "migrate" says where its token is', async () => {
  const { environment } = await anInstallation(emptyDatabase)
  const { stderr } = await lectern(['migrate'], environment)
  assert.equal(
    stderr.replace(environment.LECTERN_DATA, ''),
    "This was a first start: the administrator's API token is in /admin-token\n",
  )
  assert.equal((await lectern(['migrate'], environment)).stderr, '')
})

test('a server told to stop answers the requests it has begun, takes no new ones, and ends within five seconds', async () => {
  const { database, environment } = await anInstallation()
  const server = await startServer({ ...environment, LECTERN_ADMIN_TOKEN: token })
  const { items } = (await (await ask(server.url, token, '/v1/orgs')).json()) as { items: { id: string }[] }
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('begin; select from organizations for update')

  const slow = ask(server.url, token, `/v1/orgs/${items[0]!.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Renamed' }),
  })
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until('it is begun', async () => (await holder.query(waiting)).rowCount === 1)
  const stopped = server.stop()
  await until('it takes no new connections', async () => !(await isThere(server.url)))
  await holder.query('commit')
  await holder.end()

  assert.equal((await slow).status, 200)
  const { code, ms } = await stopped
  assert.equal(code, 0)
  assert.ok(ms < 5_000, `took ${ms} ms`)
})

test('a server told to stop does not wait for mail servers and websites, and leaves its import to be continued elsewhere', async () => {
  const { database, environment } = await anInstallation()
  // A server that sends something now and then, and never finishes its answer.
  const endless = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<h1>One</h1>')
      const drip = setInterval(() => socket.write(' '), 100)
      socket.on('close', () => clearInterval(drip))
    })
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  after(() => endless.close())
  const { port } = endless.address() as AddressInfo
  const server = await startServer({
    ...environment,
    LECTERN_ADMIN_TOKEN: token,
    LECTERN_FETCH_ALLOW: '127.0.0.1',
    LECTERN_SMTP_URL: `smtp://127.0.0.1:${port}`,
    LECTERN_MAIL_FROM: 'lectern@example.com',
  })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(server.url, token, path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return (await answer.json()) as { id: string }
  }
  const { items } = (await (await ask(server.url, token, '/v1/orgs')).json()) as { items: { id: string }[] }
  const organization = items[0]!.id
  await post(`/v1/orgs/${organization}/invites`, { emails: ['somebody@example.com'] })
  const { id: space } = await post(`/v1/orgs/${organization}/spaces`, { editMode: 'live' })
  const source = { type: 'website', url: `http://127.0.0.1:${port}/` }
  await post(`/v1/org/${organization}/imports`, { source, target: { space } })
  const connections = promisify(endless.getConnections.bind(endless))
  while ((await connections()) < 2) await sleep(20)

  const { code, ms } = await server.stop()
  assert.equal(code, 0)
  assert.ok(ms < 5_000, `took ${ms} ms`)
  const looker = new pg.Client({ connectionString: database.url })
  await looker.connect()
  const { rows } = await looker.query('select status, due_at <= now() as due from import_runs')
  await looker.end()
  assert.deepEqual(rows, [{ status: 'pending', due: true }])
})

test('a server told to stop ends even if its database does not answer or another node is migrating it', async () => {
  const { database, folder, environment } = await anInstallation()
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('select pg_advisory_lock(5711032)')
  const waiting = await startServer(environment, { ready: false })
  assert.ok(await Promise.race([waiting.stop(), sleep(30_000, undefined, { ref: false })]), 'it waits for the other')
  await holder.end()

  const { way, url } = await aLossyWay(database.url)
  const server = await startServer({ DATABASE_URL: url, LECTERN_DATA: folder, LECTERN_ADMIN_TOKEN: token })
  assert.equal((await ask(server.url, token)).status, 200)
  way.isMute = true
  const ended = await Promise.race([server.stop(), sleep(30_000, undefined, { ref: false })])
  assert.ok(ended, 'it waits')
})

test('a server that gets both SIGINT and SIGTERM ends normally', async () => {
  const { environment } = await anInstallation()
  const server = await startServer(environment)
  server.child.kill('SIGINT')
  assert.equal((await server.stop('SIGTERM')).code, 0)
})

test('a server without its database stays up, answers 503, and recovers by itself', async () => {
  const { database, environment } = await anInstallation()
  const server = await startServer({ ...environment, LECTERN_ADMIN_TOKEN: token })
  await database.close()
  const refused = await ask(server.url, token)
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal((await fetch(`${server.url}/healthz`)).status, 503)

  await database.reopen()
  const from = performance.now()
  while ((await ask(server.url, token)).status !== 200) assert.ok(performance.now() - from < 30_000)
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  assert.equal((await server.stop()).code, 0)
})

test('a server whose database is away at the start waits for it and says so', async () => {
  const { database, environment } = await anInstallation()
  await database.close()
  const server = await startServer({ ...environment, LECTERN_ADMIN_TOKEN: token }, { ready: false })
  assert.equal((await fetch(`${server.url}/healthz`)).status, 503)
  assert.equal((await ask(server.url, token)).status, 503)
  const from = performance.now()
  while (!/^The database cannot be reached: .+\. Waiting for it\.$/m.test(server.output())) {
    assert.ok(performance.now() - from < 30_000, server.output())
    await sleep(20)
  }
  await database.reopen()
  while ((await ask(server.url, token)).status !== 200) {
    assert.ok(performance.now() - from < 60_000)
    await sleep(50)
  }
  await server.stop()
})

test('a command reports at once that the database asks for a password that DATABASE_URL does not have', async () => {
  const { environment } = await anInstallation()
  const answers = ['R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'R\0\0\0\x19\0\0\0\x0br=x,s=eA==,i=4096']
  const asking = createServer((socket) => {
    const left = [...answers]
    socket.on('error', () => {})
    socket.on('data', () => socket.write(left.shift() ?? ''))
  })
  await promisify((done: () => void) => asking.listen(0, '127.0.0.1', done))()
  after(() => asking.close())
  const { port } = asking.address() as AddressInfo
  const DATABASE_URL = `postgres://lectern@127.0.0.1:${port}/lectern`
  const secret = { LECTERN_SECRET: 's'.repeat(32) }
  const { code, stderr } = await lectern(['doctor'], { ...environment, ...secret, DATABASE_URL })
  const sentence = 'The database cannot be reached: it asks for a password, and DATABASE_URL has none\n'
  assert.deepEqual([code, stderr], [1, sentence])
})

test('a server whose file store is away at the start waits for it and says so, and a command fails with the reason', async () => {
  const { environment } = await anInstallation()
  const s3 = {
    LECTERN_S3_ENDPOINT: 'http://127.0.0.1:9',
    LECTERN_S3_BUCKET: 'bucket',
    LECTERN_S3_REGION: 'eu-x',
    LECTERN_S3_ACCESS_KEY: 'key',
    LECTERN_S3_SECRET_KEY: 'secret',
  }
  const away = 'The S3 store cannot be reached at http://127.0.0.1:9/ (LECTERN_S3_ENDPOINT)'
  const server = await startServer({ ...environment, ...s3 }, { ready: false })
  const from = performance.now()
  while (!server.output().includes(`${away}. Waiting for it.`)) {
    assert.ok(performance.now() - from < 30_000, server.output())
    await sleep(20)
  }
  assert.equal((await fetch(`${server.url}/healthz`)).status, 503)
  await server.stop()
  const { code, stderr } = await lectern(['migrate'], { ...environment, ...s3 })
  assert.deepEqual([code, stderr.trim()], [1, away])
})

test('a node with another secret or another file store is refused', async () => {
  const { environment } = await anInstallation()
  await (await startServer(environment)).stop()

  const otherFolder = await temporaryFolder()
  const stranger = startServer({ ...environment, LECTERN_DATA: otherFolder })
  await assert.rejects(stranger, /a different secret.*LECTERN_SECRET/)
  const secret = (await readFile(join(environment.LECTERN_DATA, 'secret'), 'utf8')).trim()
  const elsewhere = startServer({ ...environment, LECTERN_DATA: otherFolder, LECTERN_SECRET: secret })
  await assert.rejects(elsewhere, /keeps its files elsewhere/)
})

test('a start that updates the database of an older version says so, once', async () => {
  const { database, environment } = await anInstallation(emptyDatabase)
  const db = new Database({ connectionString: database.url }, readConfig({}).limits)
  const names = await listMigrations()
  const last = names.at(-1)!
  await migrate(db, undefined, { only: names.slice(0, -1) })
  await db.close()
  const server = await startServer(environment)
  assert.ok(server.output().startsWith(`Updating the database (${last}). Older versions of Lectern cannot use it`))
  await server.stop()
  const again = await startServer(environment)
  assert.doesNotMatch(again.output(), /Updating the database/)
  await again.stop()
})

test('the server does not start on a database that a newer version has migrated', async () => {
  const { database, environment } = await anInstallation()
  await (await startServer(environment)).stop()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`insert into migrations (name, checksum) values ('9999_from_the_future', 'x')`)
  await client.end()
  await assert.rejects(startServer(environment), /newer Lectern.*9999_from_the_future/)
})

test('a database with other content, without the right to create tables, or not in UTF8 is refused with what to do', async () => {
  const { database, environment } = await anInstallation(emptyDatabase)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('create table users (id int)')
  const used = await lectern(['migrate'], environment)
  assert.match(used.stderr, /^This database contains something else .*DATABASE_URL to an empty one\.\n$/)

  const name = `stranger_${randomUUID().slice(0, 8)}`
  await client.query(`drop table users; create role ${name} login password 'p'`)
  const url = database.url.replace(/\/\/[^@]*@/, `//${name}:p@`)
  const stranger = await lectern(['migrate'], { ...environment, DATABASE_URL: url })
  assert.match(stranger.stderr, /^The user of DATABASE_URL is not allowed to create tables .*owner/)

  const latin = `latin_${randomUUID().slice(0, 8)}`
  await client.query(
    `create database ${latin} encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C' template template0`,
  )
  const there = database.url.replace(/(@[^/]*\/)[^?]*/, `$1${latin}`)
  const other = await lectern(['migrate'], { ...environment, DATABASE_URL: there })
  assert.match(other.stderr, /^The encoding of the database must be UTF8, but is LATIN1/)
  await client.query(`drop database ${latin}`)
  await client.query(`drop role ${name}`)
  await client.end()
})

test('every wrong setting is refused by name, with what would be right', () => {
  const wrong: Record<string, string> = {
    LECTERN_SITES_HOST: 'https://sites.example.com',
    LECTERN_TRUSTED_PROXIES: '127.0.0.1, proxy.internal',
    LECTERN_ADMIN_EMAIL: 'me',
    LECTERN_ORG: 'x'.repeat(256),
    LECTERN_SMTP_URL: 'mail.example.com',
    LECTERN_URL: 'docs.example.com',
    LECTERN_DATA: '~/data',
    LECTERN_S3_ENDPOINT: 's3.example.com',
    DATABASE_URL: 'postgres://lectern:pa#ss/word@localhost/lectern',
  }
  for (const [name, value] of Object.entries(wrong)) {
    assert.throws(() => readConfig({ [name]: value }), { message: new RegExp(`^${name} must `) }, name)
  }
  assert.throws(
    () => readConfig({ LECTERN_RATE_LIMIT: 'none' }),
    /^Error: LECTERN_RATE_LIMIT must be off, or a whole number/,
  )
  assert.throws(() => readConfig({ LECTERN_MAIL_FROM: 'a@b.test' }), /set LECTERN_SMTP_URL too/)
  assert.throws(() => readConfig({ DATABASE_URL: 'mysql://a@b/c' }), /^Error: DATABASE_URL must be .*postgres:/)
  for (const url of ['postgres://u:p%23@h/d', 'postgresql://u:p@/d?host=/run/pg', 'postgres:///d?host=/run/pg']) {
    assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
  }
  const withTls = readConfig({ DATABASE_URL: 'postgres://u:p@h/d?sslmode=require&connect_timeout=5' })
  assert.equal(withTls.databaseUrl, 'postgres://u:p@h/d?sslmode=verify-full&connect_timeout=5')
  const database = (options: string) => () => readConfig({ DATABASE_URL: `postgres://u:p@h/d?${options}` })
  for (const options of ['sslmode=nonsense', 'sslmode=allow', 'sslmode=', 'sslmode=require&sslmode=Require']) {
    assert.throws(database(options), /sslmode in DATABASE_URL must be one of disable, prefer, .*, no-verify, but is "/)
  }
  assert.throws(database('uselibpqcompat=true&sslmode=no-verify'), /sslmode .* verify-full, but is "no-verify"/)
  assert.throws(database('ssl=false'), /ssl in DATABASE_URL must be one of true, 1, 0, no-verify, but is "false"/)
  assert.throws(database('sslmode=verify-full&sslrootcert=/nope'), /sslrootcert .* must be a file that can be read/)
  const noPem = encodeURIComponent(import.meta.filename)
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    assert.throws(
      database(`sslmode=verify-full&${name}=${noPem}`),
      new RegExp(`${name} .* must be a file in PEM format`),
    )
  }
  for (const options of ['sslmode=disable', 'sslmode=no-verify', 'uselibpqcompat=true&sslmode=require', 'ssl=true']) {
    assert.doesNotThrow(database(options), options)
  }
  const { sitesHost, trustedProxies } = readConfig({
    LECTERN_SITES_HOST: 'Sites.localhost:3000',
    LECTERN_TRUSTED_PROXIES: '10.0.0.0/8 ::1',
  })
  assert.deepEqual([sitesHost, trustedProxies], ['sites.localhost:3000', ['10.0.0.0/8', '::1']])
})

test('a wrong setting or a taken port stops the start with a sentence, not a stack', async () => {
  const { environment } = await anInstallation()
  const wrong = await lectern(['serve'], { ...environment, PORT: 'eighty' })
  assert.equal(wrong.code, 1)
  assert.equal(wrong.stderr, 'PORT must be a whole number from 0 to 65535, but is "eighty".\n')

  const nowhere = await lectern(['serve'], { ...environment, HOST: '192.0.2.1' })
  assert.match(nowhere.stderr, /(^|\n)HOST must be an address or a name of this machine.*192\.0\.2\.1.*\n$/)
  const file = join(environment.LECTERN_DATA, 'file')
  await writeFile(file, '')
  const noFolder = await lectern(['serve'], { ...environment, LECTERN_DATA: file })
  assert.match(noFolder.stderr, /^Lectern cannot use the data folder .*set LECTERN_DATA/)
  const noFonts = await lectern(['serve'], { ...environment, LECTERN_FONTS: file })
  assert.match(noFonts.stderr, /^LECTERN_FONTS must be a folder/)
  for (const { code } of [nowhere, noFolder, noFonts]) assert.equal(code, 1)

  const server = await startServer(environment)
  const taken = await lectern(['serve'], { ...environment, PORT: new URL(server.url).port })
  assert.equal(taken.code, 1)
  assert.match(taken.stderr, /^Port \d+ is in use/)
  await server.stop()
})
