import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aPerson, anOrganization } from '../../test/factories.ts'
import { until } from '../../test/until.ts'
import { Browser } from '../../test/visitor.ts'
import { Person } from '../account/testing/person.ts'
import { sql } from '../db/sql.ts'
import { startMailServer } from '../mail/testing/mail-server.ts'
import { readNext } from './next.ts'
import { sessionCookie, signingIn } from './testing/signing-in.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
app.app.mail.start()
const { forgetCounts, askForCode, mailedCode, signIn } = signingIn(app, mailServer)

test('over TLS the cookie is Secure and bound to its host with __Host-, and hosts of sites set no cookie and show no sign-in', async () => {
  const secure = await startApp({ LECTERN_URL: 'https://lectern.test/below', LECTERN_SITES_HOST: 'sites.test' })
  const answer = await new Person(secure).get('/login')
  const [cookie] = answer.headers.getSetCookie()
  assert.match(cookie!, /^__Host-lectern-sign-in=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
  assert.doesNotMatch(cookie!, /Domain/i)

  const org = await anOrganization(secure)
  const browser = new Browser(secure.url)
  for (const path of ['/login', '/account', '/invite/x']) {
    const page = await browser.get(path, { host: `${org.row.hostname}.sites.test` })
    assert.deepEqual([page.status, page.headers['set-cookie']], [404, undefined], path)
    assert.doesNotMatch(page.text, /Sign in/)
  }
  const main = await browser.get('/login', { host: 'lectern.test' })
  assert.equal(main.status, 200)
  // If the app is served below a path of its host, all links stay below it.
  assert.match(main.text, /action="\/below\/login"/)
  assert.equal((await browser.get('/account')).location, '/below/login?next=%2Faccount')
  await secure.stop()
})

test("signing in starts a new session: the browser's former session ends, and a planted cookie is replaced", async () => {
  const [one, two] = [await aPerson(app), await aPerson(app)]
  const person = await signIn(one)
  const before = person.cookies.get(sessionCookie)!
  await forgetCounts()
  const page = await askForCodeWhileSignedIn(person, two.user.email)
  assert.equal((await person.submit(page, '/login/code', { code: await mailedCode(two.user.email) })).status, 303)
  assert.notEqual(person.cookies.get(sessionCookie), before)
  const former = new Person(app)
  former.cookies.set(sessionCookie, before)
  assert.equal((await former.get('/account')).location, '/login?next=%2Faccount')

  const chosen = 'A'.repeat(43)
  const planted = new Person(app)
  planted.cookies.set(sessionCookie, chosen)
  await signIn(one, planted)
  assert.notEqual(planted.cookies.get(sessionCookie), chosen)
})

async function askForCodeWhileSignedIn(person: Person, email: string) {
  const session = person.cookies.get(sessionCookie)!
  person.cookies.delete(sessionCookie)
  const page = await askForCode(person, email)
  person.cookies.set(sessionCookie, session)
  return page
}

test("using a browser session updates a member's last seen time, and does not make the member's ETag stale", async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const someone = await org.member('read')
  const path = `/v1/orgs/${org.id}/members/${someone.id}`
  const before = await org.admin.client.get(path)
  assert.equal(before.body.lastSeenAt, undefined)

  const person = await signIn(someone)
  const came = (await org.admin.client.get(path)).body.lastSeenAt
  assert.ok(came >= before.body.joinedAt)
  await app.db.run(sql`update sessions set last_seen_at = now() - interval '6 minutes' where user_id = ${someone.id}`)
  assert.equal((await person.get('/account')).status, 200)
  await until('they are seen again', async () => (await org.admin.client.get(path)).body.lastSeenAt > came)
  assert.equal(
    (await other.admin.client.get(`/v1/orgs/${other.id}/members/${other.admin.id}`)).body.lastSeenAt,
    undefined,
  )

  const asRead = { 'if-match': before.headers.get('etag')! }
  const changed = await org.admin.client.patch(path, { role: 'edit' }, asRead)
  assert.equal(changed.status, 200)
  assert.equal((await org.admin.client.patch(path, { role: 'create' }, asRead)).status, 412)
  const asAnswered = { 'if-match': changed.headers.get('etag')! }
  assert.equal((await org.admin.client.patch(path, { role: 'create' }, asAnswered)).status, 200)
})

test('a session ends when it expires, after a week without use, and when the account is disabled', async () => {
  const someone = await aPerson(app)
  const person = await signIn(someone)
  const isIn = async () => (await person.get('/account')).status === 200
  const set = (column: string) =>
    app.db.run(
      column === 'expires_at'
        ? sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${someone.id}`
        : sql`update sessions set last_seen_at = now() - interval '7 days 1 second' where user_id = ${someone.id}`,
    )
  assert.ok(await isIn())
  await set('expires_at')
  assert.ok(!(await isIn()))
  await app.db.run(sql`update sessions set expires_at = now() + interval '1 day' where user_id = ${someone.id}`)
  assert.ok(await isIn())
  await set('last_seen_at')
  assert.ok(!(await isIn()))
  await app.db.run(sql`update sessions set last_seen_at = now() where user_id = ${someone.id}`)
  await app.db.run(sql`update users set disabled = true where id = ${someone.id}`)
  assert.ok(!(await isIn()))
})

test('a session cookie does not open the API, and forms from other websites are refused', async () => {
  const someone = await aPerson(app)
  const person = await signIn(someone)
  const cookie = `${sessionCookie}=${person.cookies.get(sessionCookie)}`
  assert.equal((await app.client().get('/v1/user', { cookie })).status, 401)

  const page = await person.get('/account')
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: `${app.url}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    assert.equal((await person.submit(page, '/logout', {}, headers)).status, 403, JSON.stringify(headers))
  }
  assert.equal((await person.post('/logout', {})).status, 403)
  assert.equal((await person.submit(page, '/logout', { form: 'x' })).status, 403)
  const other = await signIn(await aPerson(app))
  assert.equal((await other.submit(page, '/logout')).status, 403)
  assert.equal((await person.get('/account')).status, 200)

  assert.equal((await person.submit(page, '/logout', {}, { origin: 'http://lectern.test' })).location, '/login?out=')
  assert.equal((await person.get('/account')).status, 303)
})

test('a form is refused without our cookie (403) and in any other content type (415)', async () => {
  const person = new Person(app)
  const page = await person.get('/login')
  person.cookies.clear()
  const answer = await person.submit(page, '/login', { email: 'a@example.com' })
  assert.equal(answer.status, 403)
  assert.match(answer.text, /Allow cookies/)
  const sent = await fetch(`${app.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"a@example.com"}',
  })
  assert.equal(sent.status, 415)
})

test('the path to continue at after signing in is always one of ours, and any other address is ignored', () => {
  for (const good of ['/account', '/invite/abc?x=1#y', '/', '/a//b', '/%2F%2Fevil.example']) {
    assert.equal(readNext(good), good)
  }
  const evil = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    '',
    undefined,
    ['/a'],
    `/${'a'.repeat(3_000)}`,
    `/${'é'.repeat(600)}`,
  ]
  for (const each of evil) assert.equal(readNext(each), undefined, String(each))
})

test('people list and end their own sessions through the API, and others get 404', async () => {
  const someone = await aPerson(app)
  const stranger = await aPerson(app)
  const first = await signIn(someone)
  const second = await signIn(someone)
  const { body } = await someone.client.get('/v1/user/sessions?limit=1')
  assert.deepEqual([body.count, body.items.length], [2, 1])
  const rest = (await someone.client.get(`/v1/user/sessions?limit=1&page=${body.next.page}`)).body
  const [newer, older] = [body.items[0], rest.items[0]]
  assert.deepEqual(
    { ...newer, id: '', createdAt: '', lastSeenAt: '', expiresAt: '', urls: '' },
    {
      object: 'session',
      id: '',
      method: 'code',
      organization: null,
      address: '127.0.0.1',
      userAgent: first.userAgent,
      createdAt: '',
      lastSeenAt: '',
      expiresAt: '',
      urls: '',
    },
  )
  const path = `/v1/user/sessions/${older.id}`
  assert.deepEqual((await someone.client.get(path)).body, older)
  assert.equal((await stranger.client.get(path)).status, 404)
  assert.equal((await stranger.client.delete(path)).status, 404)
  assert.equal((await someone.client.delete(path, { 'if-match': '"x"' })).status, 412)
  assert.equal((await someone.client.delete(path)).status, 204)
  assert.deepEqual([(await first.get('/account')).status, (await second.get('/account')).status], [303, 200])

  await signIn(someone)
  assert.equal((await someone.client.delete('/v1/user/sessions')).status, 204)
  assert.equal((await second.get('/account')).status, 303)
  assert.equal((await someone.client.get('/v1/user/sessions')).body.count, 0)
})

test("signing in, failing to sign in and signing out are in the organization's audit log, without the code", async () => {
  const org = await anOrganization(app)
  const member = await org.member('read')
  const bound = await org.member('read', { sso: true })
  const person = await signIn(member)
  const page = await person.get('/account')
  await person.submit(page, '/logout')
  await forgetCounts()
  const failing = await askForCode(person, member.user.email)
  const code = await mailedCode(member.user.email)
  assert.equal((await person.submit(failing, '/login/code', { code: code.replace(/\d/g, '9') + '1' })).status, 400)
  await app.db.run(sql`update organizations set sso = true where id = ${org.id}`)
  await signIn(bound)

  let actions: string[] = []
  for (let waited = 0; waited < 30_000 && !actions.includes('session.refused'); waited += 50) {
    await app.app.audit.flush()
    const { body } = await org.admin.client.get(`/v1/orgs/${org.id}/audit-events`)
    actions = body.items.map(({ action }: { action: string }) => action)
    const text = JSON.stringify(body)
    assert.ok(!text.includes(code) && !text.includes(code.replace(' ', '')))
  }
  const own = actions.filter((action) => action.startsWith('session.'))
  assert.deepEqual(own.toSorted(), ['session.ended', 'session.opened', 'session.refused'])
})

test('a failed sign-in to a disabled account is in the audit log', async () => {
  const org = await anOrganization(app)
  const member = await org.member('read')
  await app.db.run(sql`update users set disabled = true where id = ${member.id}`)
  await forgetCounts()
  const person = new Person(app)
  const page = await askForCode(person, member.user.email)
  assert.equal((await person.submit(page, '/login/code', { code: '12345678' })).status, 400)
  let actors: string[] = []
  for (let waited = 0; waited < 30_000 && actors.length === 0; waited += 50) {
    await app.app.audit.flush()
    const { items } = (await org.admin.client.get(`/v1/orgs/${org.id}/audit-events?action=session.refused`)).body
    actors = items.map(({ actor }: { actor: { id: string } }) => actor.id)
    await sleep(50)
  }
  assert.deepEqual(actors, [member.id])
})

test('a member bound to single sign-on has no role in that organization with a code, and is linked to its sign-in', async () => {
  const org = await anOrganization(app)
  const bound = await org.member('read', { sso: true })
  const person = await signIn(bound)
  const tag = /<span class="tag" data-tone="info">read<\/span>/
  assert.match((await person.get('/account')).text, tag)
  await app.db.run(sql`update organizations set sso = true where id = ${org.id}`)
  const account = (await person.get('/account')).text
  assert.doesNotMatch(account, tag)
  assert.ok(account.includes(`href="/login?org=${org.row.hostname}"`))
})

test('signing in with a code is in the audit log for a single sign-on administrator, but not for a single sign-on reader', async () => {
  const org = await anOrganization(app)
  await app.db.run(sql`update organizations set sso = true where id = ${org.id}`)
  const [admin, reader] = [await org.member('admin', { sso: true }), await org.member('read', { sso: true })]
  for (const each of [admin, reader]) await signIn(each)
  const { items } = (await org.admin.client.get(`/v1/orgs/${org.id}/audit-events?action=session.opened`)).body
  assert.deepEqual(
    items.map(({ actor }: { actor: { id: string } }) => actor.id),
    [admin.id],
  )
})
