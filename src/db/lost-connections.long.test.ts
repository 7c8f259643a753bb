// Tests about connections that break at the worst moment.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { aPerson } from '../../test/factories.ts'
import { aLossyWay } from '../../test/lossy-way.ts'
import { until } from '../../test/until.ts'
import { Browser, aSite, expect } from '../../test/visitor.ts'
import { makeApp } from '../app.ts'
import { openStore } from '../storage/open.ts'
import { Database, DatabaseUnavailable } from './connect.ts'
import { sql } from './sql.ts'

const app = await startApp()

async function aNodeOn(url: string, config = app.config) {
  const db = new Database({ connectionString: url }, config.limits)
  const node = await makeApp({ config, db, secrets: app.app.secrets, store: openStore(config) })
  node.health.ready = true
  const address = await node.listen({ port: 0, host: '127.0.0.1' })
  after(async () => {
    await node.close()
    await db.close()
  })
  return address
}

test('readers see a write whose commit was lost on the way as soon as its retry is answered', async () => {
  const { way, url } = await aLossyWay(app.databaseUrl)
  const address = await aNodeOn(url)
  const site = await aSite(app)
  const reader = new Browser(address)
  /** Sends a request, loses its answer, and repeats the request until there is an answer. */
  async function writeTwice(method: string, path: string, key: string, body?: object): Promise<number> {
    assert.equal((await reader.get(site.address)).status, 200)
    const write = () =>
      fetch(address + path, {
        method,
        headers: {
          authorization: `Bearer ${site.who.token}`,
          ...(body && { 'content-type': 'application/json' }),
          'idempotency-key': key,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
    way.isArmed = true
    const lost = await write()
    way.isArmed = false
    assert.equal(lost.status, 503)
    assert.ok(lost.headers.get('retry-after'))
    // Readers visit the site in between, and see its state at that moment.
    await reader.get(site.address)
    let repeat = await write()
    while (repeat.status === 409 || repeat.status === 503) {
      await sleep(20)
      repeat = await write()
    }
    if (method === 'POST') assert.equal(repeat.headers.get('idempotency-replayed'), 'true')
    return repeat.status
  }
  for (let round = 0; round < 3; round++) {
    const changes = [newPage(`Round ${round}`)]
    const path = `/v1/spaces/${site.space.id}/content`
    assert.equal(await writeTwice('POST', path, `round-${round}`, { changes }), 200)
    assert.equal((await reader.get(`${site.address}round-${round}`)).status, 200, `round ${round}`)

    const redirect = { source: `/r${round}`, destination: { kind: 'external', url: 'https://x.example/' } }
    const { id } = expect(await site.who.post(`${site.path}/redirects`, redirect), 201)
    await until('it leads there', async () => (await reader.get(`${site.address}r${round}`)).status === 307)
    assert.equal(await writeTwice('DELETE', `${site.path}/redirects/${id}`, `redirect-${round}`), 404, 'it is gone')
    assert.equal((await reader.get(`${site.address}r${round}`)).status, 404, `redirect ${round}`)
  }
  const { body } = await site.who.get(`${site.space.path}/content`)
  const titles = body.pages.map(({ title }: { title: string }) => title)
  assert.deepEqual(titles, ['Welcome', 'Guide', 'Round 0', 'Round 1', 'Round 2'])
  expect(await site.who.get(site.path), 200)
})

test('a connection lost at the moment it becomes ready does not end the process', async () => {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const isGood = message('R', Buffer.alloc(4))
  const isReady = message('Z', Buffer.from('I'))
  const isOver = message(
    'E',
    Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
  )
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([isGood, isReady, isOver])))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const db = new Database({ host: '127.0.0.1', port, user: 'x', password: 'x' }, app.config.limits)
  for (let i = 0; i < 3; i++) await assert.rejects(db.run(sql`select 1`.asSlow()), DatabaseUnavailable)
  await db.close()
  server.close()
})

test('/healthz reports a stuck database before requests give up waiting for it', async () => {
  const { way, url } = await aLossyWay(app.databaseUrl)
  const limits = { ...app.config.limits, poolWaitMs: 200, statementMs: 2_000 }
  const address = await aNodeOn(url, { ...app.config, limits })
  const { client } = await aPerson(app)
  const ask = () => fetch(`${address}/v1/user`, { headers: { authorization: `Bearer ${client.token}` } })
  assert.equal((await ask()).status, 200)
  assert.equal((await fetch(`${address}/healthz`)).status, 200)
  way.isMute = true
  const answers: string[] = []
  const slow = sleep(150)
    .then(ask)
    .then(({ status }) => answers.push(`request ${status}`))
  const health = await fetch(`${address}/healthz`)
  answers.push(`health ${health.status}`)
  assert.ok(health.headers.get('retry-after'))
  await slow
  assert.deepEqual(answers, ['health 503', 'request 503'])
})

test('reads while connections break leave no connection open', async () => {
  const name = 'lectern reads'
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`
  const left = sql<{ count: number }>`select count(*) from pg_stat_activity where application_name = ${name}`
  for (let round = 0; round < 10; round++) {
    const db = new Database({ connectionString: app.databaseUrl }, app.config.limits)
    const read = () => db.one(sql`select set_config('application_name', ${name}, false)`)
    await read()
    const ending = app.db.run(end)
    // Reads at every moment while the connection ends, so also between the two events that report it.
    for (const from = performance.now(); performance.now() < from + 50;) await read().catch(() => {})
    await ending
    await db.close()
  }
  // A closed connection takes a moment to disappear from the server.
  for (let tries = 0; tries < 100 && (await app.db.one(left)).count > 0; tries++) await sleep(50)
  assert.equal((await app.db.one(left)).count, 0)
})
