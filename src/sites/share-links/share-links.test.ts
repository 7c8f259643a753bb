import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger } from '../../../test/factories.ts'
import { aSite, grantOnSite } from '../../../test/sites.ts'
import { stateOf } from '../../../test/state.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { findActiveKey } from './keys.ts'

const app = await startApp()

const keyIn = (url: string) => new URL(url).pathname.split('/').at(-2)!

test('a share link can be created, listed, renamed, switched off and deleted, and its key opens the site while active', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const { who } = site
  const at = `${site.path}/share-links`
  const made = await who.post(at, { name: 'Partners', id: newId(), active: false })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.body.object, made.body.name, made.body.active], ['share-link', 'Partners', true])
  const key = keyIn(made.body.urls.published)
  assert.ok(Buffer.from(key, 'base64url').length >= 16)
  const row = { organization_id: site.org.id, id: site.id, visibility: 'share-link' as const }
  const opens = async () => (await findActiveKey(app.db, row, key)) === key
  assert.equal(await opens(), true)

  const other = await who.post(at, { name: 'Press' })
  assert.notEqual(keyIn(other.body.urls.published), key)
  const list = await who.get(`${at}?limit=1`)
  assert.deepEqual([list.body.count, list.body.items], [2, [made.body]])
  assert.deepEqual((await who.get(`${at}?limit=1&page=${list.body.next.page}`)).body.items, [other.body])
  assert.deepEqual((await who.get(`${at}?search=PART`)).body.items, [made.body])
  assert.equal((await who.get(`${at}?search=%25`)).body.count, 0)

  const off = await who.patch(`${at}/${made.body.id}`, { active: false, name: 'Old partners' })
  assert.deepEqual(off.body, { ...made.body, active: false, name: 'Old partners' })
  assert.equal(await opens(), false)
  assert.deepEqual((await who.patch(`${at}/${made.body.id}`, {})).body, off.body)
  assert.equal((await who.patch(`${at}/${made.body.id}`, { active: true })).body.active, true)
  assert.equal(await opens(), true)
  assert.equal((await who.delete(`${at}/${made.body.id}`)).status, 205)
  assert.equal(await opens(), false)
  assert.equal((await who.delete(`${at}/${made.body.id}`)).status, 404)
  assert.equal((await who.get(at)).body.count, 1)
  const actions = await app.db.all(sql<{ action: string }>`
    select action from changes where organization_id = ${site.org.id} and target_type = 'share-link' order by id`)
  assert.deepEqual(
    actions.map(({ action }) => action.split('.')[1]),
    ['created', 'created', 'updated', 'updated', 'removed'],
  )
})

test('a share link expires at its set time, and works again once it is prolonged', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const { who } = site
  const at = `${site.path}/share-links`
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const endless = (await who.post(at, { name: 'Endless', expiresAt: null })).body
  assert.equal('expiresAt' in endless, false)
  const expiresAt = inDays(1)
  const made = await who.post(at, { name: 'Week', expiresAt })
  assert.deepEqual([made.status, made.body.expiresAt, made.body.active], [201, expiresAt, true])
  const path = `${at}/${made.body.id}`
  const key = keyIn(made.body.urls.published)
  const row = { organization_id: site.org.id, id: site.id, visibility: 'share-link' as const }
  const opens = async () => (await findActiveKey(app.db, row, key)) === key
  assert.equal(await opens(), true)

  await app.db.run(sql`update share_links set expires_at = now() - interval '1 second' where id = ${made.body.id}`)
  assert.equal(await opens(), false)
  const ended = (await who.get(at)).body.items[1]
  assert.ok(ended.expiresAt < new Date().toISOString())
  // Setting values that it already has does not change the link, and activating it does not prolong it.
  assert.deepEqual((await who.patch(path, { expiresAt: ended.expiresAt, active: true })).body, ended)
  assert.equal(await opens(), false)
  assert.deepEqual((await who.patch(path, { expiresAt: inDays(7).replace('Z', '+00:00') })).body.active, true)
  assert.equal(await opens(), true)
  const free = (await who.patch(path, { expiresAt: null })).body
  assert.deepEqual(free, { ...endless, id: free.id, name: 'Week', createdAt: free.createdAt, urls: free.urls })
  assert.equal(await opens(), true)
  const { fields } = await app.db.one(sql<{ fields: string[] }>`
    select fields from changes where organization_id = ${site.org.id} and target_id = ${made.body.id}
    order by id desc limit 1`)
  assert.deepEqual(fields, ['expiresAt'])
})

test('an expiry that is not a time in the future is refused with 400 and changes nothing', async () => {
  const site = await aSite(app)
  const at = `${site.path}/share-links`
  const { id } = (await site.who.post(at, { name: 'Partners' })).body
  const before = await stateOf(app.db)
  const past = new Date(Date.now() - 1000).toISOString()
  for (const expiresAt of [past, '0000-01-01T00:00:00Z', '2026-13-01T00:00:00Z', 'tomorrow', '', 5, '2031-01-01']) {
    for (const answer of [
      await site.who.post(at, { name: 'New', expiresAt }),
      await site.who.patch(`${at}/${id}`, { name: 'New', expiresAt }),
    ]) {
      assert.equal(answer.status, 400, `${expiresAt}`)
      assert.equal(answer.body.error.details[0].path, 'body.expiresAt')
    }
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test('every change of a share link makes a new version of the site', async () => {
  const site = await aSite(app)
  const version = async () =>
    (await app.db.one(sql<{ version: number }>`select version from sites where id = ${site.id}`)).version
  const versions = [await version()]
  const { id } = (await site.who.post(`${site.path}/share-links`, { name: '' })).body
  versions.push(await version())
  await site.who.patch(`${site.path}/share-links/${id}`, { active: false })
  versions.push(await version())
  await site.who.patch(`${site.path}/share-links/${id}`, { expiresAt: '2999-01-01T00:00:00Z' })
  versions.push(await version())
  await site.who.delete(`${site.path}/share-links/${id}`)
  versions.push(await version())
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(versions).size, 5)
})

test('only those who manage the site see and change its share links, and strangers get 404', async () => {
  const site = await aSite(app)
  const at = `${site.path}/share-links`
  const { body: link } = await site.who.post(at, { name: 'Partners' })
  const [creator, editor, guest] = [
    await site.org.member('create'),
    await site.org.member('review'),
    await site.org.member(null),
  ]
  const stranger = await aStranger(app)
  const tries = (who: typeof creator) => [
    who.client.get(at),
    who.client.post(at, { name: 'Mine' }),
    who.client.patch(`${at}/${link.id}`, { name: 'Mine' }),
    who.client.delete(`${at}/${link.id}`),
  ]
  const before = await stateOf(app.db)
  for (const [who, status] of [
    [editor, 403],
    [guest, 404],
    [stranger, 404],
  ] as const) {
    for (const answer of await Promise.all(tries(who))) assert.equal(answer.status, status)
  }
  assert.deepEqual(await stateOf(app.db), before)
  await grantOnSite(site, { users: [guest.id] }, 'create')
  assert.equal((await guest.client.get(at)).status, 200)
  assert.equal((await creator.client.get(at)).body.items[0].urls.published, link.urls.published)
  // A link of another site of the same organization is not found.
  const other = await aSite(app, {}, site.org)
  assert.equal((await site.who.patch(`${other.path}/share-links/${link.id}`, { active: false })).status, 404)
})

test('the database does not hold a share link key in plain text', async () => {
  const site = await aSite(app)
  const { body } = await site.who.post(`${site.path}/share-links`, { name: 'Partners' })
  const [row] = await app.db.all(sql<{ all: string }>`select l::text as all from share_links l where id = ${body.id}`)
  const key = keyIn(body.urls.published)
  for (const spelling of [key, Buffer.from(key).toString('hex'), Buffer.from(key, 'base64url').toString('hex')]) {
    assert.equal(row!.all.includes(spelling), false)
  }
})

test("a share link's name is text of at most 50 characters, and a stale ETag changes nothing", async () => {
  const site = await aSite(app)
  const at = `${site.path}/share-links`
  const made = await site.who.post(at, { name: 'é'.repeat(50) })
  assert.equal(made.status, 201)
  for (const body of [{}, { name: null }, { name: 'x'.repeat(51) }, { name: 5 }, { name: 'a\u0000b' }]) {
    assert.equal((await site.who.post(at, body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await site.who.patch(`${at}/${made.body.id}`, { active: 'no' })).status, 400)
  const stale = { 'if-match': '"other"' }
  assert.equal((await site.who.patch(`${at}/${made.body.id}`, { name: 'b' }, stale)).status, 412)
  assert.equal((await site.who.delete(`${at}/${made.body.id}`, stale)).status, 412)
  const current = { 'if-match': made.headers.get('etag')! }
  assert.equal((await site.who.patch(`${at}/${made.body.id}`, { name: 'b' }, current)).status, 200)
})

test('a site has at most 200 share links', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const at = `${site.path}/share-links`
  const first = await site.who.post(at, { name: 'First' })
  await app.db.run(sql`
    insert into share_links (organization_id, site_id, id, name, key_hash, key_sealed)
    select organization_id, site_id, gen_random_uuid(), 'n', key_hash || n, key_sealed
    from share_links, generate_series(1, 198) as n where id = ${first.body.id}`)
  assert.equal((await site.who.post(at, { name: 'Last' })).status, 201)
  const refused = await site.who.post(at, { name: 'Too many' })
  assert.deepEqual([refused.status, refused.body.error.type], [409, 'conflict'])
  assert.equal((await site.who.delete(`${at}/${first.body.id}`)).status, 205)
  assert.equal((await site.who.post(at, { name: 'Again' })).status, 201)
})
