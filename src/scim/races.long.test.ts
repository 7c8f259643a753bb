import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { expect } from '../../test/visitor.ts'
import { anIdentityProvider, anOrganizationWith, logIn } from '../saml/testing/login.ts'
import { aGroup, aUser, idsFound, patch, pathOf, peopleIn, scimJson, someone } from './testing/provider.ts'

const app = await startApp()
const rounds = 5

test('of simultaneous creations with the same name or address, one succeeds and the others are refused', async () => {
  const org = await anOrganization(app)
  const create = (body: object) => org.admin.client.post(`${pathOf(org)}/Users`, body, scimJson)
  for (let round = 0; round < rounds; round++) {
    const sent = someone()
    for (const twins of [
      [sent, sent, sent],
      [1, 2, 3].map((n) => ({
        ...someone({ emails: [{ value: `round-${round}@corp.example` }] }),
        userName: `u${n}-${round}`,
      })),
    ]) {
      const answers = await Promise.all(twins.map(create))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
    }
    assert.equal((await idsFound(org, 'Users', `emails eq "round-${round}@corp.example"`)).length, 1)
  }
})

test('a removed user who is created twice at once exists once', async () => {
  const org = await anOrganization(app)
  for (let round = 0; round < rounds; round++) {
    const { sent, path } = await aUser(org)
    await org.admin.client.delete(path)
    const answers = await Promise.all(
      ['one', 'two'].map((name) =>
        org.admin.client.post(`${pathOf(org)}/Users`, { ...sent, userName: `${name}-${round}` }, scimJson),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
  }
})

test('simultaneous changes of one user do not undo each other', async () => {
  const org = await anOrganization(app)
  const { path } = await aUser(org)
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all([
      patch(org, path, { op: 'replace', path: 'userName', value: `name-${round}` }),
      patch(org, path, { op: 'replace', path: 'externalId', value: `external-${round}` }),
      patch(org, path, { op: 'replace', path: 'name.givenName', value: `Given${round}` }),
      patch(org, path, { op: 'replace', path: 'name.familyName', value: `Family${round}` }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const { body } = await org.admin.client.get(path)
    assert.deepEqual(
      [body.userName, body.externalId, body.displayName],
      [`name-${round}`, `external-${round}`, `Given${round} Family${round}`],
    )
  }
})

test('two users who take the same address or name at once do not both get it', async () => {
  const org = await anOrganization(app)
  for (let round = 0; round < rounds; round++) {
    const [a, b] = [await aUser(org), await aUser(org)]
    for (const changes of [{ emails: [{ value: `same-${round}@corp.example` }] }, { userName: `same-${round}` }]) {
      const answers = await Promise.all([a, b].map(({ path }) => patch(org, path, { op: 'replace', value: changes })))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
    }
  }
})

test('simultaneous changes of a group all take effect', async () => {
  const org = await anOrganization(app)
  const people = await Promise.all(Array.from({ length: 6 }, () => aUser(org)))
  const [first, ...others] = people.map(({ id }) => id)
  const { path } = await aGroup(org, { displayName: 'Team', members: [{ value: first }] })
  const answers = await Promise.all([
    patch(org, path, { op: 'remove', path: `members[value eq "${first}"]` }),
    ...others.map((value) => patch(org, path, { op: 'add', path: 'members', value: [{ value }] })),
  ])
  assert.ok(answers.every(({ status }) => status === 204))
  assert.deepEqual(await peopleIn(org, path), others.toSorted())
})

/** Creates a person with an account of their own who came through the provider without being marked for that. */
async function somebodyTwice() {
  const idp = await anIdentityProvider()
  const { org, provider } = await anOrganizationWith(app, idp)
  const own = await org.member('read')
  idp.person = { id: 'twice', email: own.user.email, displayName: 'Twice' }
  await logIn(app, idp, provider.service.startURL)
  const both = await idsFound(org, 'Users', `emails eq "${own.user.email}"`)
  assert.equal(both.length, 2)
  return { org, own, theirs: both.find((id) => id !== own.id)! }
}

test("a name finds one account: the one that came through the provider, before the person's own", async () => {
  const { org, own, theirs } = await somebodyTwice()
  assert.deepEqual(await idsFound(org, 'Users', `userName eq "${own.user.email}"`), [theirs])

  await patch(org, `${pathOf(org)}/Users/${own.id}`, { op: 'replace', path: 'externalId', value: 'own' })
  assert.deepEqual(await idsFound(org, 'Users', `userName eq "${own.user.email}"`), [own.id])
  const { status } = await patch(org, `${pathOf(org)}/Users/${theirs}`, { op: 'replace', path: 'active', value: false })
  assert.equal(status, 200, 'what was so before is no reason to refuse a change')
})

test('a person with two accounts is disabled, restored and removed with both, another at the same address is not', async () => {
  const { org, own, theirs } = await somebodyTwice()
  const path = `${pathOf(org)}/Users/${theirs}`
  const reads = async () => (await own.client.get(`/v1/orgs/${org.id}`)).status
  const switchTo = (value: boolean) => patch(org, path, { op: 'replace', path: 'active', value })

  await switchTo(false)
  assert.equal(await reads(), 404)
  await switchTo(true)
  assert.equal(await reads(), 200)
  expect(await org.admin.client.patch(`/v1/orgs/${org.id}/members/${own.id}`, { disabled: true }), 200)
  await switchTo(true)
  assert.equal(await reads(), 404, 'what an administrator switched off stays so, whoever is on already')
  expect(await org.admin.client.patch(`/v1/orgs/${org.id}/members/${own.id}`, { disabled: false }), 200)

  const ownPath = `${pathOf(org)}/Users/${own.id}`
  await patch(org, ownPath, { op: 'replace', path: 'userName', value: 'shared-mailbox' })
  await switchTo(false)
  assert.equal(await reads(), 200, 'whom the provider tells apart is another person')

  const another = await somebodyTwice()
  await another.org.admin.client.delete(`${pathOf(another.org)}/Users/${another.theirs}`)
  assert.deepEqual(await idsFound(another.org, 'Users', `emails eq "${another.own.user.email}"`), [])
})

test('a first login during provisioning makes one user', async () => {
  const idp = await anIdentityProvider()
  const { org, provider } = await anOrganizationWith(app, idp)
  const sent = someone()
  idp.person = { id: 'at-once', email: sent.userName, displayName: 'At once' }
  const held = await app.db.pool.connect()
  const waiting = async () => {
    const { rows } = await held.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  const ended: unknown[] = []
  try {
    await held.query('begin')
    await held.query('lock table scim_users in share mode')
    const made = org.admin.client.post(`${pathOf(org)}/Users`, sent, scimJson)
    while ((await waiting()) < 1) await setTimeout(5)
    const login = logIn(app, idp, provider.service.startURL).finally(() => ended.push('login'))
    while ((await waiting()) < 2 && ended.length === 0) await setTimeout(5)
    await held.query('commit')
    assert.equal((await made).status, 201)
    assert.equal((await login).seen.status, 303)
  } finally {
    held.release()
  }
  assert.equal((await idsFound(org, 'Users', `emails eq "${sent.userName}"`)).length, 1)
})
