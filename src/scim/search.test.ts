import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { aGroup, aUser, patch, pathOf, peopleIn, scimJson, someone } from './testing/provider.ts'

const app = await startApp()
const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']

const ask = async (org: TestOrganization, kind: 'Users' | 'Groups', asked: object) =>
  org.admin.client.post(`${pathOf(org)}/${kind}/.search`, { schemas, ...asked }, scimJson)

test('a search by POST is answered like one by GET, and an invalid filter names its field in the body', async () => {
  const org = await anOrganization(app)
  const jo = await aUser(org)
  await aUser(org)
  const group = await aGroup(org, { displayName: 'Docs', members: [{ value: jo.id }] })

  const found = await ask(org, 'Users', { filter: `userName eq "${jo.sent.userName}"`, startIndex: 1, count: 10 })
  assert.equal(found.status, 200, found.text)
  assert.deepEqual([found.body.totalResults, found.body.Resources], [1, [jo.body]])
  const { body } = await ask(org, 'Users', { startIndex: 2, count: 1, sortBy: 'userName', attributes: ['userName'] })
  assert.deepEqual([body.totalResults, body.startIndex, body.itemsPerPage, body.Resources[0].id], [3, 2, 1, jo.id])

  const groups = await ask(org, 'Groups', { filter: `members.value eq "${jo.id}"` })
  assert.deepEqual(groups.body.Resources, [group.body])
  const spared = await ask(org, 'Groups', { excludedAttributes: ['members'] })
  assert.deepEqual([spared.body.Resources[0].id, spared.body.Resources[0].members], [group.id, undefined])

  for (const [kind, filter] of [
    ['Users', 'userName gt "jo"'],
    ['Users', 'active eq "perhaps"'],
    ['Groups', 'color eq "red"'],
  ] as const) {
    const refused = await ask(org, kind, { filter })
    const { scimType, error } = refused.body
    assert.deepEqual([refused.status, scimType, error.details[0].path], [400, 'invalidFilter', 'body.filter'], filter)
  }
})

test('/Me returns the owner of the token, only to administrators and only in their own organization', async () => {
  const org = await anOrganization(app)
  const { body, status } = await org.admin.client.get(`${pathOf(org)}/Me`)
  assert.deepEqual([status, body.id, body.userName], [200, org.admin.id, org.admin.user.email])
  const read = await org.admin.client.get(`${pathOf(org)}/Users/${org.admin.id}`)
  assert.deepEqual(read.body, body)
  const member = await org.member('create')
  assert.equal((await member.client.get(`${pathOf(org)}/Me`)).status, 403)
  const other = await anOrganization(app)
  assert.equal((await other.admin.client.get(`${pathOf(org)}/Me`)).status, 404)
})

test('attribute names are case-insensitive', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const { userName } = someone()
  const name = { GIVENNAME: 'Jo', familyname: 'Young' }
  const sent = {
    Schemas: [],
    UserName: userName,
    Emails: [{ Value: userName, Primary: 'True' }],
    name,
    ACTIVE: 'False',
  }
  const made = await client.post(`${pathOf(org)}/Users`, sent, scimJson)
  assert.equal(made.status, 201, made.text)
  const { id, active, emails, displayName } = made.body
  assert.deepEqual([made.body.userName, active, emails[0].value, displayName], [userName, false, userName, 'Jo Young'])

  const path = `${pathOf(org)}/Users/${id}`
  const both = { userName, username: 'other@corp.example', DisplayName: 'Jo Old' }
  const replaced = await client.put(path, both, scimJson)
  assert.deepEqual([replaced.body.userName, replaced.body.displayName], [userName, 'Jo Old'])
  const changed = await client.patch(path, { operations: [{ OP: 'Replace', Path: 'Active', VALUE: 'true' }] }, scimJson)
  assert.deepEqual([changed.status, changed.body.active], [200, true])

  const group = await aGroup(org, { DisplayName: 'Docs', Members: [{ Value: id }] })
  assert.deepEqual(await peopleIn(org, group.path), [id])
  assert.equal((await patch(org, group.path, { op: 'Remove', path: 'Members', value: [{ Value: id }] })).status, 204)
  assert.deepEqual(await peopleIn(org, group.path), [])
})
