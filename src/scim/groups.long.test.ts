import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { newId } from '../ids.ts'
import { aGroup, aUser, idsFound, patch, pathOf, peopleIn, scimJson } from './testing/provider.ts'

const app = await startApp()

test('replacing a group without naming members keeps them, and with an empty list removes them', async () => {
  const org = await anOrganization(app)
  const { id } = await aUser(org)
  const { path } = await aGroup(org, { displayName: 'Team', members: [{ value: id }] })
  const put = (more: object) => org.admin.client.put(path, { displayName: 'Crew', ...more }, scimJson)
  assert.equal((await put({ externalId: 'crew' })).status, 200)
  assert.deepEqual(await peopleIn(org, path), [id])
  for (const members of [[], null]) {
    await patch(org, path, { op: 'add', path: 'members', value: [{ value: id }] })
    assert.equal((await put({ members })).status, 200)
    assert.deepEqual(await peopleIn(org, path), [])
  }
})

test('changing details of a group member adds nobody and removes no one else', async () => {
  const org = await anOrganization(app)
  const [a, b] = [await aUser(org), await aUser(org)]
  const { path } = await aGroup(org, { displayName: 'Team', members: [{ value: a.id }] })
  for (const [status, word, operation] of [
    [204, undefined, { op: 'replace', path: `members[value eq "${a.id}"].display`, value: 'Jo' }],
    [400, 'noTarget', { op: 'replace', path: `members[value eq "${b.id}"].display`, value: 'Jo' }],
    [400, 'noTarget', { op: 'add', path: `members[value eq "${b.id}"]`, value: { display: 'Jo' } }],
    [400, 'invalidFilter', { op: 'remove', path: 'members[display eq "Jo"]' }],
    [400, 'invalidFilter', { op: 'remove', path: 'members[value]' }],
    [400, 'invalidFilter', { op: 'remove', path: `members[value eq "${a.id}" or value eq "${b.id}"]` }],
    [204, undefined, { op: 'remove', path: `members[value eq "${a.id}"].display` }],
    [204, undefined, { op: 'remove', path: 'members.display' }],
    [204, undefined, { op: 'replace', path: 'members.display', value: 'Jo' }],
    [204, undefined, { op: 'replace', path: 'urn:example:extension:app:1.0:Group:members', value: [] }],
    [204, undefined, { op: 'replace', path: 'urn:example:extension:app:1.0:Group:displayName', value: 'Other' }],
  ] as const) {
    const answer = await patch(org, path, operation)
    assert.deepEqual([answer.status, answer.body?.scimType], [status, word], JSON.stringify(operation))
    if (word === 'invalidFilter') assert.equal(answer.body.error.details[0].path, 'body.Operations.0.path')
    assert.deepEqual(await peopleIn(org, path), [a.id], JSON.stringify(operation))
  }
  assert.equal((await org.admin.client.get(path)).body.displayName, 'Team')
})

test("members are added to and removed from a group in each provider's notation, including nulls and duplicates", async () => {
  const org = await anOrganization(app)
  const [a, b] = [(await aUser(org)).id, (await aUser(org)).id].toSorted()
  const { path, id } = await aGroup(org)
  for (const [who, ...operations] of [
    [[a, b], { op: 'Add', path: null, value: { members: [{ value: a }, { value: a }, { value: b, $ref: null }] } }],
    [[a], { op: 'Remove', path: 'members', value: [{ value: b }, { value: newId() }, { value: 'nobody' }] }],
    [[a], { op: 'remove', path: 'members', value: [] }],
    [[a, b], { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members', value: { value: b } }],
    [[], { op: 'Remove', path: 'members', value: null }],
    [[a], { op: 'replace', value: { schemas: [], id, displayName: 'Team', members: [{ value: a, type: 'User' }] } }],
    [[b], { op: 'remove', path: `members[value eq "${a}"]` }, { op: 'add', path: 'members', value: [{ value: b }] }],
  ] as [string[], ...object[]][]) {
    const { status, body } = await patch(org, path, ...operations)
    assert.equal(status, 204, JSON.stringify(body))
    assert.deepEqual(await peopleIn(org, path), who, JSON.stringify(operations))
  }
})

test('groups are found by every filter that providers send', async () => {
  const org = await anOrganization(app)
  const user = await aUser(org)
  const { id } = await aGroup(org, { displayName: 'A "quoted" team', externalId: 'E-1', members: [{ value: user.id }] })
  const { id: twin } = await aGroup(org, { displayName: 'a "QUOTED" team' })
  for (const [filter, ...found] of [
    ['displayName eq "A \\"quoted\\" team"', id, twin],
    [`members[value eq "${user.id}"]`, id],
    [`id eq "${id}" and members eq "${user.id}"`, id],
    ['externalId eq "E-1"', id],
    ['externalId eq "e-1"'],
    ['displayName eq "Nothing"'],
  ] as [string, ...string[]][])
    assert.deepEqual((await idsFound(org, 'Groups', filter)).toSorted(), found.toSorted(), filter)
})

test('a group with thousands of members can be created, read, and changed one by one', async () => {
  const org = await anOrganization(app)
  const ids = Array.from({ length: 3000 }, () => newId())
  await app.db.pool.query(
    `insert into users (id, email, display_name) select x, x || '@big.example', 'Somebody' from unnest($1::uuid[]) x`,
    [ids],
  )
  await app.db.pool.query(
    `insert into members (organization_id, user_id, role) select $1, x, 'read' from unnest($2::uuid[]) x`,
    [org.id, ids],
  )
  const { path } = await aGroup(org, { displayName: 'All', members: ids.slice(1).map((value) => ({ value })) })
  await patch(org, path, { op: 'add', path: 'members', value: [{ value: ids[0] }] })
  await patch(org, path, ...ids.slice(1, 1001).map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` })))
  assert.deepEqual(await peopleIn(org, path), [ids[0], ...ids.slice(1001)].toSorted())
  const { status, body } = await org.admin.client.get(`${pathOf(org)}/Groups?excludedAttributes=members`)
  assert.deepEqual([status, body.Resources.length, body.Resources[0].members], [200, 1, undefined])
})

test("a changed external id of a group is in the organization's audit log", async () => {
  const org = await anOrganization(app)
  const { id, path } = await aGroup(org)
  await patch(org, path, { op: 'add', path: 'externalId', value: 'g-7' })
  await patch(org, path, { op: 'replace', value: { externalId: 'g-7', displayName: 'Team' } })
  await patch(org, path, { op: 'remove', path: 'externalId' })
  const { rows } = await app.db.pool.query(
    `select fields from changes where organization_id = $1 and target_id = $2 and action = 'team.updated' order by id`,
    [org.id, id],
  )
  assert.deepEqual(
    rows.map(({ fields }) => fields),
    [['externalId'], ['externalId']],
  )
})
