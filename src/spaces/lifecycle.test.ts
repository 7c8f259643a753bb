import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant, writePage } from '../../test/content.ts'
import { type TestPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { listAll, page } from '../revisions/entries.ts'
import { findMainLine } from '../revisions/lines.ts'
import { purgeSpaces } from './purge.task.ts'

const app = await startApp()
const context = { db: app.db, log: app.app.log, config: app.config, store: app.app.store }

const mainOf = async (organizationId: string, spaceId: string) => findMainLine(app.db, organizationId, spaceId)

const bodiesOf = async (organizationId: string) =>
  (
    await app.db.all(sql<{ markdown: string }>`
    select markdown from documents where organization_id = ${organizationId} order by markdown`)
  ).map((row) => row.markdown)

test('a deleted space is gone for everybody, and back once a person with the right restores it', async () => {
  const org = await anOrganization(app)
  const [creator, reviewer, stranger] = [await org.member('create'), await org.member('review'), await aStranger(app)]
  const collection = await aCollection(org.admin.client, org.id)
  const space = await aSpace(org.admin.client, org.id, { parent: collection.id, title: 'Kept' })
  const to = `/v1/spaces/${space.id}`
  const restore = (who: TestPerson) => who.client.post(`${to}/restore`)

  assert.equal((await reviewer.client.delete(to)).status, 403)
  assert.equal((await stranger.client.delete(to)).status, 404)
  assert.equal((await restore(creator)).status, 409)
  assert.equal((await restore(reviewer)).status, 403)
  assert.equal((await creator.client.delete(to)).status, 205)

  for (const who of [creator, org.admin, reviewer, stranger]) {
    const answers = [
      await who.client.get(to),
      await who.client.patch(to, { title: 'x' }),
      await who.client.delete(to),
      await who.client.post(`${to}/move`, { parent: null }),
      await who.client.post(`${to}/duplicate`),
      await who.client.post(`${to}/transfer`, { organization: org.id }),
      await who.client.get(`${to}/permissions/users`),
      await who.client.post(`${to}/permissions`, { role: 'read', users: [reviewer.id] }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 404),
    )
  }
  assert.equal((await creator.client.get(`/v1/collections/${collection.id}/spaces`)).body.count, 0)
  assert.equal((await creator.client.get(`/v1/orgs/${org.id}/spaces`)).body.count, 0)

  const trash = async (who: TestPerson) => (await who.client.get(`/v1/orgs/${org.id}/spaces/trash`)).body
  const found = await trash(creator)
  assert.deepEqual([found.count, found.items[0].id], [1, space.id])
  assert.ok(Date.parse(found.items[0].deletedAt) <= Date.now())
  assert.equal((await trash(reviewer)).count, 0)
  assert.equal((await stranger.client.get(`/v1/orgs/${org.id}/spaces/trash`)).status, 404)

  assert.equal((await restore(reviewer)).status, 404)
  assert.equal((await restore(stranger)).status, 404)
  const restored = await restore(creator)
  assert.deepEqual([restored.status, restored.body.parent, restored.body.deletedAt], [200, collection.id, undefined])
  assert.equal((await trash(creator)).count, 0)
  assert.equal((await reviewer.client.get(to)).status, 200)
})

test('a restored space whose collection is gone is at the top, with the level that applied before', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const outer = await aCollection(client, org.id)
  const inner = await aCollection(client, org.id, { parent: outer.id })
  await client.patch(`/v1/collections/${outer.id}`, { defaultLevel: 'read' })
  const inherits = await aSpace(client, org.id, { parent: inner.id })
  const own = await aSpace(client, org.id, { parent: inner.id })
  await client.patch(`/v1/spaces/${own.id}`, { defaultLevel: null })
  for (const { id } of [inherits, own]) await client.delete(`/v1/spaces/${id}`)
  await client.delete(`/v1/collections/${inner.id}`)

  const restored = await client.post(`/v1/spaces/${inherits.id}/restore`)
  assert.deepEqual([restored.body.parent, restored.body.defaultLevel], [undefined, 'read'])
  assert.equal((await client.post(`/v1/spaces/${own.id}/restore`)).body.defaultLevel, null)
  await client.patch(`/v1/collections/${outer.id}`, { defaultLevel: 'create' })
  assert.equal((await client.get(`/v1/spaces/${inherits.id}`)).body.defaultLevel, 'read')
})

test('seven days after its deletion a space cannot be restored, and is purged with all that only it used', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const [gone, younger, copied] = [
    await aSpace(client, org.id),
    await aSpace(client, org.id),
    await aSpace(client, org.id),
  ]
  await writePage(app.db, org.id, gone.id, 'only here')
  await writePage(app.db, org.id, gone.id, 'here and there')
  await writePage(app.db, org.id, copied.id, 'here and there')
  await grant(client, gone, { users: [(await org.member('read')).id] }, 'edit')
  for (const { id } of [gone, younger]) await client.delete(`/v1/spaces/${id}`)
  await app.db.run(sql`update spaces set deleted_at = now() - interval '7 days 1 minute' where id = ${gone.id}`)
  await app.db.run(sql`update spaces set deleted_at = now() - interval '6 days 23 hours' where id = ${younger.id}`)

  assert.equal((await client.post(`/v1/spaces/${gone.id}/restore`)).status, 404)
  const listed = (await client.get(`/v1/orgs/${org.id}/spaces/trash`)).body.items.map((item: any) => item.id)
  assert.deepEqual(listed, [younger.id])

  await purgeSpaces.run(context)
  await purgeSpaces.run(context)
  assert.deepEqual(await bodiesOf(org.id), ['', 'here and there', 'here and there on a branch'])
  for (const table of [sql`lines`, sql`change_requests`, sql`space_counters`, sql`counter_slots`, sql`member_grants`]) {
    const { count } = await app.db.one(
      sql<{ count: number }>`select count(*) from ${table} where space_id = ${gone.id}`,
    )
    assert.equal(count, 0)
  }
  const { count } = await app.db.one(sql<{ count: number }>`
    select count(*) from entries e where organization_id = ${org.id}
      and not exists (select from lines l where l.id = e.line_id)`)
  assert.equal(count, 0)
  assert.equal((await client.post(`/v1/spaces/${younger.id}/restore`)).status, 200)
  assert.equal((await client.get(`/v1/spaces/${copied.id}`)).body.changeRequestsDraft, 1)
})

test('a purge stops with the process, and a space that cannot be removed, or not in time, does not hold up others', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const [stuck, slow, other] = [
    await aSpace(client, org.id),
    await aSpace(client, org.id),
    await aSpace(client, org.id),
  ]
  for (const [i, { id }] of [stuck, slow, other].entries()) {
    await client.delete(`/v1/spaces/${id}`)
    await app.db.run(sql`update spaces set deleted_at = now() - ${20 - i}::int * interval '1 day' where id = ${id}`)
  }
  const left = async () => {
    const rows = await app.db.all(sql<{ id: string }>`
      select id from spaces where organization_id = ${org.id} and deleted_at is not null`)
    return rows.map(({ id }) => id)
  }
  await purgeSpaces.run({ ...context, stopping: AbortSignal.abort() })
  assert.equal((await left()).length, 3)

  await app.db.pool.query(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'stuck' using errcode = tg_argv[0]; end $$;
    create trigger stuck before delete on spaces for each row when (old.id = '${stuck.id}')
      execute function refuse('internal_error');
    create trigger slow before delete on spaces for each row when (old.id = '${slow.id}')
      execute function refuse('query_canceled')`)
  await purgeSpaces.run(context)
  assert.deepEqual((await left()).toSorted(), [stuck.id, slow.id].toSorted())
  await app.db.pool.query('drop function refuse() cascade')
  await purgeSpaces.run(context)
  assert.deepEqual(await left(), [])
})

test('a copy of a space has its content and settings, but not its history, change requests or grants', async () => {
  const org = await anOrganization(app)
  const [creator, reader, stranger] = [await org.member('create'), await org.member('read'), await aStranger(app)]
  const { client } = org.admin
  const collection = await aCollection(client, org.id)
  const space = await aSpace(client, org.id, {
    title: 'Handbook',
    parent: collection.id,
    emoji: '🦊',
    editMode: 'live',
  })
  await aSpace(client, org.id, { title: 'Last', parent: collection.id })
  await client.patch(`/v1/spaces/${space.id}`, { defaultLevel: 'read', mergeRules: { type: 'none' }, language: 'fr' })
  await writePage(app.db, org.id, space.id, 'body')
  await grant(client, space, { users: [reader.id] }, 'review')
  const duplicate = (who: TestPerson) => who.client.post(`/v1/spaces/${space.id}/duplicate`)

  assert.equal((await duplicate(reader)).status, 403)
  assert.equal((await duplicate(stranger)).status, 404)
  const { status, body } = await duplicate(creator)
  assert.equal(status, 201)
  assert.deepEqual(
    [body.title, body.parent, body.emoji, body.editMode, body.defaultLevel, body.language, body.mergeRules],
    ['Handbook (copy)', collection.id, '🦊', 'live', 'read', 'fr', { type: 'none' }],
  )
  assert.deepEqual([body.changeRequests, body.changeRequestsDraft, body.permissions.admin], [0, 0, true])
  const titles = (await client.get(`/v1/collections/${collection.id}/spaces`)).body.items.map((item: any) => item.title)
  assert.deepEqual(titles, ['Handbook', 'Handbook (copy)', 'Last'])

  const pages = async (id: string) =>
    (await listAll(app.db, (await mainOf(org.id, id)).head, page)).toSorted((a, b) => (a.entry < b.entry ? -1 : 1))
  assert.equal((await pages(space.id)).length, 2)
  assert.deepEqual(await pages(body.id), await pages(space.id))
  assert.equal((await mainOf(org.id, body.id)).head.seq, 1)
  assert.notEqual(body.revision, space.revision)
  const users = (await creator.client.get(`/v1/spaces/${body.id}/permissions/users`)).body.items
  assert.deepEqual(
    users.map((item: any) => [item.permission, item.user.id]),
    [['admin', creator.id]],
  )
  const long = await aSpace(client, org.id, { title: 'x'.repeat(48) })
  assert.equal((await client.post(`/v1/spaces/${long.id}/duplicate`)).body.title, `${'x'.repeat(48)} (`)
})

test('a space deleted while the clock of the node is wrong can still be restored', async (t) => {
  const org = await anOrganization(app)
  const who = org.admin.client
  const space = await aSpace(who, org.id)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 400 * 24 * 60 * 60 * 1000 })
  assert.equal((await who.delete(`/v1/spaces/${space.id}`)).status, 205)
  t.mock.timers.reset()
  assert.equal((await who.get(`/v1/orgs/${org.id}/spaces/trash`)).body.count, 1)
  assert.equal((await who.post(`/v1/spaces/${space.id}/restore`)).status, 200)
})
