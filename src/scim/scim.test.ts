import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { type TestOrganization, aPerson, anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { newId } from '../ids.ts'
import { aUser, patch, pathOf, scimJson, someone } from './testing/provider.ts'
import { anIdentityProvider, anOrganizationWith, logIn } from '../saml/testing/login.ts'

const app = await startApp()
const create = (org: TestOrganization, more: object = {}) => aUser(org, { ...notKept, ...more })

/** What else Okta sends. */
const notKept = { locale: 'en-US', groups: [], password: 'never-kept-1' }

const find = async (client: Client, org: TestOrganization, filter: string, kind = 'Users') => {
  const { status, body } = await client.get(`${pathOf(org)}/${kind}?filter=${encodeURIComponent(filter)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.Resources.map(({ id }: { id: string }) => id)
}

const memberOf = async (org: TestOrganization, id: string) =>
  (await org.admin.client.get(`/v1/orgs/${org.id}/members/${id}`)).body

test('a provisioned user is a member at once, with the default role, and is found by every identifier', async () => {
  const org = await anOrganization(app)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { defaultRole: 'comment' })
  const { admin } = org
  const { sent, body, path } = await create(org)

  assert.deepEqual(body, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: body.id,
    externalId: sent.externalId,
    userName: sent.userName,
    displayName: sent.displayName,
    name: { formatted: sent.displayName, ...sent.name },
    emails: [{ value: sent.userName, type: 'work', primary: true }],
    active: true,
    roles: [{ value: 'comment', primary: true }],
    meta: { resourceType: 'User', created: body.meta.created, location: `http://lectern.test${path}` },
  })
  const read = await admin.client.get(path)
  assert.deepEqual(read.body, body)
  assert.match(read.headers.get('content-type')!, /^application\/scim\+json/)
  const member = await memberOf(org, body.id)
  assert.deepEqual([member.role, member.sso, member.disabled], ['comment', true, false])
  for (const filter of [
    `userName eq "${sent.userName.toUpperCase()}"`,
    `externalId eq "${sent.externalId}"`,
    `emails.value eq "${sent.userName}"`,
    `emails eq "${sent.userName}" and active eq true`,
    `urn:ietf:params:scim:schemas:core:2.0:User:userName EQ "${sent.userName}"`,
    `id eq "${body.id}"`,
  ])
    assert.deepEqual(await find(admin.client, org, filter), [body.id], filter)
  for (const filter of ['userName eq "nobody"', 'id eq "x"', `id eq "${body.id}" and active eq false`])
    assert.deepEqual(await find(admin.client, org, filter), [], filter)
  assert.deepEqual(
    await find(admin.client, org, `userName eq "${admin.user.email}"`),
    [admin.id],
    'who was there before has their address for a name',
  )
})

test('a user is not created twice, by name, by address, or by the address of an existing member', async () => {
  const org = await anOrganization(app)
  const { sent } = await create(org)
  const before = await stateOf(app.db)
  for (const again of [
    sent,
    { ...someone(), emails: sent.emails },
    { ...someone(), userName: sent.userName.toUpperCase() },
    { ...someone(), userName: org.admin.user.email, emails: [] },
  ]) {
    const { status, body } = await org.admin.client.post(`${pathOf(org)}/Users`, again, scimJson)
    assert.deepEqual([status, body.scimType, body.status], [409, 'uniqueness', '409'], JSON.stringify(body))
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test('a person with an account elsewhere keeps it, and the organization gets a separate one for them', async () => {
  const org = await anOrganization(app)
  const other = await aPerson(app, { canary: org.canary })
  const { body } = await create(org, { userName: other.user.email, emails: [{ value: other.user.email }] })
  assert.notEqual(body.id, other.id)
  assert.equal((await other.client.get(`/v1/orgs/${org.id}`)).status, 404)
})

test("a disabled user is out at once and returns with the same role and teams, in each provider's notation", async () => {
  const org = await anOrganization(app)
  const team = (await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Writers' })).body
  const member = await org.member('edit')
  await org.admin.client.put(`/v1/orgs/${org.id}/teams/${team.id}/members`, { add: [member.id] })
  const path = `${pathOf(org)}/Users/${member.id}`
  const isIn = async () => (await member.client.get(`/v1/orgs/${org.id}`)).status

  for (const [active, operation] of [
    [false, { op: 'replace', value: { active: false } }],
    [true, { op: 'Replace', path: 'active', value: 'True' }],
    [false, { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: 'False' }],
    [true, { op: 'replace', path: 'active', value: true }],
  ] as const) {
    const { status, body } = await patch(org, path, operation)
    assert.deepEqual([status, body.active], [200, active], JSON.stringify(operation))
    assert.equal(await isIn(), active ? 200 : 404)
  }
  const { body } = await org.admin.client.put(
    path,
    { ...someone(), userName: member.user.email, active: false },
    scimJson,
  )
  assert.equal(body.active, false)
  assert.equal(await isIn(), 404)
  await patch(org, path, { op: 'replace', value: { active: true } })
  const back = await memberOf(org, member.id)
  assert.deepEqual([back.role, back.teams], ['edit', 1])
})

test('the last administrator can be neither disabled nor removed', async () => {
  const org = await anOrganization(app)
  const path = `${pathOf(org)}/Users/${org.admin.id}`
  for (const refused of [
    await patch(org, path, { op: 'replace', value: { active: false } }),
    await patch(org, path, { op: 'replace', path: 'roles', value: [{ value: 'read' }] }),
    await org.admin.client.delete(path),
  ])
    assert.deepEqual([refused.status, refused.body.error.type], [409, 'last_administrator'])
})

test("names and addresses of the organization's accounts can be changed, those of other accounts cannot", async () => {
  const org = await anOrganization(app)
  const [{ path, body }, own] = [await create(org), await org.member('read')]
  const renamed = await patch(
    org,
    path,
    { op: 'replace', path: 'name.givenName', value: 'Jay' },
    { op: 'replace', path: 'name.familyName', value: 'Jones' },
    { op: 'replace', path: 'emails[type eq "work"].value', value: 'jay@corp.example' },
    { op: 'add', path: 'emails[type eq "home"].value', value: 'jay@home.example' },
    { op: 'replace', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Docs' },
    { op: 'replace', value: { externalId: 'other', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {} } },
  )
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body))
  assert.deepEqual(
    [renamed.body.displayName, renamed.body.emails[0].value, renamed.body.userName, renamed.body.externalId],
    ['Jay Jones', 'jay@corp.example', body.userName, 'other'],
  )
  const { user } = await memberOf(org, body.id)
  assert.deepEqual([user.displayName, user.email], ['Jay Jones', 'jay@corp.example'])

  const kept = await patch(org, `${pathOf(org)}/Users/${own.id}`, {
    op: 'replace',
    value: { displayName: 'Mine', emails: [{ value: 'mine@corp.example' }], userName: 'told@corp.example' },
  })
  assert.deepEqual(
    [kept.body.displayName, kept.body.emails[0].value, kept.body.userName],
    [own.user.display_name, own.user.email, 'told@corp.example'],
  )
})

test('if the user name is the address, a new name is the new address, and a name in use is refused', async () => {
  const org = await anOrganization(app)
  const [{ path }, other] = [await create(org, { emails: undefined }), await create(org)]
  const moved = await patch(org, path, { op: 'replace', path: 'userName', value: 'moved@corp.example' })
  assert.deepEqual([moved.body.userName, moved.body.emails[0].value], ['moved@corp.example', 'moved@corp.example'])
  const refused = await patch(org, path, { op: 'replace', path: 'userName', value: other.sent.userName })
  assert.deepEqual([refused.status, refused.body.scimType], [409, 'uniqueness'])
})

test('the provider sets a role at creation and later', async () => {
  const org = await anOrganization(app)
  const { body, path } = await create(org, { roles: [{ value: 'review', primary: true }] })
  assert.equal((await memberOf(org, body.id)).role, 'review')
  await patch(org, path, { op: 'Add', path: 'roles[primary eq "True"].value', value: 'edit' })
  assert.equal((await memberOf(org, body.id)).role, 'edit')
  await patch(org, path, { op: 'replace', path: 'roles', value: [{ value: 'guest' }] })
  assert.equal((await memberOf(org, body.id)).role, null)
  const refused = await patch(org, path, { op: 'replace', path: 'roles', value: [{ value: 'emperor' }] })
  assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidValue'])
})

test('a removed user who is provisioned again gets the same account back', async () => {
  const org = await anOrganization(app)
  const { sent, body, path } = await create(org)
  assert.equal((await org.admin.client.delete(path)).status, 204)
  assert.equal((await org.admin.client.get(path)).status, 404)
  assert.deepEqual(await find(org.admin.client, org, `externalId eq "${sent.externalId}"`), [])
  const again = await org.admin.client.post(`${pathOf(org)}/Users`, sent, scimJson)
  assert.deepEqual([again.status, again.body.id], [201, body.id])
})

test('a provisioned user signs in through the provider as the same member', async () => {
  const idp = await anIdentityProvider()
  const { org, provider } = await anOrganizationWith(app, idp)
  const { body, sent } = await create(org)
  idp.person = { id: 'scim-person', email: sent.userName, displayName: 'From the assertion' }
  const { seen } = await logIn(app, idp, provider.service.startURL)
  assert.deepEqual([seen.status, seen.location], [303, '/account'])
  const { items } = (await org.admin.client.get(`/v1/orgs/${org.id}/members?search=${sent.userName}`)).body
  assert.deepEqual(
    items.map((member: { id: string; lastSeenAt?: string }) => member.id),
    [body.id],
  )
})

test('groups are teams: they are created with members, found, renamed, replaced and deleted', async () => {
  const org = await anOrganization(app)
  const [a, b, c] = [await create(org), await create(org), await create(org)]
  const made = await org.admin.client.post(
    `${pathOf(org)}/Groups`,
    { displayName: 'Writers', externalId: 'g-1', members: [{ value: a.body.id, display: 'Jo' }] },
    scimJson,
  )
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const path = `${pathOf(org)}/Groups/${made.body.id}`
  assert.deepEqual(made.body, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    id: made.body.id,
    externalId: 'g-1',
    displayName: 'Writers',
    members: [{ value: a.body.id, display: a.body.displayName, $ref: a.body.meta.location }],
    meta: { resourceType: 'Group', created: made.body.meta.created, location: `http://lectern.test${path}` },
  })
  assert.deepEqual((await org.admin.client.get(path)).body, made.body)
  for (const filter of [
    'displayName eq "writers"',
    'externalId eq "g-1"',
    `id eq "${made.body.id}" and members eq "${a.body.id}"`,
  ])
    assert.deepEqual(await find(org.admin.client, org, filter, 'Groups'), [made.body.id], filter)
  assert.deepEqual(await find(org.admin.client, org, `members.value eq "${b.body.id}"`, 'Groups'), [])
  const { body: bare } = await org.admin.client.get(`${path}?excludedAttributes=members`)
  assert.deepEqual([bare.displayName, bare.members], ['Writers', undefined])

  const replaced = await org.admin.client.put(
    path,
    { displayName: 'Authors', members: [{ value: b.body.id }, { value: c.body.id }] },
    scimJson,
  )
  assert.deepEqual(
    [
      replaced.body.displayName,
      replaced.body.externalId,
      replaced.body.members.map(({ value }: { value: string }) => value).toSorted(),
    ],
    ['Authors', 'g-1', [b.body.id, c.body.id].toSorted()],
  )
  const team = (await org.admin.client.get(`/v1/orgs/${org.id}/teams/${made.body.id}`)).body
  assert.deepEqual([team.title, team.members], ['Authors', 2])
  assert.equal((await org.admin.client.delete(path)).status, 204)
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/teams/${made.body.id}`)).status, 404)
})

test("members join and leave groups in each provider's notation, and an owner stays an owner", async () => {
  const org = await anOrganization(app)
  const [a, b, c] = [(await create(org)).body.id, (await create(org)).body.id, (await create(org)).body.id]
  const { id } = (await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: [a] })).body
  await org.admin.client.put(`/v1/orgs/${org.id}/teams/${id}/members/${a}`, { role: 'owner' })
  const path = `${pathOf(org)}/Groups/${id}`
  const inIt = async () =>
    (await org.admin.client.get(path)).body.members.map(({ value }: { value: string }) => value).toSorted()
  const steps: [who: string[], ...operations: object[]][] = [
    [[a, b, c], { op: 'add', path: 'members', value: [{ value: a }, { value: b }, { value: c }] }],
    [[a, c], { op: 'remove', path: `members[value eq "${b}"]` }],
    [[a], { op: 'Remove', path: 'members', value: [{ value: c }] }],
    [
      [a, b, c],
      { op: 'Add', path: 'members', value: [{ value: b }] },
      { op: 'Add', path: 'members', value: [{ value: c }] },
    ],
    [
      [a, c],
      { op: 'remove', path: `members[value eq "${b}"]` },
      { op: 'remove', path: `members[value eq "${newId()}"]` },
    ],
    [[a, b], { op: 'replace', path: 'members', value: [{ value: a }, { value: b }] }],
    [[a, b], { op: 'replace', value: { id, displayName: 'Renamed' } }],
    [
      [a, b],
      { op: 'replace', value: { id, displayName: 'Team' } },
      { op: 'replace', path: 'displayName', value: 'Renamed' },
    ],
  ]
  for (const [who, ...operations] of steps) {
    const { status } = await patch(org, path, ...operations)
    assert.equal(status, 204)
    assert.deepEqual(await inIt(), who.toSorted(), JSON.stringify(operations))
  }
  assert.equal((await org.admin.client.get(path)).body.displayName, 'Renamed')
  const { items } = (await org.admin.client.get(`/v1/orgs/${org.id}/teams/${id}/members`)).body
  assert.deepEqual(
    items.filter(({ team }: any) => team.role === 'owner').map(({ organization }: any) => organization.id),
    [a],
  )
  await patch(org, path, { op: 'remove', path: 'members' })
  assert.deepEqual(await inIt(), [])
})

test('adding a non-member to a group is refused, and nothing of the request is done', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const member = await org.member('read')
  const { id } = (await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team' })).body
  const before = await stateOf(app.db)
  const refused = await patch(
    org,
    `${pathOf(org)}/Groups/${id}`,
    { op: 'replace', path: 'displayName', value: 'Renamed' },
    { op: 'add', path: 'members', value: [{ value: member.id }, { value: other.admin.id }] },
  )
  assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidValue'])
  assert.deepEqual(await stateOf(app.db), before)
})

test('lists begin at any index, are no longer than requested, and give the total', async () => {
  const org = await anOrganization(app)
  for (let i = 0; i < 4; i++) await create(org)
  const list = async (query: string) => (await org.admin.client.get(`${pathOf(org)}/Users?${query}`)).body
  const all = (await list('')).Resources.map(({ id }: { id: string }) => id)
  assert.equal(all.length, 5)
  const some = await list('startIndex=2&count=3')
  assert.deepEqual([some.totalResults, some.startIndex, some.itemsPerPage], [5, 2, 3])
  assert.deepEqual(
    some.Resources.map(({ id }: { id: string }) => id),
    all.slice(1, 4),
  )
  assert.deepEqual((await list('count=0')).Resources, [])
  assert.equal((await list('startIndex=0&count=-1')).startIndex, 1)
  assert.equal((await list('count=100000')).itemsPerPage, 5)
})

test('an invalid request is refused with the error of the standard, and changes nothing', async () => {
  const org = await anOrganization(app)
  const { path } = await create(org)
  const before = await stateOf(app.db)
  const refusals: [word: string, answer: { status: number; body: any }][] = [
    [
      'invalidFilter',
      await org.admin.client.get(`${pathOf(org)}/Users?filter=${encodeURIComponent('userName gt "x"')}`),
    ],
    ['invalidFilter', await org.admin.client.get(`${pathOf(org)}/Users?filter=title%20eq%20%22x%22`)],
    ['invalidFilter', await org.admin.client.get(`${pathOf(org)}/Groups?filter=(`)],
    ['invalidPath', await patch(org, path, { op: 'replace', path: 'name[[', value: 'x' })],
    ['invalidPath', await patch(org, path, { op: 'remove' })],
    ['invalidValue', await patch(org, path, { op: 'move', path: 'active', value: true })],
    ['invalidValue', await patch(org, path, { op: 'replace', path: 'active', value: 'perhaps' })],
    ['invalidValue', await patch(org, path, { op: 'replace', path: 'emails', value: [{ value: 'no address' }] })],
    ['invalidValue', await patch(org, path, { op: 'replace', path: 'userName', value: 7 })],
    ['invalidValue', await org.admin.client.post(`${pathOf(org)}/Users`, { userName: 'no-address' }, scimJson)],
    ['invalidValue', await org.admin.client.post(`${pathOf(org)}/Groups`, { displayName: 'two\nlines' }, scimJson)],
    ['invalidSyntax', await org.admin.client.post(`${pathOf(org)}/Users`, '{', scimJson)],
  ]
  for (const [word, { status, body }] of refusals) {
    assert.deepEqual([status, body.scimType, body.status], [400, word, '400'], JSON.stringify(body))
    assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
    assert.equal(body.detail, body.error.message)
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test('the service describes its configuration, resource types and schemas', async () => {
  const org = await anOrganization(app)
  const read = async (what: string) => (await org.admin.client.get(`${pathOf(org)}/${what}`)).body
  const config = await read('ServiceProviderConfig')
  assert.deepEqual([config.patch.supported, config.bulk.supported, config.filter.maxResults], [true, false, 100])
  assert.deepEqual(
    (await read('ResourceTypes')).Resources.map(({ endpoint }: { endpoint: string }) => endpoint),
    ['/Users', '/Groups'],
  )
  assert.equal((await read('Schemas')).totalResults, 2)
  for (const list of ['ResourceTypes', 'Schemas'])
    for (const each of (await read(list)).Resources) {
      const { status, body } = await org.admin.client.get(new URL(each.meta.location).pathname)
      assert.deepEqual([status, body], [200, each])
    }
  assert.equal((await org.admin.client.get(`${pathOf(org)}/Schemas/x`)).status, 404)
})

test('a write or deletion with an outdated If-Match is refused', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const userName = `${newId()}@example.org`
  const user = (await client.post(`${pathOf(org)}/Users`, { userName })).body
  const group = (await client.post(`${pathOf(org)}/Groups`, { displayName: 'Team', members: [] })).body
  for (const [path, write] of [
    [`${pathOf(org)}/Users/${user.id}`, { userName, displayName: 'Jo' }],
    [`${pathOf(org)}/Groups/${group.id}`, { displayName: 'Crew', members: [{ value: user.id }] }],
    [`${pathOf(org)}/Groups/${group.id}?excludedAttributes=members`, { displayName: 'Others' }],
  ] as const) {
    const tag = (await client.get(path)).headers.get('etag')!
    const { pathname } = new URL(path, app.url)
    const send = (method: string, body?: object) => client.send(method, pathname, body, { 'if-match': tag })
    assert.equal((await send('PUT', write)).status, 200)
    assert.equal((await send('PUT', write)).status, 412)
    assert.equal((await send('DELETE')).status, 412)
    assert.equal((await client.get(path)).status, 200)
  }
})
