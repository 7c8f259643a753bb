import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { nobody, transaction } from '../src/db/transaction.ts'
import { sql } from '../src/db/sql.ts'
import { startApp } from './app.ts'
import { type TestPerson, aPerson, anOrganization } from './factories.ts'
import { stateOf } from './state.ts'

const app = await startApp()

const makeToken = ({ client }: TestPerson, key: string, body: object = { label: 'Mine' }, path = '/v1/user/tokens') =>
  client.post(path, body, { 'idempotency-key': key })

const tokensOf = async ({ client }: TestPerson) => (await client.get('/v1/user/tokens')).body.count as number

test('a repeat with the same key gets the first answer, secrets included, and has no second effect', async () => {
  const person = await aPerson(app)
  const key = randomUUID()
  const first = await makeToken(person, key)
  assert.deepEqual([first.status, first.headers.get('idempotency-replayed')], [201, null])
  const before = await stateOf(app.db)

  const repeat = await makeToken(person, key)
  assert.deepEqual([repeat.status, repeat.headers.get('idempotency-replayed')], [201, 'true'])
  assert.equal(repeat.text, first.text)
  assert.equal(repeat.headers.get('etag'), first.headers.get('etag'))
  assert.equal(await stateOf(app.db), before)
  assert.equal(await tokensOf(person), 2)
})

test('requests without a body and the PUT that creates a team can be repeated with a key as well', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const headers = { 'idempotency-key': randomUUID() }
  const team = () => client.put(`/v1/orgs/${org.id}/teams`, { title: 'Writers' }, headers)
  const [first, repeat] = [await team(), await team()]
  assert.deepEqual([first.status, repeat.status, repeat.headers.get('idempotency-replayed')], [201, 201, 'true'])
  assert.deepEqual(repeat.body, first.body)
  assert.equal((await client.get(`/v1/orgs/${org.id}/teams`)).body.count, 1)

  const ping = () => client.post(`/v1/orgs/${org.id}/ping`, undefined, headers)
  assert.deepEqual([(await ping()).body, (await ping()).body], [{}, {}])
  assert.equal((await ping()).headers.get('idempotency-replayed'), 'true')
})

test('a key reused with another body is refused, and another person or path has keys of its own', async () => {
  const [one, two] = [await aPerson(app), await aPerson(app)]
  const key = randomUUID()
  await makeToken(one, key)
  const refused = await makeToken(one, key, { label: 'Other' })
  assert.deepEqual([refused.status, refused.body.error.type], [400, 'idempotency_key_reused'])
  assert.equal(await tokensOf(one), 2)

  assert.equal((await makeToken(two, key, { label: 'Other' })).headers.get('idempotency-replayed'), null)
  assert.equal((await makeToken(one, key, { label: 'Other' }, '/v1/user/tokens?other')).status, 201)
  assert.deepEqual([await tokensOf(one), await tokensOf(two)], [3, 2])
})

test('a repeat while the first request still runs gets 409 with Retry-After', async () => {
  const org = await anOrganization(app)
  const reader = await org.member('read')
  const mark = () =>
    org.admin.client.post(`/v1/orgs/${org.id}/members/${reader.id}/sso`, undefined, { 'idempotency-key': 'running' })

  // Another transaction holds the row that the first request needs.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holder = transaction(app.db, nobody, async (tx) => {
    await tx.run(sql`select from members where user_id = ${reader.id} for update`)
    hold()
    await released
  })
  await held
  const first = mark()
  await untilSomebodyWaits()

  const repeat = await mark()
  assert.deepEqual(
    [repeat.status, repeat.body.error.type, repeat.headers.get('retry-after')],
    [409, 'still_running', '1'],
  )
  release()
  await holder
  assert.equal((await first).status, 200)
  assert.equal((await mark()).headers.get('idempotency-replayed'), 'true')
})

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await app.db.pool.query(`
      select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`)
    if (rows.length > 0) return
  }
}

test('of many requests at once with one key, exactly one has an effect', async () => {
  const person = await aPerson(app)
  const answers = await Promise.all(Array.from({ length: 12 }, () => makeToken(person, 'at-once')))
  const done = answers.filter(({ status }) => status === 201)
  assert.ok(done.length > 0)
  assert.deepEqual(
    answers.filter(({ status }) => status !== 201 && status !== 409),
    [],
  )
  assert.deepEqual(new Set(done.map(({ text }) => text)).size, 1)
  assert.equal(await tokensOf(person), 2)
})

test('a repeat after the caller lost access is refused and does not get the first answer', async () => {
  const org = await anOrganization(app)
  const second = await org.member('admin')
  const invite = () =>
    second.client.post(`/v1/orgs/${org.id}/link-invites`, { role: 'read' }, { 'idempotency-key': 'invite' })
  assert.equal((await invite()).status, 201)
  assert.equal((await invite()).headers.get('idempotency-replayed'), 'true')

  const path = `/v1/orgs/${org.id}/members/${second.id}`
  await org.admin.client.patch(path, { role: 'create' })
  assert.equal((await invite()).status, 403)
  await org.admin.client.delete(path)
  assert.equal((await invite()).status, 404)
  await second.client.delete(`/v1/user/tokens/${(await second.client.get('/v1/user/tokens')).body.items[0].id}`)
  assert.equal((await invite()).status, 401)
})

test('the answer to a key is kept for a day', async () => {
  const person = await aPerson(app)
  const age = (hours: number) =>
    app.db.run(
      sql`update idempotency set created_at = now() - make_interval(hours => ${hours}) where user_id = ${person.id}`,
    )
  const first = await makeToken(person, 'daily')
  await age(23)
  assert.equal((await makeToken(person, 'daily')).text, first.text)
  await age(25)
  const second = await makeToken(person, 'daily', { label: 'Another' })
  assert.deepEqual(
    [second.status, second.headers.get('idempotency-replayed'), second.body.label],
    [201, null, 'Another'],
  )
  assert.equal((await makeToken(person, 'daily', { label: 'Another' })).text, second.text)
})

test('a refused request does not use up its key', async () => {
  const org = await anOrganization(app)
  const key = { 'idempotency-key': 'again' }
  const path = `/v1/orgs/${org.id}/invites`
  assert.equal((await org.admin.client.post(path, { emails: ['nobody'] }, key)).status, 400)
  assert.equal((await org.admin.client.post(path, { emails: [] }, key)).status, 200)

  const member = await aPerson(app)
  const mark = () => org.admin.client.post(`/v1/orgs/${org.id}/members/${member.id}/sso`, undefined, key)
  assert.equal((await mark()).status, 404)
  await transaction(app.db, nobody, (tx) =>
    tx.run(sql`insert into members (organization_id, user_id, role) values (${org.id}, ${member.id}, 'read')`),
  )
  const done = await app
    .client(org.admin.client.token, [org.canary, ...wordsOf(member)])
    .post(`/v1/orgs/${org.id}/members/${member.id}/sso`, undefined, key)
  assert.deepEqual([done.status, done.headers.get('idempotency-replayed')], [200, null])
})

const wordsOf = ({ user }: TestPerson) => user.email.match(/canary\w{12}/)!

test('a key has 1 to 255 visible characters, and PATCH ignores it', async () => {
  const person = await aPerson(app)
  for (const key of ['', 'a b', 'x'.repeat(256), 'schlüssel', 'a, b']) {
    const refused = await makeToken(person, key)
    assert.equal(refused.status, 400, key)
    assert.equal(refused.body.error.details[0].path, 'header.idempotency-key')
  }
  assert.equal(await tokensOf(person), 1)
  for (const key of ['x', '~!{}"', 'x'.repeat(255)]) assert.equal((await makeToken(person, key)).status, 201, key)

  const rename = (displayName: string) =>
    person.client.patch(`/v1/users/${person.id}`, { displayName }, { 'idempotency-key': 'x' })
  assert.equal((await rename('Ada')).body.displayName, 'Ada')
  assert.equal((await rename('Grace')).body.displayName, 'Grace')
})

test('kept answers reveal neither a secret nor the key', async () => {
  const person = await aPerson(app)
  const { body } = await makeToken(person, 'a-key-of-mine')
  const { rows } = await app.db.pool.query(`select encode(body, 'escape') as kept, t::text as row from idempotency t`)
  for (const { kept, row } of rows) {
    assert.ok(!kept.includes(body.token) && !kept.includes('label'))
    assert.ok(!row.includes('a-key-of-mine'))
  }
})
