import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger } from '../../../test/factories.ts'
import { aSite } from '../../../test/sites.ts'
import { stateOf } from '../../../test/state.ts'
import { sql } from '../../db/sql.ts'

const app = await startApp()

test('the key for visitor sign-in is shown again to those who manage the site, and replaced on demand', async () => {
  const site = await aSite(app)
  const at = `${site.path}/publishing/auth`
  const first = await site.who.get(at)
  assert.equal(first.status, 200, first.text)
  const { privateKey } = first.body
  assert.deepEqual(first.body, { object: 'publishing-auth', backend: 'custom', privateKey })
  assert.ok(Buffer.from(privateKey, 'base64url').length >= 32)
  assert.deepEqual((await site.who.get(at)).body, first.body)

  const next = await site.who.post(`${at}/regenerate`, undefined, { 'idempotency-key': 'once' })
  assert.equal(next.status, 200)
  assert.notEqual(next.body.privateKey, privateKey)
  assert.deepEqual((await site.who.post(`${at}/regenerate`, undefined, { 'idempotency-key': 'once' })).body, next.body)
  assert.deepEqual((await site.who.get(at)).body, next.body)
  const [row] = await app.db.all(sql<{ all: string }>`select s::text as all from sites s where id = ${site.id}`)
  assert.equal(row!.all.includes(Buffer.from(next.body.privateKey).toString('hex')), false)
  const other = await aSite(app, {}, site.org)
  assert.notEqual((await site.who.get(`${other.path}/publishing/auth`)).body.privateKey, next.body.privateKey)
})

test('the addresses where visitors sign in and out can be set, kept and removed', async () => {
  const site = await aSite(app)
  const at = `${site.path}/publishing/auth`
  const { privateKey } = (await site.who.get(at)).body
  const addresses = { fallbackURL: 'https://login.example.com/?to=docs', logoutURL: 'http://localhost:8080/bye' }
  const set = await site.who.patch(at, { backend: 'custom', ...addresses, privateKey: 'mine' })
  assert.deepEqual(set.body, { object: 'publishing-auth', backend: 'custom', privateKey, ...addresses })
  assert.deepEqual((await site.who.patch(at, {})).body, set.body)
  const half = await site.who.patch(at, { backend: 'custom', logoutURL: null })
  assert.deepEqual([half.body.fallbackURL, half.body.logoutURL], [addresses.fallbackURL, undefined])
  assert.deepEqual((await site.who.get(at)).body, half.body)
  const changes = await app.db.all(sql<{ action: string; fields: string[] }>`
    select action, fields from changes where organization_id = ${site.org.id} and action like 'publishing-auth.%' order by id`)
  assert.deepEqual(
    changes.map(({ fields }) => fields),
    [['fallbackURL', 'logoutURL'], ['logoutURL']],
  )
})

test('addresses with other schemes, integrations and stale ETags are refused and change nothing', async () => {
  const site = await aSite(app)
  const at = `${site.path}/publishing/auth`
  const before = await stateOf(app.db)
  const bad: [object, string][] = [
    [{ fallbackURL: 'javascript:alert(1)' }, 'body.fallbackURL'],
    [{ fallbackURL: '//example.com' }, 'body.fallbackURL'],
    [{ logoutURL: 'ftp://example.com' }, 'body.logoutURL'],
    [{ logoutURL: `https://example.com/${'x'.repeat(2048)}` }, 'body.logoutURL'],
    [{ backend: 'integration' }, 'body.backend'],
    [{ backend: 'other' }, 'body.backend'],
    [{ fallbackURL: 5 }, 'body.fallbackURL'],
  ]
  for (const [body, path] of bad) {
    const refused = await site.who.patch(at, body)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, path], JSON.stringify(body))
  }
  assert.equal((await site.who.patch(at, { logoutURL: null }, { 'if-match': '"other"' })).status, 412)
  assert.deepEqual(await stateOf(app.db), before)
})

test('people who cannot change the site cannot see, set up or replace the key for visitor sign-in', async () => {
  const site = await aSite(app)
  const at = `${site.path}/publishing/auth`
  const refused = [
    [await site.org.member('review'), 403],
    [await site.org.member(null), 404],
    [await aStranger(app), 404],
  ] as const
  const before = await stateOf(app.db)
  for (const [who, status] of refused) {
    assert.equal((await who.client.get(at)).status, status)
    assert.equal((await who.client.patch(at, { logoutURL: null })).status, status)
    assert.equal((await who.client.post(`${at}/regenerate`)).status, status)
  }
  assert.deepEqual(await stateOf(app.db), before)
  assert.equal((await (await site.org.member('create')).client.get(at)).status, 200)
})
