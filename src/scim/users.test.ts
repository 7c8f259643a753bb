import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { newId } from '../ids.ts'
import { aUser, idsFound, patch, pathOf, scimJson, search, someone } from './testing/provider.ts'

const app = await startApp()
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

test('a name is returned in the parts in which the provider sent it', async () => {
  const org = await anOrganization(app)
  const { body, path } = await aUser(org, {
    displayName: 'Mary Ann van der Berg',
    name: { givenName: 'Mary Ann', familyName: 'van der Berg' },
  })
  const whole = { formatted: 'Mary Ann van der Berg', givenName: 'Mary Ann', familyName: 'van der Berg' }
  assert.deepEqual(body.name, whole)
  assert.deepEqual((await org.admin.client.get(path)).body.name, whole)

  const { body: married } = await patch(org, path, { op: 'Replace', path: 'name.familyName', value: 'Jones' })
  assert.deepEqual(married.name, { formatted: 'Mary Ann Jones', givenName: 'Mary Ann', familyName: 'Jones' })
  assert.equal(married.displayName, 'Mary Ann Jones')
  const { body: kept } = await patch(org, path, { op: 'replace', path: 'active', value: true })
  assert.deepEqual(kept.name, married.name)
  const { body: removed } = await patch(org, path, { op: 'remove', path: 'name.givenName' })
  assert.deepEqual(removed.name, { formatted: 'Mary Ann Jones', givenName: 'Mary Ann', familyName: 'Jones' })
})

test('a new part of a name changes the derived display name, even if all else is sent back as it was read', async () => {
  const org = await anOrganization(app)
  const name = { givenName: 'Jo', familyName: 'Smith' }
  const put = async (path: string, familyName: string) => {
    const { body: read } = await org.admin.client.get(path)
    const sent = { ...read, name: { ...read.name, familyName } }
    return (await org.admin.client.put(path, sent, scimJson)).body
  }
  const { path } = await aUser(org, { name, displayName: undefined })
  assert.equal((await put(path, 'Jones')).displayName, 'Jo Jones')
  assert.equal((await put(path, 'Jones')).displayName, 'Jo Jones')
  const { path: nicknamed } = await aUser(org, { name, displayName: 'Johnny' })
  const { displayName, name: parts } = await put(nicknamed, 'Jones')
  assert.deepEqual([displayName, parts.familyName], ['Johnny', 'Jones'])
})

test('a member from before any provider has a name in parts as well', async () => {
  const org = await anOrganization(app)
  const { body } = await org.admin.client.get(`${pathOf(org)}/Users?startIndex=1&count=1`)
  const [admin] = body.Resources
  assert.deepEqual(admin.name, {
    formatted: org.admin.user.display_name,
    givenName: 'Person',
    familyName: org.canary,
  })
})

test('attributes of extensions do not change core attributes of the same name', async () => {
  const org = await anOrganization(app)
  const { body, path } = await aUser(org)
  const before = (await org.admin.client.get(path)).body
  for (const operation of [
    { op: 'replace', path: 'urn:example:extension:app:1.0:User:userName', value: 'other@corp.example' },
    { op: 'replace', path: 'urn:example:extension:app:1.0:User:active', value: false },
    { op: 'add', value: { 'urn:example:extension:app:1.0:User:displayName': 'Other' } },
    { op: 'add', value: { [enterprise]: { department: 'Docs', displayName: 'Other' } } },
    { op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: null, value: body.id }] },
    { op: 'Replace', path: 'urn:example:extension:app:1.0:User:cost-center', value: '7' },
    { op: 'Add', value: { 'cost-center': '7', [`${enterprise}:department`]: 'Docs' } },
    { op: 'Add', path: 'https://schemas.example.com/user/1.0:shoe size', value: '42' },
    { op: 'Replace', path: 'addresses[type eq "work"].streetAddress', value: 'High Street' },
    { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+1' },
  ]) {
    const { status, body: after } = await patch(org, path, operation)
    assert.deepEqual([status, after], [200, before], JSON.stringify(operation))
  }
})

test('extra details of an address or a role are accepted and change nothing', async () => {
  const org = await anOrganization(app)
  const { path } = await aUser(org, { roles: [{ value: 'edit', primary: true }] })
  const before = (await org.admin.client.get(path)).body
  for (const operation of [
    { op: 'Add', path: 'emails[type eq "work"].primary', value: 'True' },
    { op: 'Replace', path: 'emails[type eq "work"].type', value: 'work' },
    { op: 'Add', path: 'roles[primary eq "True"].display', value: 'Editor' },
    { op: 'Add', path: 'roles[primary eq "True"].type', value: 'AppRole' },
    { op: 'Replace', path: 'emails', value: null },
    { op: 'Replace', path: 'roles', value: null },
    { op: 'add', path: 'emails', value: [{ type: 'home', value: 'jo@home.example' }] },
    { op: 'add', value: { emails: [{ type: 'other', value: 'jo@home.example', primary: false }] } },
    { op: 'Add', path: null, value: { nickName: 'Jo' } },
  ]) {
    const { status, body: after } = await patch(org, path, operation)
    assert.deepEqual([status, after], [200, before], JSON.stringify(operation))
  }
  const added = await patch(org, path, { op: 'add', path: 'emails', value: [{ value: 'jo@new.example' }] })
  assert.equal(added.body.emails[0].value, 'jo@new.example')
  const both = await patch(
    org,
    path,
    { op: 'add', path: 'emails', value: [{ value: 'jo@work.example', type: 'work' }] },
    { op: 'add', path: 'emails', value: [{ value: 'jo@home.example', type: 'home' }] },
  )
  assert.equal(both.body.emails[0].value, 'jo@work.example')
  const main = { type: 'home', value: 'jo@main.example', primary: true }
  const moved = await patch(org, path, { op: 'add', path: 'emails', value: [main] })
  assert.equal(moved.body.emails[0].value, 'jo@main.example')
})

test('users are found by every filter that providers send', async () => {
  const org = await anOrganization(app)
  const { id, sent } = await aUser(org)
  await aUser(org)
  for (const filter of [
    `emails[type eq "work"].value eq "${sent.userName}"`,
    `emails[type eq "work" and value eq "${sent.userName}"]`,
    `emails[value eq "${sent.userName.toUpperCase()}"]`,
    `emails[primary eq true].value eq "${sent.userName}" and active eq "True"`,
    `urn:ietf:params:scim:schemas:core:2.0:User:emails.value eq "${sent.userName}"`,
    `USERNAME Eq "${sent.userName}"`,
  ])
    assert.deepEqual(await idsFound(org, 'Users', filter), [id], filter)
  for (const filter of [
    `emails[type eq "home"].value eq "${sent.userName}"`,
    `id eq "${id}" and manager eq "${org.admin.id}"`,
    `id eq "${id}" and ${enterprise}:manager eq "${org.admin.id}"`,
  ])
    assert.deepEqual(await idsFound(org, 'Users', filter), [], filter)
  for (const filter of [
    'emails[',
    'active eq "perhaps"',
    'emails[type eq "work"',
    `${enterprise}:userName eq "${sent.userName}"`,
    'userName eq "a" and',
    'userName gt "a"',
    'userName pr "a"',
    '',
  ])
    assert.deepEqual((await search(org, 'Users', filter)).body.scimType, 'invalidFilter', filter)
})

test('a list is returned for any start index and count', async () => {
  const org = await anOrganization(app)
  const list = (query: string) => org.admin.client.get(`${pathOf(org)}/Users?${query}`)
  const { status, body } = await list('startIndex=1&count=2147483647')
  assert.deepEqual([status, body.itemsPerPage, body.totalResults], [200, 1, 1])
  const behind = await list('startIndex=2147483647&count=10&sortBy=userName&sortOrder=ascending&attributes=id,userName')
  assert.deepEqual([behind.status, behind.body.Resources, behind.body.totalResults], [200, [], 1])
})

test('a user who is provisioned again gets the name sent now', async () => {
  const org = await anOrganization(app)
  const { id, sent, path } = await aUser(org)
  await org.admin.client.delete(path)
  const again = { ...sent, displayName: 'Jo Jones', name: { givenName: 'Jo', familyName: 'Jones' }, active: false }
  const { body } = await org.admin.client.post(`${pathOf(org)}/Users`, again, scimJson)
  assert.deepEqual([body.id, body.displayName, body.active], [id, 'Jo Jones', false])
})

test("another person's name or address is refused, also in a change, and also if they have no user name yet", async () => {
  const org = await anOrganization(app)
  const [own, other] = [await org.member('read'), await aUser(org, { userName: 'other', externalId: 'o' })]
  const { path, sent, body } = await aUser(org)
  for (const operation of [
    { op: 'replace', path: 'userName', value: own.user.email.toUpperCase() },
    { op: 'replace', path: 'emails[type eq "work"].value', value: own.user.email },
    { op: 'replace', value: { emails: [{ value: other.body.emails[0].value }] } },
    { op: 'replace', path: 'userName', value: 'OTHER' },
  ]) {
    const { status, body: refused } = await patch(org, path, operation)
    assert.deepEqual([status, refused.scimType], [409, 'uniqueness'], JSON.stringify(operation))
  }
  const put = await org.admin.client.put(path, { ...sent, userName: own.user.email }, scimJson)
  assert.equal(put.status, 409)
  assert.deepEqual((await org.admin.client.get(path)).body, body)
  const own2 = await patch(org, path, { op: 'replace', path: 'userName', value: sent.userName.toUpperCase() })
  assert.equal(own2.body.userName, sent.userName.toUpperCase())
})

test("changed names, addresses and external ids of a user are in the organization's audit log, by field", async () => {
  const org = await anOrganization(app)
  const { id, path } = await aUser(org)
  await patch(org, path, { op: 'replace', value: { userName: 'new@corp.example', externalId: 'new' } })
  await patch(org, path, {
    op: 'replace',
    value: { displayName: 'Another Name', emails: [{ value: 'x@corp.example' }] },
  })
  await patch(org, path, { op: 'replace', value: { displayName: 'Another Name', externalId: 'new', active: true } })
  assert.deepEqual(await fieldsRecorded(org, id), [
    ['userName', 'externalId', 'email'],
    ['email', 'displayName'],
  ])
})

async function fieldsRecorded(org: TestOrganization, targetId: string) {
  const { rows } = await app.db.pool.query(
    `select fields from changes where organization_id = $1 and target_id = $2 and action like '%.updated' order by id`,
    [org.id, targetId],
  )
  return rows.map(({ fields }) => fields)
}

test('an unknown path and an unsupported method are refused with the error of the standard', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  for (const [status, answer] of [
    [404, await client.get(`${pathOf(org)}/Bulk`)],
    [404, await client.post(`${pathOf(org)}/Bulk`, {}, scimJson)],
    [404, await client.get(`${pathOf(org)}/Users/nobody`)],
    [405, await client.put(`${pathOf(org)}/Users`, someone(), scimJson)],
    [405, await client.post(`${pathOf(org)}/ServiceProviderConfig`, {}, scimJson)],
    [401, await app.client('lct_not-a-token-of-anybody').get(`${pathOf(org)}/Users`)],
    [401, await app.client().get(`${pathOf(org)}/Users`)],
    [415, await client.post(`${pathOf(org)}/Users`, '<user/>', { 'content-type': 'application/xml' })],
  ] as const) {
    const { schemas, detail } = answer.body
    assert.deepEqual([answer.status, answer.body.status], [status, String(status)])
    assert.deepEqual(schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
    assert.equal(typeof detail, 'string')
    assert.match(answer.headers.get('content-type')!, /^application\/scim\+json/)
  }
  const other = await client.get(`/v1/orgs/${org.id}/nothing`)
  assert.deepEqual([other.status, other.body.schemas], [404, undefined])
})

test('bodies are accepted in each JSON media type that providers use', async () => {
  const org = await anOrganization(app)
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/scim+json;charset=UTF-8',
    'application/scim+json',
  ]) {
    const headers = { 'content-type': type, accept: 'application/scim+json, application/json;q=0.9' }
    const made = await org.admin.client.post(`${pathOf(org)}/Users`, someone(), headers)
    assert.equal(made.status, 201, type)
    assert.equal(made.headers.get('location'), made.body.meta.location)
    const path = new URL(made.body.meta.location).pathname
    const head = await org.admin.client.send('HEAD', path)
    assert.deepEqual([head.status, head.headers.get('etag')], [200, made.headers.get('etag')])
    const tag = { 'if-none-match': made.headers.get('etag')! }
    assert.equal((await org.admin.client.get(path, tag)).status, 304)
    assert.equal((await org.admin.client.send('DELETE', path, undefined, headers)).status, 204)
  }
})

test('a role is accepted as Microsoft Entra writes it: plain at first, as JSON in a text later', async () => {
  const org = await anOrganization(app)
  const type = 'WindowsAzureActiveDirectoryRole'
  const { id, path } = await aUser(org, { roles: [{ primary: 'False', type, display: 'Review', value: 'Review' }] })
  const role = async () => (await org.admin.client.get(`/v1/orgs/${org.id}/members/${id}`)).body.role
  assert.equal(await role(), 'review')
  const asEntra = (value: unknown) => JSON.stringify({ id: newId(), value, displayName: 'Whatever it is called there' })
  const given = (value: string) => patch(org, path, { op: 'Add', path: 'roles', value: [{ value }] })
  assert.equal((await given(asEntra('Edit'))).status, 200)
  assert.equal(await role(), 'edit')
  for (const wrong of [asEntra('emperor'), asEntra(7), asEntra(undefined), '{"value":"admin"', '{}', '{']) {
    const { status, body } = await given(wrong)
    assert.deepEqual([status, body.scimType, await role()], [400, 'invalidValue', 'edit'], wrong)
  }
})
