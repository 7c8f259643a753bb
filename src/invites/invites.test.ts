import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { inviting } from '../../test/invites.ts'
import { type TestPerson, aPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()
const { anAddress, secretOf, invite, anEmailInvite, aLink, acceptAsNewcomer, roleOf, countRows } = inviting(app)

test('inviting by address adds no member, and returns one link for each address', async () => {
  const org = await anOrganization(app)
  const known = await aPerson(app)
  const unknown = anAddress()

  const answer = await invite(org, { emails: [known.user.email, { email: unknown, role: 'edit' }] }, [known])
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body.users, [])
  assert.equal(answer.body.invited, 2)
  for (const { id, url } of answer.body.invites) {
    assert.match(url, /^http:\/\/lectern\.test\/invite\/[\w-]{43}$/)
    assert.ok(!url.includes(id))
  }
  assert.equal((await known.client.get(`/v1/orgs/${org.id}`)).status, 404)
})

test('an invite by address gives the role named for it, else the role named for all, else the default role', async () => {
  const org = await anOrganization(app)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { defaultRole: 'comment' })
  const roleAfter = async (body: (email: string) => object) => {
    const email = anAddress()
    const { body: sent } = await invite(org, body(email))
    const joined = await acceptAsNewcomer(secretOf(sent.invites[0].url), email)
    return (await org.admin.client.get(`/v1/orgs/${org.id}/members/${joined.body.user.id}`)).body.role
  }

  assert.equal(await roleAfter((email) => ({ emails: [email] })), 'comment')
  assert.equal(await roleAfter((email) => ({ emails: [email], role: 'review' })), 'review')
  assert.equal(await roleAfter((email) => ({ emails: [email], role: null })), null)
  assert.equal(await roleAfter((email) => ({ emails: [{ email }], role: 'review' })), 'review')
  assert.equal(await roleAfter((email) => ({ emails: [{ email, role: null }], role: 'review' })), null)
})

test('a person invited as a single sign-on user becomes a single sign-on member', async () => {
  const org = await anOrganization(app)
  const email = anAddress()
  const { body } = await invite(org, { emails: [email], sso: true })
  const joined = await acceptAsNewcomer(secretOf(body.invites[0].url), email)
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members/${joined.body.user.id}`)).body.sso, true)
})

test('a member is not invited again, and a repeated address is invited once', async () => {
  const org = await anOrganization(app)
  const member = await org.member('read')
  const email = anAddress()

  const answer = await invite(org, {
    emails: [member.user.email.toUpperCase(), email, { email: email.toUpperCase(), role: 'edit' }],
  })
  assert.equal(answer.body.invited, 1)
  assert.deepEqual(
    answer.body.invites.map((each: { email: string }) => each.email),
    [email.toUpperCase()],
  )
})

test('inviting an address again replaces the open invite, and the old link no longer works', async () => {
  const org = await anOrganization(app)
  const email = anAddress()
  const first = await anEmailInvite(org, email)
  const second = await anEmailInvite(org, email.toUpperCase())

  assert.equal((await acceptAsNewcomer(first, email)).status, 404)
  assert.equal((await acceptAsNewcomer(second, email)).status, 200)
})

test('bad addresses, unknown roles and more than a hundred people are refused, and nobody is invited', async () => {
  const org = await anOrganization(app)
  const refusal = async (body: unknown) => {
    const answer = await invite(org, body)
    assert.equal(answer.status, 400)
    return answer.body.error.details[0].path
  }

  assert.equal(await refusal({}), 'body.emails')
  assert.equal(await refusal({ emails: anAddress() }), 'body.emails')
  assert.equal(await refusal({ emails: [anAddress(), 'nobody'] }), 'body.emails.1')
  assert.equal(await refusal({ emails: [{ email: 'nobody', role: 'read' }] }), 'body.emails.0.email')
  assert.equal(await refusal({ emails: [{ email: anAddress(), role: 'owner' }] }), 'body.emails.0.role')
  assert.equal(await refusal({ emails: [anAddress()], role: 'owner' }), 'body.role')
  assert.equal(await refusal({ emails: Array.from({ length: 101 }, anAddress) }), 'body.emails')
  assert.equal(await countRows(sql`select count(*) from invites where organization_id = ${org.id}`), 0)
})

test('only administrators make and see invites, and a stranger gets 404', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const calls = (who: TestPerson) => [
    who.client.post(`/v1/orgs/${org.id}/invites`, { emails: [anAddress()] }),
    who.client.get(`/v1/orgs/${org.id}/link-invites`),
    who.client.post(`/v1/orgs/${org.id}/link-invites`, { role: 'read' }),
    who.client.get(`/v1/orgs/${org.id}/link-invites/${link.id}`),
    who.client.patch(`/v1/orgs/${org.id}/link-invites/${link.id}`, { role: 'read' }),
    who.client.delete(`/v1/orgs/${org.id}/link-invites/${link.id}`),
  ]
  const statuses = async (who: TestPerson) => [...new Set((await Promise.all(calls(who))).map(({ status }) => status))]

  assert.deepEqual(await statuses(await org.member(null)), [403])
  assert.deepEqual(await statuses(await org.member('read')), [403])
  assert.deepEqual(await statuses(await org.member('create')), [403])
  assert.deepEqual(await statuses(await aStranger(app)), [404])
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/link-invites/${link.id}`)).status, 200)
})

test('a narrowed token can read an invite link only if it could make one', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const narrowed = async (scope: string) => {
    const { body } = await org.admin.client.post('/v1/user/tokens', { label: 'Narrow', scopes: [scope] })
    return (await app.client(body.token, [org.canary]).get(`/v1/orgs/${org.id}/link-invites/${link.id}`)).status
  }
  assert.equal(await narrowed('organization:members:read'), 403)
  assert.equal(await narrowed('organization:members:write'), 200)
})

test('a link can be read again, changed, listed page by page, and deleted', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org, 'read')
  assert.deepEqual(link, {
    object: 'invite',
    id: link.id,
    redundant: true,
    role: 'read',
    urls: {
      location: `http://lectern.test/v1/orgs/${org.id}/link-invites/${link.id}`,
      invite: `http://lectern.test/invite/${link.secret}`,
    },
    secret: link.secret,
  })
  const path = `/v1/orgs/${org.id}/link-invites`
  const read = await org.admin.client.get(`${path}/${link.id}`)
  assert.equal(read.body.urls.invite, link.urls.invite)

  const other = await aLink(org, null)
  await anEmailInvite(org)
  const first = await org.admin.client.get(`${path}?limit=1`)
  assert.deepEqual([first.body.count, first.body.items[0].id], [2, other.id])
  const second = await org.admin.client.get(`${path}?limit=1&page=${first.body.next.page}`)
  assert.deepEqual([second.body.items[0].id, second.body.next], [link.id, undefined])

  const stale = { 'if-match': read.headers.get('etag')! }
  const changed = await org.admin.client.patch(`${path}/${link.id}`, { role: 'edit' }, stale)
  assert.deepEqual([changed.status, changed.body.role, changed.body.urls.invite], [200, 'edit', link.urls.invite])
  assert.equal((await org.admin.client.patch(`${path}/${link.id}`, { role: 'admin' }, stale)).status, 412)
  assert.equal((await org.admin.client.delete(`${path}/${link.id}`, stale)).status, 412)
  const newcomer = await acceptAsNewcomer(link.secret, anAddress())
  assert.equal(await roleOf(org, newcomer.body.user.id), 'edit')

  assert.equal((await org.admin.client.delete(`${path}/${link.id}`)).status, 205)
  assert.equal((await org.admin.client.get(`${path}/${link.id}`)).status, 404)
  assert.equal((await org.admin.client.delete(`${path}/${link.id}`)).status, 404)
  assert.equal((await acceptAsNewcomer(link.secret, anAddress())).status, 404)
})

test("an administrator cannot reach another organization's invites through their own path", async () => {
  const org = await anOrganization(app)
  const stranger = await anOrganization(app)
  const link = await aLink(org)
  const path = `/v1/orgs/${stranger.id}/link-invites/${link.id}`

  assert.equal((await stranger.admin.client.get(path)).status, 404)
  assert.equal((await stranger.admin.client.patch(path, { role: 'admin' })).status, 404)
  assert.equal((await stranger.admin.client.delete(path)).status, 404)
  assert.equal((await acceptAsNewcomer(link.secret, anAddress())).status, 200)
})

test('a link is refused without a role, with two targets, or with content that does not exist', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const path = `/v1/orgs/${org.id}/link-invites`
  const refusal = async (sent: ReturnType<Client['post']>) => {
    const answer = await sent
    assert.equal(answer.status, 400)
    return answer.body.error.details[0].path
  }

  assert.equal(await refusal(org.admin.client.post(path, {})), 'body.role')
  assert.equal(await refusal(org.admin.client.post(path, { role: 'owner' })), 'body.role')
  assert.equal(await refusal(org.admin.client.post(path, { level: 'read', space: newId() })), 'body.space')
  assert.equal(await refusal(org.admin.client.post(path, { level: 'read', collection: newId() })), 'body.collection')
  // Two targets at once are refused.
  assert.equal(
    await refusal(org.admin.client.post(path, { role: 'admin', level: 'read', space: newId() })),
    'body.space',
  )
  assert.equal(
    await refusal(org.admin.client.post(path, { level: 'read', space: newId(), collection: newId() })),
    'body.collection',
  )
  assert.equal(await refusal(org.admin.client.post(path, { role: 'read', level: 'edit' })), 'body.level')
  assert.equal(await refusal(org.admin.client.patch(`${path}/${link.id}`, {})), 'body.role')
  assert.equal(
    await refusal(org.admin.client.patch(`${path}/${link.id}`, { role: 'read', level: 'edit' })),
    'body.level',
  )
  assert.equal(await refusal(org.admin.client.patch(`${path}/${link.id}`, { level: 'read' })), 'body.level')
})
