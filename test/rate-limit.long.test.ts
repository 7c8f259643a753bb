import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/ids.ts'
import type { Answer, Client } from './api-client.ts'
import { startApp } from './app.ts'
import { aPerson, anOrganization } from './factories.ts'

const perCredential = 8
const perAddress = 300

const app = await startApp({ LECTERN_RATE_LIMIT: String(perCredential), LECTERN_TRUSTED_PROXIES: '127.0.0.1' })

/** The server is behind a proxy that it trusts, so that every test can come from an address of its own. */
let last = 0
const anAddress = () => ({ 'x-forwarded-for': `203.0.113.${++last}` })

const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))

function assertRefused({ status, headers, body }: Answer): void {
  assert.deepEqual([status, body.error.type], [429, 'rate_limited'])
  assert.ok(Number(headers.get('retry-after')) >= 1 && Number(headers.get('retry-after')) <= 60)
  assert.equal(headers.get('x-ratelimit-remaining'), '0')
}

test('every answer of the API says how many calls are left and when the count starts anew', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const calls = [
    () => client.get('/v1/user'),
    () => client.get(`/v1/orgs/${newId()}`),
    () => client.patch(`/v1/orgs/${org.id}`, '{'),
    () => client.put('/v1/user'),
    () => client.get('/v1/unknown'),
    () => client.get('/v1/orgs?limit=x'),
    () => client.delete(`/v1/user/tokens/${newId()}`),
    () => client.get(`/v1/orgs/${org.id}`),
  ]
  for (const [i, call] of calls.entries()) {
    const answer = await call()
    assert.equal(answer.headers.get('x-ratelimit-limit'), String(perCredential), answer.text)
    assert.equal(remaining(answer), perCredential - 1 - i)
    const reset = Number(answer.headers.get('x-ratelimit-reset')) - Date.now() / 1000
    assert.ok(reset > 0 && reset <= 61)
  }
  for (const call of calls) assertRefused(await call())
})

test('every token has its own limit: neither another token nor the address matters', async () => {
  const [one, two] = [await aPerson(app), await aPerson(app)]
  for (let i = 0; i < perCredential; i++) await one.client.get('/v1/user', anAddress())
  assertRefused(await one.client.get('/v1/user', anAddress()))
  assert.equal((await two.client.get('/v1/user')).status, 200)
})

test('a call above the limit has no effect, and the next minute starts anew', async (t) => {
  const { client, id, user } = await aPerson(app)
  const rename = () => client.patch(`/v1/users/${id}`, { displayName: 'Too late' })
  for (let i = 0; i < perCredential; i++) await client.get('/v1/user')
  assertRefused(await rename())

  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.mock.timers.tick(61_000)
  const answer = await client.get('/v1/user')
  assert.deepEqual(
    [answer.status, remaining(answer), answer.body.displayName],
    [200, perCredential - 1, user.display_name],
  )
})

test('calls without a token or with an invalid one are counted by address', async () => {
  const stranger = app.client()
  const from = anAddress()
  const guess = (client: Client, i: number) =>
    client.get('/v1/user', { ...from, authorization: `Bearer lct_guess_${i}` })
  const first = await guess(stranger, 0)
  assert.deepEqual([first.status, first.headers.get('x-ratelimit-limit')], [401, String(perAddress)])

  const others = [
    () => stranger.get('/v1/user', from),
    () => stranger.get('/v1/unknown', from),
    () => stranger.put('/v1/user', undefined, from),
  ]
  for (let i = 1; i < perAddress; i++) {
    const answer = await (others[i] ? others[i]!() : guess(stranger, i))
    assert.equal(remaining(answer), perAddress - 1 - i)
  }
  assertRefused(await guess(stranger, perAddress))
  assertRefused(await stranger.get('/v1/user', from))
  assert.equal((await stranger.get('/v1/user', anAddress())).status, 401, 'another address is another count')
  const person = await aPerson(app)
  assert.equal((await person.client.get('/v1/user', from)).status, 200, 'a token that holds has its own count')
})

test('guesses at a push hook are counted by address as well', async () => {
  const from = anAddress()
  const stranger = app.client()
  const guess = () =>
    stranger.post(`/v1/git/following/hook/${newId()}`, {}, { ...from, 'x-gitlab-token': 'lgh_guessed' })
  for (let i = 0; i < perAddress; i++) assert.equal((await guess()).status, 404)
  assertRefused(await guess())
})

test('an IPv6 /64 network counts as one address', async () => {
  const from = (address: string) => app.client().get('/v1/user', { 'x-forwarded-for': address })
  const first = remaining(await from('2001:db8:1:2::1'))
  assert.equal(remaining(await from('2001:db8:1:2:ffff::2')), first - 1)
  assert.equal(remaining(await from('2001:db8:1:3::1')), first)
})

test('health checks, pages and preflights are not counted', async () => {
  const stranger = app.client()
  for (const path of ['/healthz', '/', '/openapi.json']) {
    assert.equal((await stranger.get(path)).headers.get('x-ratelimit-limit'), null, path)
  }
  assert.equal((await stranger.send('OPTIONS', '/v1/user')).headers.get('x-ratelimit-limit'), null)
})

test('a forwarded address counts only if its sender is a trusted proxy', async () => {
  const open = await startApp({ LECTERN_RATE_LIMIT: '5' })
  const stranger = open.client()
  const [one, two] = [await stranger.get('/v1/user', anAddress()), await stranger.get('/v1/user', anAddress())]
  assert.deepEqual([remaining(one), remaining(two)], [perAddress - 1, perAddress - 2])
})
