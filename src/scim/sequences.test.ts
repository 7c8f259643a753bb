import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { newId } from '../ids.ts'
import { aGroup, patch, pathOf, peopleIn, scimJson, search } from './testing/provider.ts'

const app = await startApp()
const core = 'urn:ietf:params:scim:schemas:core:2.0'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

test('the requests with which Okta tests a service succeed, in its order', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const first = await client.get(`${pathOf(org)}/Users?count=1&startIndex=1`)
  const [somebody] = first.body.Resources
  assert.deepEqual(first.body.schemas, ['urn:ietf:params:scim:api:messages:2.0:ListResponse'])
  assert.deepEqual([first.body.totalResults, first.body.startIndex, first.body.itemsPerPage], [1, 1, 1])
  for (const seen of [somebody, (await client.get(`${pathOf(org)}/Users/${somebody.id}`)).body]) {
    assert.ok(seen.id && seen.name.familyName && seen.name.givenName && seen.userName && seen.emails[0].value)
    assert.equal(seen.active, true)
  }
  assert.equal((await search(org, 'Users', 'userName eq "nobody@corp.example"')).body.totalResults, 0)
  const missing = await client.get(`${pathOf(org)}/Users/010101001010101011001010101011`)
  assert.deepEqual([missing.status, missing.body.status], [404, '404'])
  assert.ok(missing.body.detail)

  const sent = {
    schemas: [`${core}:User`],
    userName: 'runscope300@corp.example',
    name: { givenName: 'Runscope300', familyName: 'Runner300' },
    emails: [{ primary: true, value: 'runscope300@corp.example', type: 'work' }],
    displayName: 'Runscope300 Runner300',
    active: true,
  }
  const made = await client.post(`${pathOf(org)}/Users`, sent, {
    'content-type': 'application/scim+json; charset=utf-8',
  })
  assert.equal(made.status, 201)
  const path = `${pathOf(org)}/Users/${made.body.id}`
  const told = { ...sent, name: { ...sent.name, formatted: sent.displayName } }
  assert.deepEqual((await client.get(path)).body, { ...made.body, ...told })
  assert.equal((await client.post(`${pathOf(org)}/Users`, sent, scimJson)).status, 409)
  const found = await search(org, 'Users', `userName eq "${sent.userName.toUpperCase()}"`)
  assert.equal(found.body.Resources[0].id, made.body.id)

  const renamed = {
    ...made.body,
    name: { givenName: 'Another', familyName: 'Runner300' },
    displayName: 'Another Runner300',
  }
  assert.deepEqual((await client.put(path, renamed, scimJson)).body.name.givenName, 'Another')
  assert.equal((await client.put(path, { ...renamed, active: false }, scimJson)).body.active, false)
  assert.equal((await search(org, 'Users', `userName eq "${sent.userName}"`)).body.Resources[0].active, false)
  assert.equal((await client.put(path, { ...renamed, active: true }, scimJson)).body.active, true)
  assert.equal((await app.client('lct_wrong-token').get(`${pathOf(org)}/Users`)).status, 401)
})

for (const [how, word, no] of [
  ['of today', (op: string) => op, false],
  ['from before its flag aadOptscim062020', (op: string) => op.charAt(0).toUpperCase() + op.slice(1), 'False'],
] as const)
  test(`the requests of Microsoft Entra for a user from the first day to the last succeed, in the words ${how}`, async () => {
    const org = await anOrganization(app)
    const { client } = org.admin
    assert.equal((await search(org, 'Users', `userName eq "${newId()}"`)).body.totalResults, 0, 'Test Connection')
    const made = await client.post(
      `${pathOf(org)}/Users`,
      {
        schemas: [`${core}:User`, enterprise],
        externalId: 'jyoung',
        userName: 'jo.young@corp.example',
        active: true,
        addresses: null,
        displayName: 'Jo Young',
        emails: [{ type: 'work', value: 'jo.young@corp.example', primary: true }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Jo Young', familyName: 'Young', givenName: 'Jo' },
        roles: [],
        title: null,
        [enterprise]: { employeeNumber: '7', department: 'Docs' },
      },
      scimJson,
    )
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { id } = made.body
    const path = `${pathOf(org)}/Users/${id}`
    assert.equal(
      (await search(org, 'Users', 'emails[type eq "work"].value eq "jo.young@corp.example"')).body.totalResults,
      1,
    )
    const { body } = await patch(
      org,
      path,
      { op: word('replace'), path: 'userName', value: 'jo.old@corp.example' },
      { op: word('replace'), path: 'emails[type eq "work"].value', value: 'jo.old@corp.example' },
      { op: word('replace'), path: 'name.familyName', value: 'Old' },
      { op: word('add'), path: `${enterprise}:department`, value: 'Sales' },
      { op: word('add'), path: `${enterprise}:manager`, value: org.admin.id },
      { op: word('add'), path: 'addresses[type eq "work"].postalCode', value: '1' },
      {
        op: word('replace'),
        value: { 'name.givenName': 'Joe', [`${enterprise}:employeeNumber`]: '8', displayName: 'Joe Old' },
      },
    )
    assert.deepEqual(
      [body.userName, body.emails[0].value, body.name],
      ['jo.old@corp.example', 'jo.old@corp.example', { formatted: 'Joe Old', givenName: 'Joe', familyName: 'Old' }],
    )

    assert.equal((await search(org, 'Groups', 'displayName eq "Docs"')).body.totalResults, 0)
    const group = await aGroup(org, {
      schemas: [`${core}:Group`],
      externalId: newId(),
      displayName: 'Docs',
      members: [],
    })
    const members = [{ $ref: null, value: id }]
    assert.equal((await patch(org, group.path, { op: word('add'), path: 'members', value: members })).status, 204)
    const asked = `id eq "${group.id}" and members eq "${id}"`
    assert.equal((await search(org, 'Groups', asked)).body.totalResults, 1)
    const away = no === false ? { path: `members[value eq "${id}"]` } : { path: 'members', value: members }
    assert.equal((await patch(org, group.path, { op: word('remove'), ...away })).status, 204)
    assert.deepEqual(await peopleIn(org, group.path), [])

    const off = await patch(org, path, { op: word('replace'), path: 'active', value: no })
    assert.equal(off.body.active, false)
    assert.equal((await client.delete(path)).status, 204)
    assert.equal((await client.delete(path)).status, 404)
  })

test('the requests of Authentik succeed: groups are replaced without members, who are added by changes', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const uid = 'a'.repeat(64)
  const sent = {
    schemas: [`${core}:User`],
    externalId: uid,
    userName: 'akadmin',
    name: { formatted: 'authentik Default Admin', familyName: ' ', givenName: 'authentik Default Admin' },
    displayName: 'authentik Default Admin',
    photos: [{ value: 'data:image/svg+xml;base64,x', type: 'photo' }],
    locale: 'en',
    active: true,
    emails: [{ value: 'admin@corp.example', type: 'other', primary: true }],
  }
  const { status, body: user } = await client.post(`${pathOf(org)}/Users`, sent, scimJson)
  assert.equal(status, 201, JSON.stringify(user))
  const again = await client.put(`${pathOf(org)}/Users/${user.id}`, { ...sent, id: user.id }, scimJson)
  assert.deepEqual([again.status, again.body], [200, user])
  const given = { schemas: [`${core}:Group`], externalId: newId(), displayName: 'authentik Admins' }
  const group = await aGroup(org, given)
  await patch(org, group.path, { op: 'add', path: 'members', value: [{ value: user.id }] })
  assert.equal((await client.put(group.path, { ...given, id: group.id }, scimJson)).status, 200)
  await patch(org, group.path, { op: 'replace', value: { ...given, id: group.id, displayName: 'Admins' } })
  assert.deepEqual(await peopleIn(org, group.path), [user.id])
  await patch(org, group.path, { op: 'remove', path: 'members', value: [{ value: user.id }] })
  assert.deepEqual(await peopleIn(org, group.path), [])
})
