import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { anIdentityProvider, anOrganizationWith, logIn } from '../saml/testing/login.ts'
import { createToken } from '../tokens/actions.ts'
import { aGroup, aUser, idsFound, patch, pathOf, scimJson, someone } from './testing/provider.ts'

const app = await startApp()

test('users and groups of another organization cannot be found or changed by any identifier', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const theirs = await aUser(other, { externalId: 'shared' })
  const group = await aGroup(other, { displayName: 'Theirs', externalId: 'shared', members: [{ value: theirs.id }] })
  const before = await stateOf(app.db)
  for (const filter of [
    `id eq "${theirs.id}"`,
    'externalId eq "shared"',
    `userName eq "${theirs.sent.userName}"`,
    `emails.value eq "${theirs.sent.userName}"`,
  ])
    assert.deepEqual(await idsFound(org, 'Users', filter), [], filter)
  for (const filter of [`id eq "${group.id}"`, 'externalId eq "shared"', `members eq "${theirs.id}"`])
    assert.deepEqual(await idsFound(org, 'Groups', filter), [], filter)
  const { client } = org.admin
  for (const path of [
    `${pathOf(org)}/Users/${theirs.id}`,
    `${pathOf(org)}/Groups/${group.id}`,
    theirs.path,
    group.path,
  ]) {
    assert.equal((await client.get(path)).status, 404)
    assert.equal((await client.put(path, { ...someone(), displayName: 'x' }, scimJson)).status, 404)
    assert.equal((await patch(org, path, { op: 'replace', value: { active: false } })).status, 404)
    assert.equal((await client.delete(path)).status, 404)
  }
  const made = await client.post(
    `${pathOf(org)}/Groups`,
    { displayName: 'x', members: [{ value: theirs.id }] },
    scimJson,
  )
  assert.deepEqual([made.status, made.body.scimType], [400, 'invalidValue'])
  assert.deepEqual(await stateOf(app.db), before)
  const twin = await aUser(org, { ...theirs.sent })
  assert.notEqual(twin.id, theirs.id, 'the same person in two organizations has two accounts')
})

test("a token that is not an administrator's, or is read-only, changes no user", async () => {
  const org = await anOrganization(app)
  const { path } = await aUser(org)
  const scopes = ['organization:members:read']
  const { body } = await org.admin.client.post('/v1/user/tokens', { label: 'Reading', scopes })
  const reading = app.client(body.token, [org.canary])
  const others = [(await org.member('create')).client, (await org.member(null)).client]
  const before = await stateOf(app.db)
  assert.equal((await reading.get(path)).status, 200)
  for (const client of others) assert.equal((await client.get(path)).status, 403)
  for (const client of [reading, ...others]) {
    const refused = await client.delete(path)
    assert.deepEqual([refused.status, refused.body.status], [403, '403'])
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test('the token of a disabled or removed user works nowhere until they are back', async () => {
  const org = await anOrganization(app)
  const { id, path } = await aUser(org)
  const { secret } = await transaction(app.db, nobody, (tx) => createToken(tx, { userId: id, label: 'Theirs' }))
  const theirs = app.client(secret, [org.canary])
  const answers = async () => [
    (await theirs.get('/v1/user')).status,
    (await theirs.get(`/v1/orgs/${org.id}`)).status,
    (await theirs.post('/v1/user/tokens', { label: 'One more' })).status,
    (await theirs.post('/v1/orgs', { title: 'Elsewhere' })).status === 401 ? 401 : 'another',
  ]
  await patch(org, path, { op: 'replace', value: { active: false } })
  assert.deepEqual(await answers(), [401, 401, 401, 401])
  await patch(org, path, { op: 'replace', value: { active: true } })
  assert.deepEqual(await answers(), [200, 200, 201, 'another'])
  assert.equal((await org.admin.client.delete(path)).status, 204)
  assert.deepEqual(await answers(), [401, 401, 401, 401])
})

test('an administrator disabled with their own token is out, and another administrator restores them', async () => {
  const org = await anOrganization(app)
  const other = await org.member('admin')
  const path = `${pathOf(org)}/Users/${org.admin.id}`
  assert.equal((await patch(org, path, { op: 'Replace', path: 'active', value: 'False' })).status, 200)
  assert.equal((await org.admin.client.get(path)).status, 404)
  const back = { Operations: [{ op: 'Replace', path: 'active', value: 'True' }] }
  assert.equal((await other.client.patch(path, back, scimJson)).body.active, true)
  assert.equal((await org.admin.client.get(path)).status, 200)
})

test("where single sign-on is required, an administrator's token still provisions users", async () => {
  const idp = await anIdentityProvider()
  const { org, provider } = await anOrganizationWith(app, idp)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { sso: true })
  const { id, sent, path } = await aUser(org)
  idp.person = { id: 'told', email: sent.userName.toUpperCase(), displayName: 'Told' }
  assert.equal((await logIn(app, idp, provider.service.startURL)).seen.status, 303)
  assert.deepEqual(await idsFound(org, 'Users', `emails eq "${sent.userName}"`), [id])
  assert.deepEqual(await idsFound(org, 'Users', `userName eq "${sent.userName}"`), [id])

  await patch(org, path, { op: 'replace', value: { active: false } })
  const refused = await logIn(app, idp, provider.service.startURL)
  assert.notEqual(refused.seen.status, 303, 'who was switched off is not let in again')
  await patch(org, path, { op: 'replace', value: { active: true } })
  assert.equal((await logIn(app, idp, provider.service.startURL)).seen.status, 303)
})

test('a person who signed in before being provisioned is found, and stays the same user', async () => {
  const idp = await anIdentityProvider()
  const { org, provider } = await anOrganizationWith(app, idp)
  idp.person = { id: 'early', email: 'early@corp.example', displayName: 'Early Bird' }
  await logIn(app, idp, provider.service.startURL)
  const [id] = await idsFound(org, 'Users', 'userName eq "EARLY@corp.example"')
  const made = await org.admin.client.post(`${pathOf(org)}/Users`, { userName: 'early@corp.example' }, scimJson)
  assert.deepEqual([made.status, made.body.scimType], [409, 'uniqueness'])
  const told = { ...someone(), userName: 'early', emails: [{ value: 'early@corp.example' }], externalId: 'e-1' }
  const { status, body } = await org.admin.client.put(`${pathOf(org)}/Users/${id}`, told, scimJson)
  assert.deepEqual([status, body.id, body.userName, body.externalId], [200, id, 'early', 'e-1'])
  assert.deepEqual(await idsFound(org, 'Users', 'userName eq "early@corp.example"'), [])
  await logIn(app, idp, provider.service.startURL)
  assert.deepEqual(await idsFound(org, 'Users', 'emails eq "early@corp.example"'), [id])
})

test("each change is in the organization's audit log with the token that made it, and nothing else is", async () => {
  const org = await anOrganization(app)
  const { path, sent, id } = await aUser(org)
  const group = await aGroup(org, { displayName: 'Team', members: [{ value: id }] })
  await patch(org, path, { op: 'replace', value: { active: false, roles: [{ value: 'edit' }] } })
  await org.admin.client.put(path, { ...sent, active: true }, scimJson)
  await org.admin.client.put(path, { ...sent, active: true }, scimJson)
  await patch(org, group.path, { op: 'add', path: 'members', value: [{ value: id }] })
  await patch(org, group.path, { op: 'replace', path: 'displayName', value: 'Crew' })
  await patch(org, group.path, { op: 'remove', path: `members[value eq "${id}"]` })
  await org.admin.client.delete(group.path)
  await org.admin.client.delete(path)
  const { rows } = await app.db.pool.query(
    `select action || coalesce(' ' || array_to_string(fields, ','), '') as said from changes
     where organization_id = $1 and actor_id = $2 and token_id is not null and action <> 'access.denied' order by id`,
    [org.id, org.admin.id],
  )
  assert.deepEqual(
    rows.map(({ said }) => said),
    [
      'member.added',
      'team.created',
      'team-member.added',
      'member.updated role,disabled',
      'member.updated disabled',
      'team.updated title',
      'team-member.removed',
      'team.removed',
      'member.removed',
    ],
  )
})
