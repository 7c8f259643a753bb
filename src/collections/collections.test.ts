import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { type TestOrganization, type TestPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()

/** The titles of the spaces and collections below a parent, which have one common order. */
async function orderIn(organizationId: string, parentId: string | null): Promise<string[]> {
  const rows = await app.db.all(sql<{ title: string }>`
    select title from (
      select title, position, id from spaces where organization_id = ${organizationId}
        and collection_id is not distinct from ${parentId}::uuid and deleted_at is null
      union all
      select title, position, id from collections where organization_id = ${organizationId}
        and parent_id is not distinct from ${parentId}::uuid) x order by position, id`)
  return rows.map(({ title }) => title)
}

test("a collection shows all its fields and the caller's permissions, and changes field by field", async () => {
  const org = await anOrganization(app)
  const [creator, editor, stranger] = [await org.member('create'), await org.member('edit'), await aStranger(app)]
  const outer = await aCollection(creator.client, org.id, { title: 'Outer' })
  const made = await aCollection(creator.client, org.id, { parent: outer.id })
  assert.deepEqual(made, {
    object: 'collection',
    id: made.id,
    title: 'Untitled',
    organization: org.id,
    parent: outer.id,
    defaultLevel: null,
    urls: {
      location: `http://lectern.test/v1/collections/${made.id}`,
      app: `http://lectern.test/app/o/${org.id}/c/${made.id}`,
    },
    permissions: { view: true, admin: true, viewInviteLinks: true, create: true },
  })
  const change = (who: TestPerson, body: object) => who.client.patch(`/v1/collections/${made.id}`, body)
  assert.equal((await change(editor, { title: 'No' })).status, 403)
  assert.equal((await change(stranger, { title: 'No' })).status, 404)
  assert.equal((await stranger.client.get(`/v1/collections/${made.id}`)).status, 404)
  const changed = await change(creator, { title: 'Guides', description: 'How to', defaultLevel: 'read' })
  assert.deepEqual(
    [changed.body.title, changed.body.description, changed.body.defaultLevel],
    ['Guides', 'How to', 'read'],
  )
  assert.deepEqual((await creator.client.get(`/v1/collections/${made.id}`)).body, changed.body)
  assert.equal((await change(creator, { description: '' })).body.description, undefined)
  assert.deepEqual((await editor.client.get(`/v1/collections/${made.id}`)).body.permissions, {
    view: true,
    admin: false,
    viewInviteLinks: false,
    create: false,
  })
  for (const [body, path] of [
    [{ title: 'x'.repeat(51) }, 'body.title'],
    [{ description: 'x'.repeat(101) }, 'body.description'],
    [{ defaultLevel: 5 }, 'body.defaultLevel'],
  ] as const) {
    const refused = await change(creator, body)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, path])
  }
})

test('collections are listed with or without nested ones, and only those the caller may see', async () => {
  const org = await anOrganization(app)
  const [reader, guest] = [await org.member('read'), await org.member(null)]
  const [a, b] = [await aCollection(org.admin.client, org.id), await aCollection(org.admin.client, org.id)]
  const inner = await aCollection(org.admin.client, org.id, { parent: a.id })
  await org.admin.client.patch(`/v1/collections/${b.id}`, { defaultLevel: null })
  await grant(org.admin.client, inner, { users: [guest.id] }, 'read')
  const list = async (who: TestPerson, query = '') => {
    const { body } = await who.client.get(`/v1/orgs/${org.id}/collections${query}`)
    assert.equal(body.count, body.items.length)
    return body.items.map((item: { id: string }) => item.id)
  }
  assert.deepEqual(await list(org.admin), [a.id, b.id, inner.id])
  assert.deepEqual(await list(org.admin, '?nested=false'), [a.id, b.id])
  assert.deepEqual(await list(reader), [a.id, inner.id])
  assert.deepEqual(await list(guest), [inner.id])
  const first = await org.admin.client.get(`/v1/orgs/${org.id}/collections?limit=2`)
  const second = await org.admin.client.get(`/v1/orgs/${org.id}/collections?limit=2&page=${first.body.next.page}`)
  assert.deepEqual(
    second.body.items.map((item: { id: string }) => item.id),
    [inner.id],
  )
  assert.equal((await (await aStranger(app)).client.get(`/v1/orgs/${org.id}/collections`)).status, 404)
})

async function aRow(org: TestOrganization) {
  const { client } = org.admin
  const parent = await aCollection(client, org.id, { title: 'Parent' })
  return {
    parent,
    a: await aSpace(client, org.id, { title: 'a', parent: parent.id }),
    b: await aCollection(client, org.id, { title: 'b', parent: parent.id }),
    c: await aSpace(client, org.id, { title: 'c', parent: parent.id }),
    order: () => orderIn(org.id, parent.id),
    move: (thing: { object: string; id: string }, body: object, who = org.admin) =>
      who.client.post(`/v1/${thing.object}s/${thing.id}/move`, body),
  }
}

const at = (thing: { object: string; id: string }) => ({ type: thing.object, [thing.object]: thing.id })

test('spaces and collections share one order, and go where they are moved', async () => {
  const org = await anOrganization(app)
  const { parent, a, b, c, order, move } = await aRow(org)
  assert.deepEqual(await order(), ['a', 'b', 'c'])
  await move(c, { position: { before: at(b) } })
  assert.deepEqual(await order(), ['a', 'c', 'b'])
  await move(b, { position: { before: at(a) } })
  assert.deepEqual(await order(), ['b', 'a', 'c'])
  await move(b, { position: { after: at(a) } })
  assert.deepEqual(await order(), ['a', 'b', 'c'])
  await move(a, { position: {} })
  assert.deepEqual(await order(), ['b', 'c', 'a'])
  await move(a, { position: { after: at(b), before: at(c) } })
  assert.deepEqual(await order(), ['b', 'a', 'c'])
  await move(a, { position: { after: at(c) } })

  const inside = await move(c, { parent: b.id })
  assert.deepEqual([inside.status, inside.body.parent, await order()], [200, b.id, ['b', 'a']])
  const up = await move(c, { parent: null, position: { before: at(parent) } })
  assert.deepEqual([up.body.parent, up.body.visibility], [undefined, 'private'])
  assert.deepEqual(await orderIn(org.id, null), ['c', 'Parent'])
  await move(c, {})
  assert.deepEqual(await orderIn(org.id, null), ['c', 'Parent'])
})

test('a move between equal position keys moves the items behind it along', async () => {
  const org = await anOrganization(app)
  const { parent, a, b, c, order, move } = await aRow(org)
  const d = await aSpace(org.admin.client, org.id, { title: 'd', parent: parent.id })
  await app.db.run(sql`update spaces set position = 'a5' where id in (${a.id}, ${c.id})`)
  await app.db.run(sql`update collections set position = 'a5' where id = ${b.id}`)
  await move(d, { position: { before: at(b) } })
  assert.deepEqual(await order(), ['a', 'd', 'b', 'c'])
})

test('a move to an invalid parent or position is refused with the name of the field', async () => {
  const org = await anOrganization(app)
  const { a, b, c, order, move } = await aRow(org)
  const outside = await aSpace(org.admin.client, org.id)
  const other = await anOrganization(app)
  const elsewhere = await aCollection(other.admin.client, other.id)
  const wrong: [object, string][] = [
    [{ parent: newId() }, 'body.parent'],
    [{ parent: 'x' }, 'body.parent'],
    [{ parent: elsewhere.id }, 'body.parent'],
    [{ position: { before: at(outside) } }, 'body.position.before.space'],
    [{ position: { after: { type: 'collection', collection: c.id } } }, 'body.position.after.collection'],
    [{ position: { after: at(a) } }, 'body.position.after.space'],
    [{ parent: b.id, position: { after: at(c) } }, 'body.position.after.space'],
    [{ position: { before: at(b), after: at(c) } }, 'body.position'],
    [{ position: { before: { type: 'space' } } }, 'body.position.before.space'],
  ]
  for (const [body, path] of wrong) {
    const refused = await move(a, body)
    assert.deepEqual([refused.status, refused.body.error.details?.[0].path], [400, path], JSON.stringify(body))
  }
  assert.deepEqual(await order(), ['a', 'b', 'c'])
})

test('a move next to something hidden from the caller or in the trash is refused as if it did not exist', async () => {
  const org = await anOrganization(app)
  const { a, b, c, order, move } = await aRow(org)
  const writer = await org.member('create')
  for (const thing of [b, c]) await grant(org.admin.client, thing, { users: [writer.id] }, null)
  const absent = { type: 'space', space: newId() }
  const { body: unknown } = await move(a, { position: { after: absent } }, writer)
  const { body: closed } = await move(a, { position: { after: at(c) } }, writer)
  assert.deepEqual([unknown.error.code, closed], [400, unknown])
  assert.equal((await move(a, { position: { after: at(b) } }, writer)).status, 400)
  assert.deepEqual(await order(), ['a', 'b', 'c'])

  assert.equal((await org.admin.client.delete(`/v1/spaces/${c.id}`)).status, 205)
  assert.deepEqual((await move(a, { position: { after: at(c) } })).body, unknown)
  assert.equal((await move(a, { position: { after: at(b) } })).status, 200)
  assert.deepEqual(await order(), ['b', 'a'])
})

test('a move needs the create role on what is moved and on its destination', async () => {
  const org = await anOrganization(app)
  const { a, b, move } = await aRow(org)
  const [guest, reader, stranger] = [await org.member(null), await org.member('read'), await aStranger(app)]
  await grant(org.admin.client, a, { users: [guest.id, reader.id] }, 'create')
  assert.equal((await move(a, { parent: b.id }, guest)).status, 400)
  assert.equal((await move(a, { parent: b.id }, reader)).status, 403)
  assert.equal((await move(a, { parent: null }, reader)).status, 403)
  await grant(org.admin.client, b, { users: [guest.id] }, 'create')
  assert.equal((await move(a, { parent: b.id }, guest)).status, 200)
  assert.equal((await move(b, { parent: null }, reader)).status, 403)
  assert.equal((await move(a, { parent: null }, stranger)).status, 404)
})

test('collections never form a cycle, not even when two are moved at once', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const a = await aCollection(client, org.id)
  const b = await aCollection(client, org.id, { parent: a.id })
  const c = await aCollection(client, org.id, { parent: b.id })
  const into = (thing: { id: string }, parent: { id: string }) =>
    client.post(`/v1/collections/${thing.id}/move`, { parent: parent.id })
  assert.equal((await into(a, a)).status, 409)
  assert.equal((await into(a, c)).status, 409)
  for (let i = 0; i < 5; i++) {
    const [x, y] = [await aCollection(client, org.id), await aCollection(client, org.id)]
    const statuses = (await Promise.all([into(x, y), into(y, x)])).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 409])
  }
})

test('collections nest up to 100 levels, and none is created or moved deeper, alone or with what it contains', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const towers = await Promise.all(
    [97, 2].map(async (levels) => {
      const ids: string[] = []
      while (ids.length < levels) ids.push((await aCollection(client, org.id, { parent: ids.at(-1) })).id)
      return ids
    }),
  )
  const [last, two] = [towers[0]!.at(-1), towers[1]![0]!]
  const move = (id: string, parent?: string | null) => client.post(`/v1/collections/${id}/move`, { parent })
  const create = (parent?: string) => client.post(`/v1/orgs/${org.id}/collections`, { parent })

  const below = expect(await create(last), 201).id
  assert.equal((await move(two, below)).status, 200)
  for (const refused of [
    await create(towers[1]![1]),
    await move((await aCollection(client, org.id)).id, towers[1]![1]),
  ]) {
    assert.equal(refused.status, 409)
    assert.match(refused.body.error.message, /at most 100 levels/)
  }
  assert.equal((await move(two, null)).status, 200)
  const deeper = expect(await create(below), 201).id
  assert.equal((await move(two, deeper)).status, 409)
  assert.equal((await move(two, below)).status, 200)
})

test('a collection can be deleted once it is empty, not counting spaces in the trash', async () => {
  const org = await anOrganization(app)
  const [reader, stranger] = [await org.member('read'), await aStranger(app)]
  const { client } = org.admin
  const collection = await aCollection(client, org.id)
  const inner = await aCollection(client, org.id, { parent: collection.id })
  const space = await aSpace(client, org.id, { parent: inner.id })
  const remove = (id: string, who = org.admin) => who.client.delete(`/v1/collections/${id}`)
  assert.equal((await remove(inner.id, reader)).status, 403)
  assert.equal((await remove(inner.id, stranger)).status, 404)
  assert.equal((await remove(inner.id)).status, 409)
  assert.equal((await remove(collection.id)).status, 409)
  await client.delete(`/v1/spaces/${space.id}`)
  assert.equal((await remove(inner.id)).status, 205)
  assert.equal((await remove(collection.id)).status, 205)
  assert.equal((await client.get(`/v1/collections/${collection.id}`)).status, 404)
})
