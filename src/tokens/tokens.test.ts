import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestPerson, aPerson, anOrganization } from '../../test/factories.ts'
import { until } from '../../test/until.ts'
import { type Statement, sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { addMember } from '../organizations/members.actions.ts'
import { newSecret } from '../secrets.ts'
import { createToken, revokeToken } from './actions.ts'

const app = await startApp()

test("a new token works at once with its owner's rights, and its secret is shown only once", async () => {
  const person = await aPerson(app)
  const created = await create(person, { label: 'Laptop' })
  assert.equal(created.status, 201)
  assert.match(created.body.token, /^lct_[\w-]{43}$/)
  assert.deepEqual([created.body.label, created.body.scopes], ['Laptop', null])

  const { body: user } = await app.client(created.body.token, emailWords(person)).get('/v1/user')
  assert.equal(user.id, person.id)
  for (const path of ['/v1/user/tokens', `/v1/user/tokens/${created.body.id}`]) {
    assert.ok(!(await person.client.get(path)).text.includes(created.body.token))
  }
  const stored = sql`select count(*) from tokens where id = ${created.body.id} and tokens::text like ${`%${created.body.token}%`}`
  assert.equal(await countRows(stored), 0)
})

test('people list their own tokens newest first, page by page, and others get 404', async () => {
  const person = await aPerson(app)
  const other = await aPerson(app)
  const { body: mine } = await create(person, { label: 'Mine' })

  const first = (await person.client.get('/v1/user/tokens?limit=1')).body
  const second = (await person.client.get(`/v1/user/tokens?limit=1&page=${first.next.page}`)).body
  assert.deepEqual(
    [first.count, first.items[0].id, second.items[0].label, second.next],
    [2, mine.id, 'Tests', undefined],
  )

  const foreign = await other.client.get(`/v1/user/tokens/${mine.id}`)
  assert.equal(foreign.status, 404)
  assert.deepEqual(foreign.body, (await other.client.get(`/v1/user/tokens/${newId()}`)).body)
  assert.equal((await other.client.delete(`/v1/user/tokens/${mine.id}`)).status, 404)
  assert.equal((await person.client.get(`/v1/user/tokens/${mine.id}`)).status, 200)
})

test('a revoked token stops working at the next request', async () => {
  const person = await aPerson(app)
  const { body } = await create(person, { label: 'Lost' })
  const lost = app.client(body.token, emailWords(person))
  assert.equal((await lost.get('/v1/user')).status, 200)

  assert.equal((await person.client.delete(`/v1/user/tokens/${body.id}`)).status, 204)
  assert.equal((await lost.get('/v1/user')).status, 401)
  assert.equal((await person.client.get(`/v1/user/tokens/${body.id}`)).status, 404)
  assert.equal((await person.client.delete(`/v1/user/tokens/${body.id}`)).status, 404)
})

test('a token shows when it was last used, and a use does not make its ETag stale for a write', async () => {
  const person = await aPerson(app)
  const { body: unused } = await create(person, { label: 'Unused' })
  const { body: used } = await create(person, { label: 'Used' })
  const before = await person.client.get(`/v1/user/tokens/${used.id}`)
  assert.equal(before.body.lastUsedAt, undefined)

  const began = Date.now()
  assert.equal((await app.client(used.token, emailWords(person)).get('/v1/user')).status, 200)
  const shown = await person.client.get(`/v1/user/tokens/${used.id}`)
  assert.ok(Math.abs(Date.parse(shown.body.lastUsedAt) - began) < 60_000, shown.text)
  assert.notEqual(shown.headers.get('etag'), before.headers.get('etag'))
  const listed = (await person.client.get('/v1/user/tokens')).body.items as { id: string; lastUsedAt?: string }[]
  assert.deepEqual(
    listed.filter(({ lastUsedAt }) => lastUsedAt === undefined).map(({ id }) => id),
    [unused.id],
  )

  const ifMatch = { 'if-match': before.headers.get('etag')! }
  assert.equal((await person.client.delete(`/v1/user/tokens/${used.id}`, ifMatch)).status, 204)
})

test('a token can revoke itself', async () => {
  const person = await aPerson(app)
  const { body } = await create(person, { label: 'Short' })
  const itself = app.client(body.token)
  assert.equal((await itself.delete(`/v1/user/tokens/${body.id}`)).status, 204)
  assert.equal((await itself.get('/v1/user')).status, 401)
})

test('a token cannot make a token that outlives it', async () => {
  const person = await aPerson(app)
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const short = (await create(person, { label: 'Short', expiresAt: inMinutes(10) })).body
  const make = (body: object) => app.client(short.token).post('/v1/user/tokens', { label: 'Made', ...body })
  assert.equal((await make({})).body.expiresAt, short.expiresAt)
  assert.equal((await make({ expiresAt: null })).body.expiresAt, short.expiresAt)
  const sooner = inMinutes(5)
  assert.equal((await make({ expiresAt: sooner })).body.expiresAt, sooner)
  const refused = await make({ expiresAt: inMinutes(11) })
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.expiresAt'])
})

test('a token revoked while it makes another token gets 401 and makes none', async () => {
  const person = await aPerson(app)
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { body: stolen } = await create(person, { label: 'Stolen', expiresAt })
  const client = app.client(stolen.token, emailWords(person))
  let asked: ReturnType<typeof client.post> | undefined
  await transaction(app.db, nobody, async (tx) => {
    await revokeToken(tx, stolen.id)
    asked = client.post('/v1/user/tokens', { label: 'Heir' })
    const waits = sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%for share of t%'`
    await until('it waits for whether it is revoked', async () => (await app.db.one(waits)).n > 0)
  })
  assert.equal((await asked!).status, 401)
  const labels = (await person.client.get('/v1/user/tokens')).body.items.map((each: { label: string }) => each.label)
  assert.deepEqual(labels, ['Tests'])
})

test('unknown, expired, revoked and malformed tokens and those of disabled people get the same 401', async () => {
  const person = await aPerson(app)
  const disabled = await aPerson(app)
  const expired = await transaction(app.db, nobody, (tx) =>
    createToken(tx, { userId: person.id, label: 'Expired', expiresAt: new Date(Date.now() - 1000) }),
  )
  const revoked = (await create(person, { label: 'Revoked' })).body
  await person.client.delete(`/v1/user/tokens/${revoked.id}`)
  await transaction(app.db, nobody, (tx) => tx.run(sql`update users set disabled = true where id = ${disabled.id}`))

  const refused = []
  for (const token of [`lct_${newSecret()}`, expired.secret, revoked.token, 'short', disabled.client.token]) {
    refused.push(await app.client(token).get('/v1/user'))
  }
  refused.push(await app.client().get('/v1/user'))
  for (const { status, body, headers } of refused) {
    assert.equal(status, 401)
    assert.equal(headers.get('www-authenticate'), 'Bearer')
    assert.deepEqual(body, refused[0]!.body)
  }
})

test('a token stops working when it expires', async () => {
  const person = await aPerson(app)
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const { body } = await create(person, { label: 'A minute', expiresAt })
  assert.equal(body.expiresAt, expiresAt)
  const client = app.client(body.token, emailWords(person))
  assert.equal((await client.get('/v1/user')).status, 200)

  await transaction(app.db, nobody, (tx) => tx.run(sql`update tokens set expires_at = now() where id = ${body.id}`))
  assert.equal((await client.get('/v1/user')).status, 401)
})

test('a narrowed token can do what its scopes name and nothing else', async () => {
  const org = await anOrganization(app)
  const { body } = await create(org.admin, { label: 'Narrow', scopes: ['organization:read'] })
  assert.deepEqual(body.scopes, ['organization:read'])
  const narrow = app.client(body.token, [org.canary])

  assert.equal((await narrow.get(`/v1/orgs/${org.id}`)).status, 200)
  const refusals = [
    await narrow.get('/v1/user'),
    await narrow.get(`/v1/orgs/${org.id}/members`),
    await narrow.patch(`/v1/orgs/${org.id}`, { title: 'Mine now' }),
  ]
  for (const { status, body } of refusals) assert.deepEqual([status, body.error.type], [403, 'insufficient_scope'])
  assert.match(refusals[0]!.body.error.message, /user:read/)
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}`)).body.title, `Organization ${org.canary}`)
})

test("scopes give nothing beyond the owner's own rights", async () => {
  const org = await anOrganization(app)
  const reader = await org.member('read')
  const { body } = await create(reader, { label: 'Wide', scopes: ['organization:write', 'organization:members:write'] })
  assert.equal((await app.client(body.token).patch(`/v1/orgs/${org.id}`, { title: 'Mine now' })).status, 403)
})

test('actions without a scope, like making and revoking tokens, need a token that is not narrowed', async () => {
  const person = await aPerson(app)
  const { scopes } = await import('../access/scopes.ts')
  const { body } = await create(person, { label: 'Every scope', scopes: [...scopes] })
  const narrow = app.client(body.token, emailWords(person))

  const refusals = [
    await narrow.post('/v1/user/tokens', { label: 'Wider' }),
    await narrow.delete(`/v1/user/tokens/${body.id}`),
    await narrow.patch(`/v1/users/${person.id}`, { displayName: 'Somebody' }),
    await narrow.post('/v1/orgs', { title: 'Another' }),
  ]
  for (const { status, body } of refusals) assert.deepEqual([status, body.error.type], [403, 'insufficient_scope'])
  assert.equal((await narrow.get('/v1/user/tokens')).body.count, 2)
})

test('a token with a missing, blank or too long label, unknown scopes or a past expiry is refused by field', async () => {
  const person = await aPerson(app)
  const refusal = async (body: unknown) => {
    const answer = await create(person, body)
    assert.equal(answer.status, 400)
    return answer.body.error.details[0].path
  }
  assert.equal(await refusal({}), 'body.label')
  assert.equal(await refusal({ label: '' }), 'body.label')
  assert.equal(await refusal({ label: 'x'.repeat(51) }), 'body.label')
  for (const label of [' ', 'two\nlines']) assert.equal(await refusal({ label }), 'body.label')
  assert.equal(await refusal({ label: 'A', scopes: [] }), 'body.scopes')
  assert.equal(await refusal({ label: 'A', scopes: ['everything'] }), 'body.scopes.0')
  assert.equal(await refusal({ label: 'A', expiresAt: 'tomorrow' }), 'body.expiresAt')
  assert.equal(await refusal({ label: 'A', expiresAt: new Date(Date.now() - 1).toISOString() }), 'body.expiresAt')
  assert.equal((await person.client.get('/v1/user/tokens')).body.count, 1)
})

test('the caller cannot set the id, secret, owner or creation time of a token', async () => {
  const person = await aPerson(app)
  const [other, id] = [await aPerson(app), newId()]
  const { body } = await create(person, {
    label: 'A',
    id,
    token: 'lct_mine',
    userId: other.id,
    createdAt: '2000-01-01T00:00:00Z',
  })
  assert.notEqual(body.id, id)
  assert.notEqual(body.token, 'lct_mine')
  assert.ok(Date.now() - Date.parse(body.createdAt) < 60_000)
  assert.equal((await other.client.get('/v1/user/tokens')).body.count, 1)
})

test('a repeat with the same Idempotency-Key makes one token and shows the same secret', async () => {
  const person = await aPerson(app)
  const again = () => person.client.post('/v1/user/tokens', { label: 'Once' }, { 'idempotency-key': 'k' })
  const [first, second] = [await again(), await again()]
  assert.deepEqual([second.status, second.body], [201, first.body])
  assert.equal((await person.client.get('/v1/user/tokens')).body.count, 2)
})

test('a token is revoked only if If-Match names its current state', async () => {
  const person = await aPerson(app)
  const { body } = await create(person, { label: 'A' })
  const path = `/v1/user/tokens/${body.id}`
  const etag = (await person.client.get(path)).headers.get('etag')!
  assert.equal((await person.client.delete(path, { 'if-match': '"another"' })).status, 412)
  assert.equal((await person.client.delete(path, { 'if-match': etag })).status, 204)
})

test('a token can be revoked with the ETag of the answer that created it', async () => {
  const person = await aPerson(app)
  const { body, headers } = await create(person, { label: 'A' })
  const used = app.client(body.token, emailWords(person))
  assert.equal((await used.get('/v1/user')).status, 200)
  const ifMatch = { 'if-match': headers.get('etag')! }
  assert.equal((await person.client.delete(`/v1/user/tokens/${body.id}`, ifMatch)).status, 204)
})

const create = (person: TestPerson, body: unknown) => person.client.post('/v1/user/tokens', body)

/** Returns the canary word in the person's own name and address, for another client of the same person. */
const emailWords = ({ user }: TestPerson) => [user.email.split('.')[0]!]

const countRows = async (statement: Statement) => (await app.db.one(statement as Statement<{ count: number }>)).count

test('making and revoking a token is recorded in each organization that it opens, with its owner', async () => {
  const [org, other, elsewhere] = [await anOrganization(app), await anOrganization(app), await anOrganization(app)]
  const person = await org.member('edit')
  for (const { id } of [other, elsewhere]) {
    const member = { organizationId: id, userId: person.id, role: 'read', sso: true } as const
    await transaction(app.db, nobody, (tx) => addMember(tx, member))
  }
  // An organization that the token does not open does not record it.
  await elsewhere.admin.client.patch(`/v1/orgs/${elsewhere.id}`, { sso: true })
  const made = (await person.client.post('/v1/user/tokens', { label: 'A secret plan' })).body
  for (const times of ['once', 'twice'])
    assert.equal((await person.client.delete(`/v1/user/tokens/${made.id}`)).status, times === 'once' ? 204 : 404)

  const rows = await app.db.all(sql<{ organization_id: string; action: string; actor_id: string; details: object }>`
    select organization_id, action, actor_id, details from changes where target_id = ${made.id} order by id`)
  assert.deepEqual(
    rows.map((row) => `${row.action} ${row.organization_id}`).toSorted(),
    [org, other].flatMap(({ id }) => [`token.created ${id}`, `token.revoked ${id}`]).toSorted(),
  )
  for (const { actor_id, details } of rows) assert.deepEqual([actor_id, details], [person.id, { member: person.id }])
  const { items } = (await org.admin.client.get(`/v1/orgs/${org.id}/audit-events?action=token.created`)).body
  assert.deepEqual([items[0].target.id, items[0].actor.id], [made.id, person.id])
  assert.doesNotMatch(JSON.stringify(items), /secret plan|lct_/)
})
