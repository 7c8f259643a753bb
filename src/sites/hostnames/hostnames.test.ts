import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'

const app = await startApp({ LECTERN_SITES_HOST: 'sites.test' })

async function aSiteWithHost() {
  const site = await aSite(app)
  const hostname = `h${newId()}.example.com`
  await site.change({ hostname })
  return { site, hostname, at: `/v1/custom-hostnames/${hostname}` }
}

test('a hostname names its site, and is active only while requests for the host get that site', async () => {
  const { site, hostname, at } = await aSiteWithHost()
  const reads = async () => (await site.browser().get('/guide', { host: hostname })).status === 200
  const found = expect(await site.who.get(at), 200)
  assert.deepEqual(found, {
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site: site.id },
    isActive: true,
    urls: { location: `http://lectern.test${at}` },
  })
  assert.equal(await reads(), true)
  assert.deepEqual(expect(await site.who.get(at.replace(hostname, hostname.toUpperCase())), 200), found)
  expect(await site.who.post(`${site.path}/unpublish`), 200)
  assert.deepEqual([expect(await site.who.get(at), 200), await reads()], [{ ...found, isActive: false }, false])
  expect(await site.who.post(`${site.path}/publish`), 200)

  // A hostname that became one of the instance's own after it was given to a site.
  const lost = `h${newId()}.sites.test`
  await app.db.run(sql`update sites set hostname = ${lost}, version = version + 1 where id = ${site.id}`)
  assert.equal(expect(await site.who.get(`/v1/custom-hostnames/${lost}`), 200).isActive, false)
})

test('a removed hostname is free for another site, and its former site keeps its other addresses', async () => {
  const { site, hostname, at } = await aSiteWithHost()
  const tag = (await site.who.get(at)).headers.get('etag')!
  assert.equal((await site.who.delete(at, { 'if-match': '"other"' })).status, 412)
  assert.equal((await site.who.delete(at, { 'if-match': tag })).status, 205)
  assert.equal((await site.browser().get('/guide', { host: hostname })).status, 404)
  assert.equal((await site.browser().get(`${site.address}guide`)).status, 200)
  assert.equal('hostname' in expect(await site.who.get(site.path), 200), false)
  for (const answer of [await site.who.get(at), await site.who.delete(at)]) assert.equal(answer.status, 404)
  const { action, fields } = await app.db.one(sql<{ action: string; fields: string[] }>`
    select action, fields from changes where organization_id = ${site.org.id} order by id desc limit 1`)
  assert.deepEqual([action, fields], ['site.updated', ['hostname']])

  const other = await aSite(app)
  await other.change({ hostname })
  assert.equal(expect(await other.who.get(at), 200).target.site, other.id)
  assert.equal((await site.who.delete(at)).status, 404)
})

test('people who cannot change a site get the same 404 for its hostname as for an unknown one', async () => {
  const { site, hostname, at } = await aSiteWithHost()
  const [creator, reviewer, guest] = [
    await site.org.member('create'),
    await site.org.member('review'),
    await site.org.member(null),
  ]
  const [stranger, elsewhere] = [await aStranger(app), await aSite(app)]
  const none = (await site.who.get(at.replace(hostname, `x${hostname}`))).body.error.message
  const before = await stateOf(app.db)
  for (const { client } of [reviewer, guest, stranger, { client: elsewhere.who }]) {
    for (const answer of [await client.get(at), await client.delete(at)])
      assert.deepEqual([answer.status, answer.body.error.message], [404, none])
  }
  for (const name of ['x', '%00', 'a%2fb', 'é.example.com', 'x'.repeat(600)])
    assert.ok([400, 404, 414].includes((await site.who.get(`/v1/custom-hostnames/${name}`)).status), name)
  assert.equal(await stateOf(app.db), before)
  expect(await site.who.post(`${site.path}/permissions`, { users: [guest.id], role: 'create' }), 204)
  for (const { client } of [creator, guest]) assert.equal((await client.get(at)).status, 200)
})
