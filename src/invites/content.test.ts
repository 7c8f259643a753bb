import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { aPerson, anOrganization } from '../../test/factories.ts'
import { inviting } from '../../test/invites.ts'
import { addMember } from '../organizations/members.actions.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'

const app = await startApp()
const { anAddress, secretOf, acceptAsNewcomer, roleOf } = inviting(app)

async function anOrganizationWithContent() {
  const org = await anOrganization(app)
  const { client } = org.admin
  const collection = await aCollection(client, org.id)
  const space = await aSpace(client, org.id, { title: 'Handbook', parent: collection.id })
  const other = await aSpace(client, org.id)
  return { org, collection, space, other, path: `/v1/orgs/${org.id}/link-invites` }
}

test('an invite to a space or collection makes a guest who sees that content and nothing else', async () => {
  const { org, collection, space, other, path } = await anOrganizationWithContent()
  for (const [body, level] of [
    [{ level: 'edit', space: space.id }, 'edit'],
    [{ level: 'comment', collection: collection.id }, 'comment'],
  ] as const) {
    const made = await org.admin.client.post(path, body)
    assert.equal(made.status, 201)
    assert.equal(made.body.level, level)
    assert.equal((made.body.space ?? made.body.collection).id, 'space' in body ? space.id : collection.id)

    const joined = await acceptAsNewcomer(secretOf(made.body.urls.invite), anAddress())
    assert.equal(await roleOf(org, joined.body.user.id), null)
    const guest = app.client(joined.body.token, [org.canary])
    const seen = await guest.get(`/v1/spaces/${space.id}`)
    assert.deepEqual([seen.status, seen.body.permissions.edit], [200, level === 'edit'])
    assert.equal((await guest.get(`/v1/spaces/${other.id}`)).status, 404)
  }
})

test('an invite to content keeps the role a member has there, and gives its role to a member without one', async () => {
  const { org, space, path } = await anOrganizationWithContent()
  const [granted, plain] = [await org.member('read'), await org.member(null)]
  await grant(org.admin.client, space, { users: [granted.id] }, 'review')
  const { body } = await org.admin.client.post(path, { level: 'comment', space: space.id })
  for (const who of [granted, plain]) {
    assert.equal((await who.client.post(`/v1/invites/${secretOf(body.urls.invite)}/accept`, {})).status, 200)
  }
  const rights = async (who: typeof plain) => (await who.client.get(`/v1/spaces/${space.id}`)).body.permissions
  assert.equal((await rights(granted)).merge, true)
  assert.deepEqual([(await rights(plain)).comment, (await rights(plain)).edit], [true, false])
})

test('an invite to content never lowers the rights that a member has by a team or in the organization', async () => {
  const { org, collection, space, path } = await anOrganizationWithContent()
  const { client } = org.admin
  const [editor, teammate, creator] = [await org.member('edit'), await org.member('read'), await org.member('create')]
  const team = await client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: [teammate.id] })
  await grant(client, space, { teams: [team.body.id] }, 'review')
  const rights = async ({ client }: typeof editor) => (await client.get(`/v1/spaces/${space.id}`)).body.permissions
  const people = [editor, teammate, creator]
  const before = await Promise.all(people.map(rights))
  assert.deepEqual(
    before.map(({ edit, merge, admin }) => [edit, merge, admin]),
    [
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ],
  )
  for (const to of [{ space: space.id }, { collection: collection.id }]) {
    const { body } = await client.post(path, { level: 'comment', ...to })
    for (const who of people) {
      assert.equal((await who.client.post(`/v1/invites/${secretOf(body.urls.invite)}/accept`, {})).status, 200)
    }
    assert.deepEqual(await Promise.all(people.map(rights)), before)
  }
})

test('a content manager can invite to that content up to their own role, and sees no other invites', async () => {
  const { org, space, other, path } = await anOrganizationWithContent()
  const [creator, editor] = [await org.member('read'), await org.member('read')]
  await grant(org.admin.client, space, { users: [creator.id] }, 'create')
  await grant(org.admin.client, space, { users: [editor.id] }, 'edit')

  const made = await creator.client.post(path, { level: 'create', space: space.id })
  assert.equal(made.status, 201)
  const own = `${path}/${made.body.id}`
  assert.equal((await creator.client.post(path, { level: 'admin', space: space.id })).status, 403)
  assert.equal((await creator.client.post(path, { level: 'read', space: other.id })).status, 403)
  assert.equal((await creator.client.post(path, { role: 'read' })).status, 403)
  assert.equal((await editor.client.post(path, { level: 'read', space: space.id })).status, 403)

  assert.equal((await creator.client.get(own)).status, 200)
  assert.equal((await creator.client.patch(own, { level: 'admin' })).status, 403)
  assert.equal((await creator.client.patch(own, { role: 'read' })).body.error.details[0].path, 'body.role')
  assert.equal((await creator.client.patch(own, { level: 'read' })).body.level, 'read')
  for (const who of [editor, await org.member(null)]) {
    assert.equal((await who.client.get(own)).status, 403)
    assert.equal((await who.client.delete(own)).status, 403)
  }
  assert.equal((await creator.client.get(path)).status, 403)
  const listed = await org.admin.client.get(path)
  assert.deepEqual([listed.body.count, listed.body.items[0].space.id], [1, space.id])
  assert.equal((await creator.client.delete(own)).status, 205)
  assert.equal((await acceptAsNewcomer(secretOf(made.body.urls.invite), anAddress())).status, 404)
})

test('an invite above their own role, whose link would grant it, is hidden from a content manager', async () => {
  const { org, space, path } = await anOrganizationWithContent()
  const creator = await org.member('read')
  await grant(org.admin.client, space, { users: [creator.id] }, 'create')
  const above = (await org.admin.client.post(path, { level: 'admin', space: space.id })).body
  const at = `${path}/${above.id}`

  for (const [method, body] of [['GET'], ['PATCH', { level: 'read' }], ['DELETE']] as const) {
    const refused = await creator.client.send(method, at, body)
    assert.equal(refused.status, 403, method)
    assert.ok(!refused.text.includes(secretOf(above.urls.invite)))
  }
  assert.equal((await org.admin.client.get(at)).body.level, 'admin')
  await grant(org.admin.client, space, { users: [creator.id] }, 'admin')
  assert.deepEqual((await creator.client.get(at)).body.urls, above.urls)
})

test('a content manager lists all links to that content, also those of others, but none above their own role', async () => {
  const { org, collection, space, other, path } = await anOrganizationWithContent()
  const { client } = org.admin
  const [creator, editor, guest] = [await org.member('read'), await org.member('read'), await org.member(null)]
  await grant(client, space, { users: [creator.id] }, 'create')
  await grant(client, space, { users: [editor.id] }, 'edit')
  const make = async (body: object) => (await client.post(path, body)).body.id as string
  const [plain, none] = [await make({ level: 'create', space: space.id }), await make({ level: null, space: space.id })]
  const above = await make({ level: 'admin', space: space.id })
  const around = await make({ level: 'read', collection: collection.id })
  await make({ level: 'read', space: other.id })
  await make({ role: 'read' })

  const list = async (who: typeof creator, query: string) => {
    const { status, body } = await who.client.get(`${path}?${query}`)
    if (status === 200) assert.equal(body.count, body.items.length, query)
    return status === 200 ? body.items.map((each: any) => each.id) : status
  }
  assert.equal((await creator.client.get(`/v1/spaces/${space.id}`)).body.permissions.viewInviteLinks, true)
  assert.deepEqual(await list(creator, `space=${space.id}`), [none, plain])
  const first = (await creator.client.get(`${path}?space=${space.id}&limit=1`)).body
  assert.deepEqual([first.count, first.items[0].id, first.items[0].redundant], [2, none, true])
  const rest = await creator.client.get(`${path}?space=${space.id}&limit=1&page=${first.next.page}`)
  assert.deepEqual([rest.body.items[0].id, rest.body.next], [plain, undefined])
  assert.equal(await list(org.admin, `collection=${collection.id}&page=${first.next.page}`), 400)
  assert.deepEqual(await list(org.admin, `space=${space.id}`), [above, none, plain])
  assert.deepEqual(await list(org.admin, `collection=${collection.id}`), [around])
  assert.deepEqual(await list(org.admin, `space=${newId()}`), [])
  assert.equal(await list(org.admin, `space=${space.id}&collection=${collection.id}`), 400)
  assert.equal(await list(org.admin, 'space=x'), 400)
  for (const query of ['', `space=${other.id}`, `collection=${collection.id}`, `space=${newId()}`]) {
    assert.equal(await list(creator, query), 403, query)
  }
  for (const who of [editor, guest]) assert.equal(await list(who, `space=${space.id}`), 403)
})

test('content of another organization cannot be invited to, even by a member of both', async () => {
  const { org, space } = await anOrganizationWithContent()
  const elsewhere = await anOrganization(app)
  const both = await aPerson(app, { sees: [org.canary, elsewhere.canary] })
  for (const { id } of [org, elsewhere]) {
    await transaction(app.db, nobody, (tx) =>
      addMember(tx, { organizationId: id, userId: both.id, role: 'admin', sso: false }),
    )
  }
  const path = `/v1/orgs/${elsewhere.id}/link-invites`
  const answer = await both.client.post(path, { level: 'read', space: space.id })
  assert.deepEqual([answer.status, answer.body.error.details[0].path], [400, 'body.space'])
  // Nor can it be listed: a caller who manages the space, but nothing in this organization, gets the same answer as a
  // stranger.
  const itself = `/v1/orgs/${elsewhere.id}/members/${both.id}`
  assert.equal((await both.client.patch(itself, { role: 'read' })).status, 200)
  assert.equal((await both.client.get(`${path}?space=${space.id}`)).status, 403)
})

test('an invite to a space in the trash does not work until the space is restored', async () => {
  const { org, space, path } = await anOrganizationWithContent()
  const { body } = await org.admin.client.post(path, { level: 'read', space: space.id })
  const accept = () => acceptAsNewcomer(secretOf(body.urls.invite), anAddress())

  await org.admin.client.delete(`/v1/spaces/${space.id}`)
  assert.equal((await accept()).status, 404)
  assert.equal((await org.admin.client.get(`${path}/${body.id}`)).status, 404)
  assert.equal((await org.admin.client.get(path)).body.count, 0)
  await org.admin.client.post(`/v1/spaces/${space.id}/restore`)
  assert.equal((await accept()).status, 200)
})

test('an invite with only a level or only content is refused, and the missing field is named', async () => {
  const { org, space, path } = await anOrganizationWithContent()
  const refused = async (body: object) => {
    const answer = await org.admin.client.post(path, body)
    return [answer.status, answer.body.error.details[0].path]
  }
  assert.deepEqual(await refused({ level: 'read' }), [400, 'body.space'])
  assert.deepEqual(await refused({ space: space.id }), [400, 'body.level'])
  assert.deepEqual(await refused({}), [400, 'body.role'])
})
