// Readers see what their own node commits at once, and what another node commits within a second.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startApp } from '../../../test/app.ts'
import { newPage } from '../../../test/editing.ts'
import { Browser, type TestSite, aSite, expect } from '../../../test/visitor.ts'
import { channel, readMessage } from '../../db/news.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { anotherNode } from '../testing/another-node.ts'

const app = await startApp({ LECTERN_SITES_HOST: 'sites.test' })
const second = await anotherNode(app)

/** Waits until something is true on the other node. */
async function soon(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now()
  while (!(await isSo())) {
    assert.ok(performance.now() - startedAt < 20_000, `${what} is not seen`)
    await sleep(5)
  }
}

const seen = async (browser: Browser, path: string) => (await browser.get(path)).status

test('a change is visible at the next request to the node that made it, even while others read', async () => {
  const site = await aSite(app)
  const browser = site.browser()
  const done = new AbortController()
  const crowd = (async () => {
    while (!done.signal.aborted) await Promise.all([browser.get(site.address), browser.get(`${site.address}guide`)])
  })()
  for (let round = 0; round < 5; round++) {
    expect(await site.space.edit(newPage(`Round ${round}`)), 200)
    assert.equal(await seen(browser, `${site.address}round-${round}`), 200, `round ${round}`)
  }
  done.abort()
  await crowd
})

test('a merge, and every other change that affects a site, is seen by the readers of another node', async () => {
  const site = await aSite(app)
  const { who, space, address, path } = site
  const there = (at = address) => seen(second.browser, at)
  assert.equal(await there(), 200)

  const request = await space.changeRequest()
  await request.edit(newPage('Merged'))
  expect(await who.post(`${request.path}/merge`), 200)
  assert.equal(await seen(site.browser(), `${address}merged`), 200)
  await soon('a merge', async () => (await there(`${address}merged`)) === 200)

  const steps: [string, () => Promise<unknown>, () => Promise<boolean>][] = [
    ['unpublishing', () => who.post(`${path}/unpublish`), async () => (await there()) === 404],
    ['publishing', () => who.post(`${path}/publish`), async () => (await there()) === 200],
    ['visibility', () => site.change({ visibility: 'share-link' }), async () => (await there()) === 404],
    ['visibility', () => site.change({ visibility: 'public' }), async () => (await there()) === 200],
    ['a space in the trash', () => who.delete(`/v1/spaces/${space.id}`), async () => (await there()) === 404],
    ['a space restored', () => who.post(`/v1/spaces/${space.id}/restore`), async () => (await there()) === 200],
    [
      'a redirect',
      () =>
        who.post(`${path}/redirects`, { source: '/r', destination: { kind: 'external', url: 'https://x.example/' } }),
      async () => (await there(`${address}r`)) === 307,
    ],
    ['a basename', () => site.change({ basename: 'renamed' }), async () => (await there()) === 404],
  ]
  for (const [what, change, isSo] of steps) {
    await change()
    await soon(what, isSo)
  }
  assert.equal(await there(`/sites/${site.org.row.hostname}/renamed/`), 200)
  const hostname = `h${newId().slice(-12)}`
  assert.equal(await there(`/sites/${hostname}/renamed/`), 404)
  expect(await who.patch(`/v1/orgs/${site.org.id}`, { hostname }), 200)
  await soon('the hostname of the organization', async () => (await there(`/sites/${hostname}/renamed/`)) === 200)
  assert.equal((await who.delete(path)).status, 205)
  await soon('a site that is gone', async () => (await there(`/sites/${hostname}/renamed/`)) === 404)
})

test('a share link that is switched off is closed on another node too', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'One' }), 201)
  const { pathname } = new URL(link.urls.published)
  const key = pathname.split('/').at(-2)!
  const headers = { cookie: `lectern-share-${site.id}=${key}` }
  const there = async () => (await second.browser.get(site.address, { headers })).status
  assert.equal(await there(), 200)
  expect(await site.who.patch(`${site.path}/share-links/${link.id}`, { active: false }), 200)
  await soon('it', async () => (await there()) === 404)
})

/** Changes a site without sending any message. */
async function changeSilently(site: TestSite, published: boolean) {
  await app.db.run(sql`
    update sites set published = ${published}, version = version + 1, updated_at = now() where id = ${site.id}`)
}

test('a change that no message announced is found by every node', async () => {
  const site = await aSite(app)
  for (const browser of [site.browser(), second.browser]) assert.equal(await seen(browser, site.address), 200)
  await changeSilently(site, false)
  for (const browser of [site.browser(), second.browser]) {
    await soon('it', async () => (await seen(browser, site.address)) === 404)
  }
})

test('after its message connection broke, a node compares all sites again and keeps finding changes', async () => {
  const site = await aSite(app)
  assert.equal(await seen(second.browser, site.address), 200)
  // Older than what is queried each second, so only the full comparison finds it.
  await app.db.run(sql`
    update sites set published = false, version = version + 1, updated_at = now() - interval '1 hour' where id = ${site.id}`)
  await app.db.run(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'lectern news'`)
  await soon('it', async () => (await seen(second.browser, site.address)) === 404)
  await changeSilently(site, true)
  await soon('it', async () => (await seen(second.browser, site.address)) === 200)
})

test('a cached site is located and resolved without a database query', async () => {
  const site = await aSite(app)
  await site.browser().get(`${site.address}guide`)
  const { audience } = app.app
  const sent: unknown[] = []
  const methods = ['find', 'all', 'one', 'run'] as const
  for (const name of methods) Object.assign(app.db, { [name]: (...args: unknown[]) => sent.push(args) })
  try {
    for (let i = 0; i < 100; i++) {
      const found = await audience.locateUrl(new URL(`http://lectern.test${site.address}guide`))
      assert.ok(found && 'snapshot' in found)
      const visitor = { scope: undefined, isKnown: false }
      const asked = { segments: ['guide'], hasSlash: false }
      assert.equal((await audience.resolve(found.snapshot, visitor, asked)).kind, 'page')
    }
  } finally {
    for (const name of methods) delete (app.db as Partial<typeof app.db>)[name]
  }
  // The query for recent changes runs once a second.
  assert.ok(sent.length <= 1, JSON.stringify(sent))
})

test('commits made at once are announced together, and a rolled-back one is not announced', async () => {
  const listener = new pg.Client({ connectionString: app.databaseUrl })
  await listener.connect()
  const messages: string[] = []
  listener.on('notification', ({ payload }) => messages.push(payload!))
  await listener.query(`listen ${channel}`)
  const ids = Array.from({ length: 20 }, () => newId())
  const [first, ...others] = ids.map((id) => ({ kind: 'line', id, seq: 3 }) as const)
  await transaction(app.db, nobody, async (tx) => tx.tell(first!))
  // Simulates what many transactions do at once after they commit.
  for (const change of others) app.db.news.tell([change])
  const rolledBack = newId()
  await assert.rejects(
    transaction(app.db, nobody, async (tx) => {
      tx.tell({ kind: 'site', id: rolledBack })
      throw new Error('no')
    }),
  )
  // Messages of an earlier test may still arrive.
  const isOurs = ({ id }: { id: string }) => id === rolledBack || ids.includes(id)
  const told = () => messages.map((message) => readMessage(message).changes.filter(isOurs))
  await soon('all of it', async () => told().flat().length >= ids.length)
  await sleep(50)
  await listener.end()
  const changes = told().flat()
  assert.deepEqual(new Set(changes.map(({ id }) => id)), new Set(ids))
  assert.ok(changes.every((change) => change.kind === 'line' && change.seq === 3))
  const sent = told().filter(({ length }) => length > 0)
  assert.ok(sent.length <= 2, `${sent.length} messages`)
})
