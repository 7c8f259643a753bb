import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aPerson, anOrganization } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { assertSound } from '../../doctor/testing/sound.ts'
import { newId } from '../../ids.ts'
import { purge } from '../../jobs/purge.task.ts'
import { createToken } from '../../tokens/actions.ts'
import { Browser } from '../testing/browser.ts'
import { makeCertificate } from '../testing/certificate.ts'
import { type TestLogin, anIdentityProvider, anOrganizationWith, begin, logIn } from '../testing/login.ts'

const app = await startApp()
const idp = await anIdentityProvider()
/** Keeps the names of different tests apart. */
let people = 0

function aNewPerson(email?: string) {
  const id = `person-${++people}`
  return (idp.person = { id, email: email ?? `${id}@idp.example`, displayName: `Person ${people}` })
}

/** Returns whom the session of this browser belongs to. */
async function whoIs(browser: Browser) {
  const row = await app.db.find(sql<{ user_id: string; organization_id: string; method: string }>`
    select s.user_id, s.organization_id, s.method from sessions s
    where s.secret_hash = sha256(convert_to(${browser.cookies.get('lectern-session') ?? ''}, 'UTF8'))`)
  return row && { ...row }
}

const membersOf = async ({ org }: TestLogin) => (await org.admin.client.get(`/v1/orgs/${org.id}/members`)).body.items

const tokenOf = (userId: string) =>
  transaction(app.db, nobody, (tx) => createToken(tx, { userId, label: 'Theirs' })).then(({ secret }) => secret)

const actionsIn = async (organizationId: string) =>
  (
    await app.db.all(sql<{ action: string; reason: string | null; actor_id: string | null }>`
      select action, details->>'reason' as reason, actor_id from changes where organization_id = ${organizationId}
      order by id`)
  ).map((row) => ({ ...row }))

test('a first login makes a new member, with the role and the team of the provider', async () => {
  const login = await anOrganizationWith(app, idp, { defaultRole: 'comment' })
  const { org, provider, path } = login
  const team = (await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Newcomers' })).body
  await org.admin.client.patch(path, { defaultTeam: team.id })
  const person = aNewPerson()

  const { browser, seen } = await logIn(app, idp, provider.service.startURL)
  assert.deepEqual([seen.status, seen.location], [303, '/account'])
  const [member] = await membersOf(login)
  assert.deepEqual(
    [member.user.email, member.user.displayName, member.role, member.sso, member.teams],
    [person.email, person.displayName, 'comment', true, 1],
  )
  assert.deepEqual(await whoIs(browser), { user_id: member.id, organization_id: org.id, method: 'saml' })
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/teams/${team.id}/members`)).body.count, 1)
  const record = await actionsIn(org.id)
  for (const action of ['member.added', 'member.linked', 'session.opened'])
    assert.ok(
      record.some((row) => row.action === action),
      action,
    )
})

test('a second login is the same account, whatever address the provider sends by then', async () => {
  const login = await anOrganizationWith(app, idp)
  const { startURL } = login.provider.service
  const person = aNewPerson()
  const first = await logIn(app, idp, startURL)
  idp.person = { ...person, email: 'moved@idp.example', displayName: 'Renamed' }
  const second = await logIn(app, idp, startURL)

  assert.equal((await whoIs(first.browser))!.user_id, (await whoIs(second.browser))!.user_id)
  assert.notEqual(first.browser.cookies.get('lectern-session'), second.browser.cookies.get('lectern-session'))
  const members = await membersOf(login)
  assert.deepEqual([members.length, members[0].user.email], [2, 'moved@idp.example'])
})

test('a browser is signed in as one person: its earlier session ends, and the new one has its own secret', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  const browser = new Browser(app)
  aNewPerson()
  await logIn(app, idp, provider.service.startURL, { browser })
  const [first, secret] = [await whoIs(browser), browser.cookies.get('lectern-session')]
  aNewPerson()
  await logIn(app, idp, provider.service.startURL, { browser })
  assert.notEqual((await whoIs(browser))!.user_id, first!.user_id)
  browser.cookies.set('lectern-session', secret!)
  assert.equal(await whoIs(browser), undefined)
})

test('simultaneous first logins make one account', async () => {
  const login = await anOrganizationWith(app, idp)
  aNewPerson()
  const logins = await Promise.all([1, 2, 3].map(() => logIn(app, idp, login.provider.service.startURL)))
  const users = await Promise.all(logins.map(async ({ browser }) => (await whoIs(browser))!.user_id))
  assert.deepEqual([new Set(users).size, (await membersOf(login)).length], [1, 2])
})

test('the same name at two providers is two accounts', async () => {
  const [one, two] = [await anOrganizationWith(app, idp), await anOrganizationWith(app, idp)]
  aNewPerson()
  const first = await whoIs((await logIn(app, idp, one.provider.service.startURL)).browser)
  const second = await whoIs((await logIn(app, idp, two.provider.service.startURL)).browser)
  assert.deepEqual([first!.organization_id, second!.organization_id], [one.org.id, two.org.id])
  assert.notEqual(first!.user_id, second!.user_id)
})

test("a login never takes over an account from elsewhere or an administrator's, even with the same address", async () => {
  const login = await anOrganizationWith(app, idp)
  const elsewhere = await anOrganization(app)
  for (const victim of [elsewhere.admin, login.org.admin]) {
    aNewPerson(victim.user.email)
    const { browser } = await logIn(app, idp, login.provider.service.startURL)
    const { user_id: userId } = (await whoIs(browser))!
    assert.notEqual(userId, victim.id)
    const client = app.client(await tokenOf(userId), [login.org.canary])
    assert.equal((await client.get(`/v1/orgs/${login.org.id}/saml`)).status, 403)
    assert.equal((await victim.client.get('/v1/user')).body.id, victim.id)
  }
})

test('an account from single sign-on has rights only in its organization, and joins no other', async () => {
  const login = await anOrganizationWith(app, idp, { defaultRole: 'admin' })
  const other = await anOrganization(app)
  const { email } = aNewPerson()
  const { browser } = await logIn(app, idp, login.provider.service.startURL)
  const { user_id: userId } = (await whoIs(browser))!
  const client = app.client(await tokenOf(userId), [login.org.canary, other.canary])

  const invited = await other.admin.client.post(`/v1/orgs/${other.id}/invites`, { emails: [email], role: 'read' })
  const secret = invited.body.invites[0].url.split('/').at(-1)
  const refused = await client.post(`/v1/invites/${secret}/accept`)
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /single sign-on/)
  assert.equal((await client.get(`/v1/orgs/${other.id}`)).status, 404)
  assert.equal((await client.get(`/v1/orgs/${login.org.id}`)).status, 200)

  // The address is still free for a person who proves that they read its mail.
  const own = await app.client(undefined, [other.canary]).post(`/v1/invites/${secret}/accept`, { email })
  assert.equal(own.status, 200)
  assert.notEqual(own.body.user.id, userId)
  await assertSound(app.db)
})

test('a member marked for single sign-on who belongs nowhere else keeps the account', async () => {
  const login = await anOrganizationWith(app, idp)
  const awaited = await login.org.member('edit', { sso: true })
  aNewPerson(awaited.user.email.toUpperCase())
  const { browser } = await logIn(app, idp, login.provider.service.startURL)
  assert.equal((await whoIs(browser))!.user_id, awaited.id)
  assert.equal((await awaited.client.get(`/v1/orgs/${login.org.id}`)).status, 200)
  assert.equal((await login.org.admin.client.get(`/v1/orgs/${login.org.id}/members/${awaited.id}`)).body.role, 'edit')
})

test('the creator of an account with an unverified address is locked out once its owner signs in', async () => {
  const login = await anOrganizationWith(app, idp)
  const squatter = await login.org.member('edit', { sso: true })
  await app.db.run(sql`update users set email_verified = false where id = ${squatter.id}`)
  aNewPerson(squatter.user.email)
  const { browser } = await logIn(app, idp, login.provider.service.startURL)
  assert.equal((await whoIs(browser))!.user_id, squatter.id)
  assert.equal((await squatter.client.get('/v1/user')).status, 401)
})

test('a member marked for single sign-on who also belongs elsewhere stays a separate account', async () => {
  const login = await anOrganizationWith(app, idp)
  const elsewhere = await anOrganization(app)
  const marked = await login.org.member('edit', { sso: true })
  await app.db.run(sql`
    insert into members (organization_id, user_id, role) values (${elsewhere.id}, ${marked.id}, 'read')`)
  aNewPerson(marked.user.email)
  const { browser } = await logIn(app, idp, login.provider.service.startURL)
  assert.notEqual((await whoIs(browser))!.user_id, marked.id)
})

test('people from a replaced provider keep their account, role and tokens at the new one', async () => {
  const { org, provider, path } = await anOrganizationWith(app, idp, { defaultRole: 'comment' })
  const another = () => org.admin.client.post(`/v1/orgs/${org.id}/saml`, { label: 'Another', ...idp.settings })
  const { email } = aNewPerson()
  const nameOf = async (startURL: string) => (await whoIs((await logIn(app, idp, startURL)).browser))!.user_id
  const userId = await nameOf(provider.service.startURL)
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${userId}`, { role: 'edit' })
  const client = app.client(await tokenOf(userId), [org.canary])

  const beside = (await another()).body
  assert.notEqual(
    await nameOf(beside.service.startURL),
    userId,
    'while the first one knows them, another names another',
  )
  await org.admin.client.delete(path)
  const next = (await another()).body
  aNewPerson(email.toUpperCase())
  assert.equal(await nameOf(next.service.startURL), userId)
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members/${userId}`)).body.role, 'edit')
  assert.equal((await client.get(`/v1/orgs/${org.id}`)).status, 200, 'their tokens are still theirs')
  await assertSound(app.db)
})

test('an invite for single sign-on gives its role once, and one for an own account is not used', async () => {
  const login = await anOrganizationWith(app, idp, { defaultRole: 'read' })
  const { org, provider } = login
  const invite = (email: string, more: object) =>
    org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [email], role: 'review', ...more })
  const openInvites = async () =>
    (await app.db.one(sql<{ count: number }>`select count(*) from invites where organization_id = ${org.id}`)).count
  const come = async () => {
    const { user_id: userId } = (await whoIs((await logIn(app, idp, provider.service.startURL)).browser))!
    return { userId, role: (await org.admin.client.get(`/v1/orgs/${org.id}/members/${userId}`)).body.role }
  }
  const { email } = aNewPerson()
  await invite(email.toUpperCase(), { sso: true })
  const { userId, role } = await come()
  assert.deepEqual([role, await openInvites()], ['review', 0])
  assert.ok((await actionsIn(org.id)).some((each) => each.action === 'invite.accepted' && each.actor_id === userId))

  await org.admin.client.delete(`/v1/orgs/${org.id}/members/${userId}`)
  assert.equal((await come()).role, 'read', 'it works once')
  await org.admin.client.delete(`/v1/orgs/${org.id}/members/${userId}`)
  await invite(email, { sso: true })
  assert.deepEqual(await come(), { userId, role: 'review' })

  await invite(aNewPerson().email, { sso: false })
  assert.deepEqual([(await come()).role, await openInvites()], ['read', 1], 'one for an own account is not theirs')
})

test('a disabled member cannot sign in by any name, and a removed one comes back as a newcomer', async () => {
  const login = await anOrganizationWith(app, idp, { defaultRole: 'read' })
  const { org, provider } = login
  const { startURL } = provider.service
  const person = aNewPerson()
  const { user_id: userId } = (await whoIs((await logIn(app, idp, startURL)).browser))!
  const member = `/v1/orgs/${org.id}/members/${userId}`

  await org.admin.client.patch(member, { disabled: true })
  const refused = await logIn(app, idp, startURL)
  assert.deepEqual([refused.seen.status, refused.browser.cookies.has('lectern-session')], [403, false])
  assert.match(refused.seen.text, /suspended/)
  idp.person = { ...person, id: `${person.id}-again` }
  assert.equal((await logIn(app, idp, startURL)).seen.status, 403)
  assert.deepEqual(
    (await actionsIn(org.id))
      .filter(({ action }) => action === 'saml-provider.login-refused')
      .map(({ reason }) => reason),
    ['disabled', 'disabled'],
  )

  idp.person = person
  await org.admin.client.patch(member, { disabled: false, role: 'edit' })
  assert.equal((await logIn(app, idp, startURL)).seen.status, 303)
  await org.admin.client.delete(member)
  assert.equal((await whoIs((await logIn(app, idp, startURL)).browser))!.user_id, userId)
  assert.equal((await org.admin.client.get(member)).body.role, 'read')
})

test('a login ends only in the browser that began it', async () => {
  const { provider, org } = await anOrganizationWith(app, idp)
  aNewPerson()
  const [own, other, empty] = [new Browser(app), new Browser(app), new Browser(app)]
  await other.get(provider.service.startURL)
  const posted = await own.post(await begin(own, idp, provider.service.startURL))
  const before = (await org.admin.client.get(`/v1/orgs/${org.id}/members`)).body.count

  for (const browser of [other, empty]) {
    const { status, text } = await browser.get(posted.location)
    assert.deepEqual([status, browser.cookies.has('lectern-session')], [400, false])
    assert.match(text, /another browser/)
  }
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members`)).body.count, before)
  assert.equal((await own.get(posted.location)).status, 303)
  own.cookies.delete('lectern-session')
  assert.equal((await own.get(posted.location)).status, 400)
})

test('in a signed-in browser, a second tab and reloading the end of a login lead on', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  aNewPerson()
  const { startURL } = provider.service
  const browser = new Browser(app)
  const forms = [await begin(browser, idp, startURL), await begin(browser, idp, startURL)]
  const ends = []
  for (const form of forms) ends.push((await browser.post(form)).location)
  assert.equal((await browser.get(ends[0]!)).status, 303)
  const session = browser.cookies.get('lectern-session')
  for (const end of ends) {
    const seen = await browser.get(end)
    assert.deepEqual([seen.status, seen.location], [303, '/account'])
  }
  assert.equal(browser.cookies.get('lectern-session'), session)
  // A user who starts another login is told how it ends, and is not led on.
  await browser.get(startURL)
  assert.equal((await browser.get(ends[0]!)).status, 400)
})

test('opening the address for responses in a browser shows a page that links to sign-in', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  const { acsURL, startURL } = provider.service
  for (const address of [acsURL, `${acsURL}?SAMLRequest=x`]) {
    const seen = await new Browser(app).get(address, { accept: 'text/html' })
    assert.equal(seen.status, 400)
    assert.match(seen.text, /was not started here/)
    assert.ok(seen.text.includes(`href="${startURL}"`))
  }
})

test('a login leads to a path of this server, never to another host', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  aNewPerson()
  const endOf = async (next: string) => {
    const startURL = `${provider.service.startURL}?next=${encodeURIComponent(next)}`
    return (await logIn(app, idp, startURL)).seen.location
  }
  assert.equal(await endOf('/account?tab=tokens'), '/account?tab=tokens')
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/\tx'])
    assert.equal(await endOf(next), '/account', next)
})

test('addresses come from the settings, not from the host that a request names', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  const browser = new Browser(app)
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
  const metadata = await browser.get(provider.service.entityID, headers)
  assert.equal(metadata.status, 200)
  assert.match(metadata.headers.get('content-type')!, /^application\/samlmetadata\+xml/)
  assert.ok(metadata.text.includes(`entityID="${provider.service.entityID}"`))
  assert.ok(metadata.text.includes(`Location="${provider.service.acsURL}"`))
  assert.ok(metadata.text.includes('WantAssertionsSigned="true"'))
  assert.ok(!metadata.text.includes('evil'))
  const form = await idp.visit((await browser.get(provider.service.startURL, headers)).location)
  assert.equal(form.action, provider.service.acsURL)
})

test('an unknown, incomplete or deleted provider signs nobody in, and says so on a page', async () => {
  const { org, provider, path } = await anOrganizationWith(app, idp)
  aNewPerson()
  const { browser } = await logIn(app, idp, provider.service.startURL)
  const form = await begin(new Browser(app), idp, provider.service.startURL)
  assert.ok(await whoIs(browser))

  await org.admin.client.patch(path, { ssoURL: '' })
  const pending = await browser.get(provider.service.startURL)
  assert.deepEqual([pending.status, pending.location], [409, ''])
  assert.match(pending.text, /not completely set up/)
  await org.admin.client.delete(path)
  const before = await stateOf(app.db)
  for (const address of [
    provider.service.startURL,
    provider.service.entityID,
    provider.service.startURL.replace(/[^/]+\/start/, 'x/start'),
  ]) {
    const { status, text, headers } = await browser.get(address)
    assert.equal(status, 404, address)
    assert.match(text, /<h1>You are not signed in<\/h1>/)
    assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
  }
  assert.equal((await browser.post(form)).status, 404)
  assert.equal(await stateOf(app.db), before)
  assert.equal(await whoIs(browser), undefined)
})

test("a provider's response that it did not sign the person in is shown as such", async () => {
  const { provider } = await anOrganizationWith(app, idp)
  aNewPerson()
  const { seen } = await logIn(app, idp, provider.service.startURL, {
    tamper: (xml) =>
      xml.replace(/<saml:Assertion.*<\/saml:Assertion>/s, '').replace('status:Success', 'status:Responder'),
  })
  assert.equal(seen.status, 403)
  assert.match(seen.text, /did not sign you in/)
})

test('a login without an address, or with a transient name, says what the provider must send', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  idp.person = { id: 'no-address', displayName: 'Nobody' }
  const nameless = await logIn(app, idp, provider.service.startURL)
  assert.deepEqual([nameless.seen.status, nameless.seen.text.includes('did not send your e-mail address')], [400, true])
  idp.person = { id: 'as-name@idp.example', displayName: 'By name' }
  assert.equal((await logIn(app, idp, provider.service.startURL)).seen.status, 303)
  aNewPerson()
  const changing = await logIn(app, idp, provider.service.startURL, {
    options: { nameIdentifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
  })
  assert.deepEqual([changing.seen.status, changing.seen.text.includes('stays the same')], [400, true])
})

test('while two certificates of a provider are stored, both are valid', async () => {
  const next = await anIdentityProvider()
  const both = `${idp.keys.certificate}\n${next.keys.certificate}`
  const { provider, org, path } = await anOrganizationWith(app, idp, { certificate: both })
  aNewPerson()
  const withNext = { options: { key: next.keys.key, cert: next.keys.certificate } }
  assert.equal((await logIn(app, idp, provider.service.startURL)).seen.status, 303)
  assert.equal((await logIn(app, idp, provider.service.startURL, withNext)).seen.status, 303)
  await org.admin.client.patch(path, { certificate: makeCertificate().certificate })
  assert.equal((await logIn(app, idp, provider.service.startURL, withNext)).seen.status, 400)
})

test("an organization that requires single sign-on refuses tokens of members marked for it, except administrators'", async () => {
  const login = await anOrganizationWith(app, idp, { defaultRole: 'edit' })
  const { org } = login
  aNewPerson()
  const { user_id: userId } = (await whoIs((await logIn(app, idp, login.provider.service.startURL)).browser))!
  const [viaSso, marked, free, chief] = [
    app.client(await tokenOf(userId), [org.canary]),
    (await org.member('edit', { sso: true })).client,
    (await org.member('edit')).client,
    (await org.member('admin', { sso: true })).client,
  ]
  const space = (await org.admin.client.post(`/v1/orgs/${org.id}/spaces`, { title: 'Space' })).body
  const statuses = () =>
    Promise.all(
      [viaSso, marked, free, chief].map(async (client) => [
        (await client.get(`/v1/orgs/${org.id}`)).status,
        (await client.get(`/v1/spaces/${space.id}`)).status,
        (await client.get('/v1/orgs')).body.count,
        (await client.get(`/v1/users/${org.admin.id}`)).status,
      ]),
    )
  const [open, shut] = [
    [200, 200, 1, 200],
    [404, 404, 0, 404],
  ]
  assert.deepEqual(await statuses(), [open, open, open, open])
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { sso: true })
  assert.deepEqual(await statuses(), [shut, shut, open, open])
  assert.equal((await logIn(app, idp, login.provider.service.startURL)).seen.status, 303)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { sso: false })
  assert.deepEqual(await statuses(), [open, open, open, open])
})

test('unfinished logins are limited per network, and finished ones do not count', async () => {
  const { provider, org } = await anOrganizationWith(app, idp)
  await app.db.run(sql`
    insert into saml_logins (organization_id, provider_id, id, request_id, browser_hash, next_path, address)
    select ${org.id}, ${provider.id}, gen_random_uuid(), '_x', ${Buffer.alloc(32)}, '/', '127.0.0.1'
    from generate_series(1, 300)`)
  const refused = await new Browser(app).get(provider.service.startURL)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '300'])
  await app.db.run(sql`update saml_logins set finished_at = now() where provider_id = ${provider.id}`)
  assert.equal((await new Browser(app).get(provider.service.startURL)).status, 303)
})

test('a login does not take over an account without memberships by its address', async () => {
  const login = await anOrganizationWith(app, idp)
  const loner = await aPerson(app, { email: `loner.${newId().slice(-12)}@idp.example` })
  aNewPerson(loner.user.email)
  const { browser } = await logIn(app, idp, login.provider.service.startURL)
  assert.notEqual((await whoIs(browser))!.user_id, loner.id)
})

test('old logins and expired assertions are purged, and the others stay', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  const { startURL } = provider.service
  aNewPerson()
  for (let i = 0; i < 2; i++) await logIn(app, idp, startURL)
  const oldest = sql`(select id from saml_logins where provider_id = ${provider.id} order by id limit 1)`
  await app.db.run(sql`update saml_logins set created_at = now() - interval '61 minutes' where id = ${oldest}`)
  await app.db.run(sql`
    update saml_assertions set expires_at = now() - interval '1 second'
    where id_hash = (select id_hash from saml_assertions where provider_id = ${provider.id} order by id_hash limit 1)`)
  const left = () =>
    app.db.one(sql<{ logins: number; assertions: number }>`
      select (select count(*) from saml_logins where provider_id = ${provider.id}) as logins,
        (select count(*) from saml_assertions where provider_id = ${provider.id}) as assertions`)
  assert.deepEqual({ ...(await left()) }, { logins: 2, assertions: 2 })
  await purge.run({ db: app.db, config: app.config, store: app.app.store, log: app.app.log })
  assert.deepEqual({ ...(await left()) }, { logins: 1, assertions: 1 })
})
