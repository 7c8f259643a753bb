import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestOrganization, type TestPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { addMember } from '../organizations/members.actions.ts'
import { createToken } from './actions.ts'

const app = await startApp()

test('a barred token loses access to the organization at its next request, and works elsewhere', async () => {
  const { org, member, elsewhere, tokenId } = await aMemberOfTwo()
  assert.equal((await member.client.get(`/v1/orgs/${org.id}`)).status, 200)

  assert.equal((await bar(org, member, tokenId)).status, 204)
  assert.equal((await member.client.get(`/v1/orgs/${org.id}`)).status, 404)
  assert.equal((await member.client.get(`/v1/users/${org.admin.id}`)).status, 404)
  assert.equal((await member.client.get(`/v1/orgs/${elsewhere.id}`)).status, 200)
  const own = await member.client.get('/v1/orgs')
  assert.deepEqual(
    own.body.items.map((each: { id: string }) => each.id),
    [elsewhere.id],
  )
  assert.equal(own.body.count, 1)

  assert.equal((await org.admin.client.delete(barPath(org, member, tokenId))).status, 204)
  assert.equal((await member.client.get(`/v1/orgs/${org.id}`)).status, 200)
})

test("barring a token does not affect the member's other tokens", async () => {
  const org = await anOrganization(app)
  const member = await org.member('read')
  const { body } = await member.client.post('/v1/user/tokens', { label: 'Other' })
  await bar(org, member, body.id)

  assert.equal((await app.client(body.token).get(`/v1/orgs/${org.id}`)).status, 404)
  assert.equal((await member.client.get(`/v1/orgs/${org.id}`)).status, 200)
})

test('a token made with a barred token is barred, too', async () => {
  const { org, member, elsewhere, tokenId } = await aMemberOfTwo()
  await bar(org, member, tokenId)

  const { body } = await member.client.post('/v1/user/tokens', { label: 'Successor' })
  const successor = app.client(body.token, [elsewhere.canary, org.canary])
  assert.equal((await successor.get(`/v1/orgs/${org.id}`)).status, 404)
  assert.equal((await successor.get(`/v1/orgs/${elsewhere.id}`)).status, 200)
})

test("an administrator sees a member's live tokens and which are barred, without their secrets", async () => {
  const org = await anOrganization(app)
  const member = await org.member('read')
  const { items } = (await member.client.get('/v1/user/tokens')).body
  const revoked = (await member.client.post('/v1/user/tokens', { label: 'Revoked' })).body
  await member.client.delete(`/v1/user/tokens/${revoked.id}`)
  await transaction(app.db, nobody, (tx) =>
    createToken(tx, { userId: member.id, label: 'Old', expiresAt: new Date(0) }),
  )
  await bar(org, member, items[0].id)

  const list = await org.admin.client.get(`/v1/orgs/${org.id}/members/${member.id}/tokens`)
  const { lastUsedAt, ...shown } = list.body.items[0]
  assert.ok(lastUsedAt >= items[0].createdAt)
  assert.equal(list.body.count, 1)
  assert.deepEqual(
    [shown, ...list.body.items.slice(1)],
    [{ object: 'token', id: items[0].id, label: 'Tests', scopes: null, createdAt: items[0].createdAt, barred: true }],
  )
})

test("the list of a member's tokens is paged", async () => {
  const org = await anOrganization(app)
  const member = await org.member('read')
  for (const label of ['One', 'Two']) await member.client.post('/v1/user/tokens', { label })
  const path = `/v1/orgs/${org.id}/members/${member.id}/tokens?limit=2`

  const first = (await org.admin.client.get(path)).body
  const second = (await org.admin.client.get(`${path}&page=${first.next.page}`)).body
  const labels = [...first.items, ...second.items].map((each: { label: string }) => each.label)
  assert.deepEqual([first.count, labels, second.next], [3, ['Two', 'One', 'Tests'], undefined])
})

test('only administrators see and bar tokens, and strangers get 404', async () => {
  const { org, member, tokenId } = await aMemberOfTwo()
  const statuses = async ({ client }: TestPerson) => {
    const answers = await Promise.all([
      client.get(`/v1/orgs/${org.id}/members/${member.id}/tokens`),
      client.put(barPath(org, member, tokenId)),
      client.delete(barPath(org, member, tokenId)),
    ])
    return [...new Set(answers.map(({ status }) => status))]
  }
  assert.deepEqual(await statuses(await org.member(null)), [403])
  assert.deepEqual(await statuses(await org.member('create')), [403])
  assert.deepEqual(await statuses(member), [403])
  assert.deepEqual(await statuses(await aStranger(app)), [404])
  assert.equal((await member.client.get(`/v1/orgs/${org.id}`)).status, 200)
})

test("an administrator gets 404 for tokens of people who are not members, and for a member's path with another's token", async () => {
  const { org, member, tokenId } = await aMemberOfTwo()
  const stranger = await aStranger(app)
  const strangersToken = (await stranger.client.get('/v1/user/tokens')).body.items[0].id

  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members/${stranger.id}/tokens`)).status, 404)
  assert.equal((await bar(org, stranger, strangersToken)).status, 404)
  assert.equal((await bar(org, member, strangersToken)).status, 404)
  assert.equal((await bar(org, org.admin, tokenId)).status, 404)
  assert.equal((await bar(org, member, newId())).status, 404)
  assert.equal((await bar(org, member, 'no-id')).status, 404)
  assert.equal((await org.admin.client.delete(barPath(org, member, strangersToken))).status, 404)
})

test('barring or unbarring a token twice changes it once, and both are recorded', async () => {
  const { org, member, tokenId } = await aMemberOfTwo()
  for (let round = 0; round < 2; round++) assert.equal((await bar(org, member, tokenId)).status, 204)
  for (let round = 0; round < 2; round++) {
    assert.equal((await org.admin.client.delete(barPath(org, member, tokenId))).status, 204)
  }
  const changes = await app.db.all(sql<{ action: string; actor_id: string }>`
    select action, actor_id from changes where organization_id = ${org.id} and target_id = ${tokenId} order by tx`)
  assert.deepEqual(changes, [
    { action: 'token.barred', actor_id: org.admin.id },
    { action: 'token.unbarred', actor_id: org.admin.id },
  ])
})

test('a narrowed token without the scope to write members cannot bar tokens', async () => {
  const { org, member, tokenId } = await aMemberOfTwo()
  const { body } = await org.admin.client.post('/v1/user/tokens', {
    label: 'Reads',
    scopes: ['organization:members:read'],
  })
  const reader = app.client(body.token, [org.canary])
  assert.equal((await reader.get(`/v1/orgs/${org.id}/members/${member.id}/tokens`)).status, 200)
  assert.equal((await reader.put(barPath(org, member, tokenId))).status, 403)
})

/** A person who belongs to two organizations, with one token. */
async function aMemberOfTwo() {
  const [org, elsewhere] = [await anOrganization(app), await anOrganization(app)]
  const person = await org.member('edit')
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: elsewhere.id, userId: person.id, role: 'read', sso: false }),
  )
  const member = { ...person, client: app.client(person.client.token, [org.canary, elsewhere.canary]) }
  const tokenId: string = (await member.client.get('/v1/user/tokens')).body.items[0].id
  return { org, elsewhere, member, tokenId }
}

const barPath = (org: TestOrganization, member: TestPerson, tokenId: string) =>
  `/v1/orgs/${org.id}/members/${member.id}/tokens/${tokenId}/bar`

const bar = (org: TestOrganization, member: TestPerson, tokenId: string) =>
  org.admin.client.put(barPath(org, member, tokenId))
