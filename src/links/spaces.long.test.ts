import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { grant } from '../../test/content.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { until } from '../../test/until.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { addMember } from '../organizations/members.actions.ts'
import { purgeSpaces } from '../spaces/purge.task.ts'
import { followSpaces } from './follow-spaces.task.ts'
import { indexSpaces } from './index-spaces.task.ts'

const app = await startApp()
const { context } = app
const run = (task: typeof followSpaces) => task.run(context)

const write = (page: string | undefined, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
})

async function linksOf(space: { id: string }, who: Client) {
  const { status, body, text } = await who.get(`/v1/spaces/${space.id}/links`)
  assert.equal(status, 200, text)
  const shown = body.items.map(({ status, targetReference: to }: any) => {
    const anchor = to.internalLocation ? `#${to.internalLocation.anchor}` : ''
    return `${status} ${to.kind} ${to.page ? `${to.space.id === space.id ? 'here' : 'there'} ${to.page.path}` : (to.url ?? to.space.title)}${anchor}`
  })
  return { ...body, shown }
}

const addressOf = (space: EditedSpace, path = '') => `http://lectern.test/app/o/${space.org.id}/s/${space.id}${path}`

/** Two spaces of an organization. The first links to the second. */
async function twoSpaces(org?: TestOrganization) {
  const from = await aLiveSpace(app, org)
  const to = await aLiveSpace(app, from.org)
  const [there] = idsOf(await to.edit(newPage('There', { ref: 't' }), newPage('Below', { into: 't' })))
  const [a] = idsOf(await from.edit(newPage('A')))
  await from.edit(
    write(
      a,
      `# A\n\n[s](${addressOf(to)}) [p](${addressOf(to, '/there/below')}) [i](/spaces/${to.id}/pages/${there}) ` +
        `[w](${addressOf(to, '/wanted')}) [n](${addressOf(to, '/there#nowhere')})`,
    ),
  )
  return { from, to, there: there!, a: a! }
}

test('links to other spaces lead there, and follow the changes there', async () => {
  const { from, to, there } = await twoSpaces()
  const now = async () => (await linksOf(from, from.who)).shown
  const title = `Space ${from.org.canary}`.slice(0, 50)
  const wanted = addressOf(to, '/wanted')
  assert.deepEqual(await now(), [
    `ok space ${title}`,
    'ok page there there/below',
    'ok page there there',
    `broken url ${wanted}`,
    'broken page there there#nowhere',
  ])
  await to.edit({ operation: 'update_page', page: there, metadata: { slug: 'renamed' } }, newPage('Wanted'))
  await run(followSpaces)
  assert.deepEqual(await now(), [
    `ok space ${title}`,
    'ok page there renamed/below',
    'ok page there renamed',
    'ok page there wanted',
    'broken page there renamed#nowhere',
  ])
  await to.edit(write(there, '# There\n\n## Nowhere'))
  await run(followSpaces)
  assert.equal((await now())[4], 'ok page there renamed#nowhere')
  await to.edit({ operation: 'delete_page', page: there })
  await run(followSpaces)
  const after = await linksOf(from, from.who)
  assert.deepEqual(
    after.items.map(({ status }: any) => status),
    ['ok', 'broken', 'broken', 'ok', 'broken'],
  )
  assert.deepEqual(after.stats, { total: 5, broken: { total: 3 } })
  await run(followSpaces)
  await assertSound(app.db)
})

test('links and backlinks reveal nothing but their text about a space that the caller may not see', async () => {
  const { from, to, there, a } = await twoSpaces()
  const reader = (await from.org.member(null)).client
  const blind = await from.org.member(null)
  await grant(from.who, { object: 'space', id: from.id }, { users: [blind.id] }, 'read')
  const gone = addressOf(to).replace(to.id, newId())
  await from.edit(newPage('B'), {
    operation: 'insert_page',
    document: { markdown: `# C\n\n[x](${gone}/there) [y](${gone})` },
  })
  const all = await linksOf(from, from.who)
  assert.deepEqual([all.stats.broken.total, all.count], [4, 7])

  const { body, text } = await blind.client.get(`${from.path}/links`)
  assert.deepEqual([body.count, body.stats], [7, { total: 7, broken: { total: 7 } }])
  for (const { status, targetReference } of body.items) {
    assert.deepEqual([status, targetReference.kind], ['broken', 'url'])
  }
  assert.ok(!text.includes('"there"'), 'the slug of a page there is told')
  for (const [status, count] of [
    ['ok', 0],
    ['broken', 7],
    ['in-app', 0],
  ]) {
    const some = (await blind.client.get(`${from.path}/links?status=${status}`)).body
    assert.deepEqual([some.items.length, some.count], [count, count])
  }
  const page = (await blind.client.get(`${from.path}/content/page/${a}/links?limit=2&status=broken`)).body
  assert.deepEqual([page.items.length, page.count, page.stats.broken.total], [2, 5, 5])
  assert.equal((await reader.get(`${from.path}/links`)).status, 404)

  const backlinks = async (who: Client) => (await who.get(`${to.path}/content/page/${there}/backlinks`)).body
  const seen = await backlinks(from.who)
  assert.deepEqual([seen.count, seen.items[0].page.id, seen.items[0].space.id], [1, a, from.id])
  const other = await from.org.member(null)
  await grant(from.who, { object: 'space', id: to.id }, { users: [other.id] }, 'read')
  assert.deepEqual(await backlinks(other.client), { count: 0, items: [] })
})

test('links to a space in the trash are broken until it is restored', async () => {
  const { from, to } = await twoSpaces()
  const broken = async () => (await linksOf(from, from.who)).stats.broken.total
  assert.equal(await broken(), 2)
  await from.who.delete(to.path)
  assert.equal(await broken(), 5)
  await from.who.post(`${to.path}/restore`)
  assert.equal(await broken(), 2)
})

test('a copy of a space has the same links, and links to the space itself lead to the original', async () => {
  const space = await aLiveSpace(app)
  const [a, b] = idsOf(await space.edit(newPage('A'), newPage('B')))
  await space.edit(
    write(a, `# A\n\n[b](./b.md) [n](./none.md) [o](${addressOf(space, '/b')}) [w](https://example.com)`),
  )
  const { body: copy } = await space.who.post(`${space.path}/duplicate`)
  const links = await linksOf(copy, space.who)
  assert.deepEqual(links.shown, [
    'ok page here b',
    'broken url ./none.md',
    'ok page there b',
    'ok url https://example.com',
  ])
  assert.deepEqual(links.stats, { total: 4, broken: { total: 1 } })
  const { body } = await space.who.get(`${space.path}/content/page/${b}/backlinks`)
  assert.deepEqual(
    body.items.map((item: any) => item.space.id),
    [space.id, copy.id],
  )
  await space.edit({ operation: 'delete_page', page: b })
  await run(followSpaces)
  assert.deepEqual((await linksOf(copy, space.who)).stats.broken.total, 2)
  await assertSound(app.db)
})

test('links move with a space to another organization, and links between moved and remaining spaces are broken', async () => {
  const { from, to } = await twoSpaces()
  const there = await anOrganization(app)
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: there.id, userId: from.org.admin.id, role: 'admin', sso: false }),
  )
  const who = app.client(from.who.token, [from.org.canary, there.canary])
  const move = async (space: EditedSpace) =>
    assert.equal((await who.post(`${space.path}/transfer`, { organization: there.id })).status, 200)
  await move(to)
  assert.equal((await linksOf(from, who)).stats.broken.total, 5)
  await who.post(`${to.path}/content`, { changes: [newPage('Wanted')] })
  await move(from)
  await run(followSpaces)
  const { stats, shown } = await linksOf(from, who)
  assert.equal(stats.broken.total, 1)
  assert.equal(shown[3], 'ok page there wanted')
  await assertSound(app.db)
})

test('purging a space removes its links', async () => {
  const { from, to } = await twoSpaces()
  const count = async () => (await app.db.all(sql`select from links where raw like ${`%${to.id}%`}`)).length
  assert.equal(await count(), 5)
  await from.who.delete(from.path)
  await app.db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = ${from.id}`)
  await run(purgeSpaces)
  assert.equal(await count(), 0)
  await assertSound(app.db)
})

/** Puts the space into the state before links were stored. */
async function forgetLinks({ id, org }: EditedSpace) {
  await app.db.run(sql`delete from links where line_id in (select id from lines where space_id = ${id})`)
  await app.db.run(sql`update space_counters set links = 0, broken = 0, in_app = 0 where space_id = ${id}`)
  await app.db.run(sql`insert into link_backlog (organization_id, space_id) values (${org.id}, ${id})`)
}

test('a job stores the links of spaces that are older than link storage, including later edits', async () => {
  const { from, to } = await twoSpaces()
  const more = Array.from({ length: 49 }, (_, i) => newPage(`P${i}`))
  await from.edit(...more)
  await from.edit({ operation: 'insert_page', document: { markdown: '# Last\n\n[a](./a.md) [x](./x.md)' } })
  const before = await linksOf(from, from.who)
  for (const space of [from, to]) await forgetLinks(space)
  // An edit before the job runs.
  const [p] = idsOf(await from.edit(newPage('New')))
  await from.edit(write(p, '# New\n\n[a](./a.md)'))
  await run(indexSpaces)
  const after = await linksOf(from, from.who)
  assert.deepEqual([after.count, after.stats.broken], [before.count + 1, before.stats.broken])
  assert.equal((await app.db.all(sql`select from link_backlog`)).length, 0)
  await run(indexSpaces)
  await assertSound(app.db)
})

test('a job that stores links goes on where it stopped, after the server stopped and after it failed', async () => {
  const space = await aLiveSpace(app)
  const pages = Array.from({ length: 120 }, (_, at) => ({
    operation: 'insert_page',
    document: { markdown: `# P${at}\n\n[x](./${at < 119 ? 'x' : 'last'}.md)` },
  }))
  for (const from of [0, 40, 80]) assert.equal((await space.edit(...pages.slice(from, from + 40))).status, 200)
  const before = await linksOf(space, space.who)
  await forgetLinks(space)
  const stored = async () => (await linksOf(space, space.who)).count

  const stopping = new AbortController()
  let running: Promise<void> | undefined
  await transaction(app.db, nobody, async (tx) => {
    await tx.run(sql`select from lines where space_id = ${space.id} for update`)
    running = indexSpaces.run({ ...context, stopping: stopping.signal })
    await until('the job waits for the space', async () => {
      const waiting = await app.db.pool.query(`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return waiting.rowCount === 1
    })
    stopping.abort()
  })
  await running
  assert.equal(await stored(), 50)

  await app.db.pool.query(`
    create function fail() returns trigger language plpgsql as 'begin raise exception $$no$$; end';
    create trigger fail before insert on links for each row when (new.raw = './last.md') execute function fail();
    create trigger begins_anew before update on link_backlog for each row
      when (new.up_to <= old.up_to) execute function fail()`)
  await run(indexSpaces)
  assert.equal(await stored(), 100)

  await app.db.pool.query('drop trigger fail on links')
  await run(indexSpaces)
  await app.db.pool.query('drop trigger begins_anew on link_backlog; drop function fail')
  assert.equal((await app.db.all(sql`select from link_backlog`)).length, 0)
  assert.deepEqual(await linksOf(space, space.who), before)
  await assertSound(app.db)
})

test('a failing space does not hold up others, neither when links are followed nor when they are indexed', async () => {
  const [failing, working] = [await twoSpaces(), await twoSpaces()]
  const fourth = async ({ from }: typeof failing) => (await linksOf(from, from.who)).shown[3]
  await app.db.pool.query(`
    create function fail() returns trigger language plpgsql as 'begin raise exception $$no$$; end';
    create trigger fail before insert or update on links for each row
      when (new.target_space = '${failing.to.id}') execute function fail()`)
  for (const { to } of [failing, working]) assert.equal((await to.edit(newPage('Wanted'))).status, 200)
  await run(followSpaces)
  assert.equal(await fourth(working), 'ok page there wanted')

  for (const { from } of [failing, working]) await forgetLinks(from)
  await run(indexSpaces)
  assert.equal(await fourth(working), 'ok page there wanted')

  await app.db.pool.query('drop trigger fail on links; drop function fail')
  await run(indexSpaces)
  assert.equal(await fourth(failing), 'ok page there wanted')
  await run(followSpaces)
  await assertSound(app.db)
})
