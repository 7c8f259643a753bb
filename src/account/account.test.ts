import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aPerson, anOrganization } from '../../test/factories.ts'
import { inviting } from '../../test/invites.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { mailKinds } from '../mail/kinds.ts'
import { makeHandedCode } from '../sessions/codes.ts'
import { listSessionsOf } from '../sessions/queries.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'
import { sessionCookie } from '../sessions/testing/signing-in.ts'
import { browserName } from './browser-name.ts'
import { type Page, Person, tokenIn } from './testing/person.ts'

const app = await startApp()
const { anAddress, invite, anEmailInvite, aLink, roleOf } = inviting(app)

test('every account, sign-in, invite and mail page loads only its own files, is not stored, and sends no referrer', async () => {
  const org = await anOrganization(app)
  const { secret } = await aLink(org)
  const member = await org.member('read')
  const person = await signedIn(app, member)
  const paths = ['/login', '/login/code?email=a%40example.com', `/invite/${secret}`, '/mail/unsubscribe/x', '/invite/x']
  for (const [who, path] of [...paths.map((path) => [new Person(app), path] as const), [person, '/account'] as const]) {
    const { headers, text } = await who.get(path)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
    assert.match(headers.get('content-security-policy')!, /^default-src 'none'; style-src 'self'; script-src 'self';/)
    assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'; form-action 'self'$/)
    assert.doesNotMatch(headers.get('content-security-policy')!, /unsafe|https?:/)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.doesNotMatch(text, /<style|\sstyle=|<script>|\son\w+=|javascript:/)
    assert.match(text, /<meta name="robots" content="noindex" \/>/)
  }
})

test('a signed-out visitor is redirected to sign-in with the way back, and a hostile query is not repeated there', async () => {
  const person = new Person(app)
  assert.equal((await person.get('/account?done=mail')).location, '/login?next=%2Faccount%3Fdone%3Dmail')
  assert.equal((await person.post('/account/tokens', { label: 'x' })).location, '/login?next=%2Faccount')
  const { text } = await person.get('/login?next=//evil.example&org=<b>&email="><script>')
  assert.doesNotMatch(text, /evil\.example|<script>|<b>/)
})

test("the sign-in page lists the single sign-on of the chosen organization or the domain's owner, and no other", async () => {
  const org = await anOrganization(app)
  const domain = `${newId()}.example`
  await app.db.run(sql`insert into email_domains (domain, organization_id) values (${domain}, ${org.id})`)
  const provider = async (label: string, certificate: string | null) =>
    app.db.run(sql`
      insert into saml_providers (organization_id, id, label, entity_id, certificate, sso_url)
      values (${org.id}, ${newId()}, ${label}, 'https://idp.example', ${certificate}, 'https://idp.example/sso')`)
  await provider('Corporate', 'x')
  await provider('Unfinished', null)

  const person = new Person(app)
  const listed = async (path: string) =>
    [...(await person.get(path)).text.matchAll(/href="([^"]+)"\s*>\s*Continue with ([^<]+)/g)].map(
      ([, href, label]) => ({
        href: href!,
        label,
      }),
    )
  const chosen = await listed(`/login?org=${org.row.hostname}&next=/account`)
  assert.deepEqual(
    chosen.map(({ label }) => label),
    ['Corporate'],
  )
  assert.match(chosen[0]!.href, new RegExp(`^/saml/${org.id}/[\\w-]+/start\\?next=%2Faccount$`))
  assert.equal((await listed(`/login/code?email=jo%40${domain}`)).length, 1)
  for (const path of ['/login', '/login?org=no-such-place', '/login/code?email=jo%40example.com']) {
    assert.deepEqual(await listed(path), [], path)
  }
})

test('a person sets their display name on the account page, on one line, and others see it', async () => {
  const org = await anOrganization(app)
  const someone = await org.member('read')
  const person = await signedIn(app, someone)
  const page = await person.get('/account')
  const answer = await person.submit(page, '/account/name', { displayName: ' <i>Jo</i>\r\n\tSmith ' })
  assert.equal(answer.location, '/account?done=named')
  const { text } = await person.follow(answer)
  assert.ok(text.includes('&lt;i&gt;Jo&lt;/i&gt; Smith') && !text.includes('<i>'))
  const { body } = await org.admin.client.get(`/v1/users/${someone.id}`)
  assert.equal(body.displayName, '<i>Jo</i> Smith')
  for (const displayName of ['', ' \n ', 'x'.repeat(65)]) {
    assert.equal((await person.submit(page, '/account/name', { displayName })).status, 400, displayName)
  }
  assert.equal((await person.post('/account/name', { displayName: 'Forged' })).status, 403)
  assert.deepEqual((await org.admin.client.get(`/v1/users/${someone.id}`)).body, body)
})

test('a token made on the account page works until it is revoked there, and its secret is shown once', async () => {
  const someone = await aPerson(app)
  const person = await signedIn(app, someone)
  const page = await person.get('/account')
  const made = await person.submit(page, '/account/tokens', { label: ' Script ', power: 'read', life: '30' })
  const [secret] = /lct_[\w-]{43}/.exec(made.text)!
  const client = app.client(secret, [someone.user.email.split('.')[0]!])
  assert.equal((await client.get('/v1/user')).status, 200)
  assert.equal((await client.post('/v1/user/tokens', { label: 'Wider' })).status, 403)

  const account = await person.get('/account')
  assert.ok(!account.text.includes(secret))
  const { items } = (await someone.client.get('/v1/user/tokens')).body
  const token = items.find(({ label }: { label: string }) => label === 'Script')
  const days = (Date.parse(token.expiresAt) - Date.parse(token.createdAt)) / 86_400_000
  assert.equal(Math.round(days), 30)
  assert.equal((await person.submit(account, '/account/tokens/revoke', { id: token.id })).status, 303)
  assert.equal((await client.get('/v1/user')).status, 401)
})

test('an expired token is shown as expired', async () => {
  const someone = await aPerson(app)
  const person = await signedIn(app, someone)
  await person.submit(await person.get('/account'), '/account/tokens', { label: 'Script', power: 'all', life: '30' })
  assert.match((await person.get('/account')).text, / · until <time/)
  await app.db.run(sql`update tokens set expires_at = now() - interval '1 minute' where label = 'Script'
    and user_id = ${someone.id}`)
  const { text } = await person.get('/account')
  assert.match(text, / · expired <time/)
  assert.doesNotMatch(text, / · until <time/)
})

test('a token form that is sent twice, at once or by reloading its answer, makes one token', async () => {
  const someone = await aPerson(app)
  const person = await signedIn(app, someone)
  const page = await person.get('/account')
  const make = async (label: string, from = page) =>
    /lct_[\w-]{43}/.exec((await person.submit(from, '/account/tokens', { label, power: 'read', life: '30' })).text)![0]
  const [first, second] = await Promise.all([make('Script'), make('Script')])
  assert.equal(first, second)
  assert.equal(await make('Script'), first)
  assert.equal((await someone.client.get('/v1/user/tokens')).body.count, 2)

  const others = [await make('Another'), await make('Script', await person.get('/account'))]
  assert.equal(new Set([first, ...others]).size, 3)
  const kept = await app.db.all(
    sql<{ row: string }>`select i::text as row from idempotency i where user_id = ${someone.id}`,
  )
  assert.ok(kept.length === 3 && !kept.some(({ row }) => row.includes(Buffer.from(first).toString('hex'))))
})

test('a sign-in code sent twice opens one session, whichever answer the browser keeps, and none after a minute or sign-out', async (t) => {
  const someone = await aPerson(app)
  const person = new Person(app)
  const { email } = someone.user
  const code = await transaction(app.db, nobody, (tx) => makeHandedCode(tx, app.app.secrets, someone.user))
  const page = await person.get(`/login/code?email=${email}`)
  const cookies = [...person.cookies]
  const send = async () => {
    const browser = new Person(app)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const { status } = await browser.submit(page, '/login/code', { email, code })
    return [status, browser.cookies.get(sessionCookie)]
  }
  for (const [status, secret] of await Promise.all([send(), send()])) {
    assert.equal(status, 303)
    person.cookies.set(sessionCookie, String(secret))
    assert.equal((await person.get('/account')).status, 200)
  }
  person.cookies.delete('lectern-sign-in')
  assert.equal((await person.submit(page, '/login/code', { email, code })).location, '/account')
  const { rows } = await listSessionsOf(app.db, someone.id, { limit: 10, after: undefined })
  assert.equal(rows.length, 1)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.mock.timers.tick(61_000)
  assert.equal((await send())[0], 400)
  t.mock.timers.reset()
  assert.equal((await send())[0], 303)
  await person.submit(await person.get('/account'), '/logout', {})
  assert.equal((await send())[0], 400)
})

test('a newcomer who submits an email invite twice joins and is signed in by either answer', async () => {
  const org = await anOrganization(app)
  const email = anAddress()
  const secret = await anEmailInvite(org, email)
  const newcomer = new Person(app)
  const page = await newcomer.get(`/invite/${secret}`)
  const cookies = [...newcomer.cookies]
  const send = async (from: Page, kept: typeof cookies, fields: Record<string, string>) => {
    const browser = new Person(app)
    for (const [name, value] of kept) browser.cookies.set(name, value)
    return [(await browser.submit(from, `/invite/${secret}`, fields)).location, browser.cookies.get(sessionCookie)]
  }
  const fields = { email, displayName: 'Ada' }
  const [one, other] = [await send(page, cookies, fields), await send(page, cookies, fields)]
  for (const [location, session] of [one, other]) {
    assert.equal(location, '/account?done=joined')
    newcomer.cookies.set(sessionCookie, session!)
    assert.match((await newcomer.get('/account')).text, />Ada</)
  }
  const session = other[1]
  const answered: typeof cookies = [...cookies, [sessionCookie, session!]]
  assert.equal((await send(page, answered, fields))[0], '/account')
})

test('a form whose cookie was replaced by a second tab is shown again and then works: sign-in, code and invite', async () => {
  const { secret } = await aLink(await anOrganization(app))
  const someone = await aPerson(app)
  const { email } = someone.user
  const code = await transaction(app.db, nobody, (tx) => makeHandedCode(tx, app.app.secrets, someone.user))
  const steps: { path: string; query?: string; fields: Record<string, string>; location: string }[] = [
    { path: '/login', fields: { email }, location: `/login/code?email=${encodeURIComponent(email)}` },
    { path: '/login/code', query: `?email=${email}`, fields: { email, code }, location: '/account' },
    { path: `/invite/${secret}`, fields: { email: anAddress(), displayName: 'Ada' }, location: '/account?done=joined' },
  ]
  for (const { path, query = '', fields, location } of steps) {
    const [one, other] = [new Person(app), new Person(app)]
    const [page] = await Promise.all([one.get(path + query), other.get(path + query)])
    one.cookies.set('lectern-sign-in', other.cookies.get('lectern-sign-in')!)
    const shown = await one.submit(page, path, fields)
    assert.equal(shown.status, 403, path)
    assert.match(shown.text, /Here is the current one/)
    assert.ok(shown.text.includes(`value="${fields.email}"`), path)
    assert.equal((await one.submit(shown, path, fields)).location, location)
  }
})

test('the sign-in page in one tab leads on after the person signed in in another tab', async () => {
  const someone = await aPerson(app)
  const { email } = someone.user
  const person = new Person(app)
  const [login, page] = [
    await person.get('/login?next=/account/tokens'),
    await person.get(`/login/code?email=${email}`),
  ]
  const code = await transaction(app.db, nobody, (tx) => makeHandedCode(tx, app.app.secrets, someone.user))
  assert.equal((await person.submit(page, '/login/code', { email, code })).status, 303)
  assert.equal((await person.submit(login, '/login', { email })).location, '/account/tokens')
})

test('an invalid new token is refused with 400 on the account page, and none is made', async () => {
  const someone = await aPerson(app)
  const person = await signedIn(app, someone)
  const page = await person.get('/account')
  const good = { label: 'Script', power: 'all', life: 'ever' }
  const bad = [{ label: ' ' }, { label: 'x'.repeat(51) }, { power: 'toString' }, { life: '31' }]
  for (const each of bad) {
    const answer = await person.submit(page, '/account/tokens', { ...good, ...each })
    assert.equal(answer.status, 400, JSON.stringify(each))
    assert.doesNotMatch(answer.text, /lct_/)
  }
  assert.equal((await someone.client.get('/v1/user/tokens')).body.count, 1)
})

test('a person cannot end the sessions or revoke the tokens of someone else', async () => {
  const [one, two] = [await aPerson(app), await aPerson(app)]
  const [person, victim] = [await signedIn(app, one), await signedIn(app, two)]
  const session = (await two.client.get('/v1/user/sessions')).body.items[0]
  const token = (await two.client.get('/v1/user/tokens')).body.items[0]
  const page = await person.get('/account')
  const { form } = tokenIn(page)
  await person.post('/account/sessions/end', { form, id: session.id })
  await person.post('/account/tokens/revoke', { form, id: token.id })
  for (const id of ['x', '', "' or true"]) {
    assert.equal((await person.post('/account/sessions/end', { form, id })).status, 303)
    assert.equal((await person.post('/account/tokens/revoke', { form, id })).status, 303)
  }
  await person.post('/account/sessions/end-others', { form })
  assert.equal((await victim.get('/account')).status, 200)
  assert.equal((await two.client.get('/v1/user')).status, 200)
})

test('other sessions are ended one by one or together, and signing out everywhere ends the current one too', async () => {
  const someone = await aPerson(app)
  const [person, second, third] = [
    await signedIn(app, someone),
    await signedIn(app, someone),
    await signedIn(app, someone),
  ]
  const isIn = async (who: Person) => (await who.get('/account')).status === 200
  const { items } = (await someone.client.get('/v1/user/sessions')).body
  const page = await person.get('/account')
  const { form } = tokenIn(page)
  await person.post('/account/sessions/end', { form, id: items[0].id })
  assert.deepEqual([await isIn(person), await isIn(second), await isIn(third)], [true, true, false])
  await person.submit(page, '/account/sessions/end-others')
  assert.deepEqual([await isIn(person), await isIn(second)], [true, false])
  assert.equal((await person.submit(page, '/account/sessions/end-all')).location, '/login?out=')
  assert.equal(await isIn(person), false)
})

test('the choice of mail notifications on the account page is kept', async () => {
  const someone = await aPerson(app)
  const person = await signedIn(app, someone)
  const checked = async () => [...(await person.get('/account')).text.matchAll(/name="([\w-]+)" value="on" checked/g)]
  assert.equal((await checked()).length, mailKinds.length)
  const page = await person.get('/account')
  await person.submit(page, '/account/mail', { reply: 'on', other: 'on' })
  assert.deepEqual(
    (await checked()).map(([, name]) => name),
    ['reply'],
  )
  await person.submit(page, '/account/mail', Object.fromEntries(mailKinds.map((kind) => [kind, 'on'])))
  assert.equal((await checked()).length, mailKinds.length)
})

test('a newcomer joins by an invite link with a name and an address, and is signed in', async () => {
  const org = await anOrganization(app)
  const { secret } = await aLink(org, 'edit')
  const path = `/invite/${secret}`
  const person = new Person(app)
  const page = await person.get(path)
  assert.ok(page.text.includes(`Join ${org.row.title}`))
  const email = anAddress()
  for (const wrong of [{ email: 'x' }, { displayName: ' ' }, { displayName: 'x'.repeat(65) }]) {
    const answer = await person.submit(page, path, { email, displayName: 'Ada', ...wrong })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /role="alert"/)
  }
  const joined = await person.submit(page, path, { email, displayName: 'Ada' })
  assert.equal(joined.location, '/account?done=joined')
  const account = await person.follow(joined)
  assert.ok(account.text.includes('Welcome') && account.text.includes(org.row.title) && account.text.includes(email))
  const { id } = await app.db.one(sql<{ id: string }>`select id from users where email = ${email}`)
  assert.equal(await roleOf(org, id), 'edit')
  const { count } = await app.db.one(sql<{ count: number }>`select count(*) from tokens where user_id = ${id}`)
  assert.equal(count, 0)
})

test('an invite link does not take over an address that has an account: its owner has to sign in', async () => {
  const org = await anOrganization(app)
  const someone = await aPerson(app)
  const { secret } = await aLink(org)
  const path = `/invite/${secret}`
  const stranger = new Person(app)
  const page = await stranger.get(path)
  const taken = await stranger.submit(page, path, { email: someone.user.email, displayName: 'Eve' })
  assert.equal(taken.status, 400)
  assert.match(taken.text, /already has an account/)
  assert.ok(!stranger.cookies.has('lectern-session'))
  assert.ok(taken.text.includes(`href="/login?next=${encodeURIComponent(path)}"`))

  const person = await signedIn(app, someone)
  assert.equal((await person.submit(await person.get(path), path)).location, '/account?done=joined')
  assert.equal(await roleOf(org, someone.id), 'read')
})

test('an invite for an address works for that address alone, works once, and is then gone', async () => {
  const org = await anOrganization(app)
  const [invited, other] = [await aPerson(app), await aPerson(app)]
  const path = `/invite/${await anEmailInvite(org, invited.user.email, [invited])}`
  const passerby = await new Person(app).get(path)
  assert.match(passerby.text, /Sign in to join/)
  assert.doesNotMatch(passerby.text, /Create account/)

  const wrong = await signedIn(app, other)
  const page = await wrong.get(path)
  assert.match(page.text, /but you are signed in as/)
  const { form } = tokenIn(page)
  assert.equal((await wrong.post(path, { form })).status, 403)
  assert.equal(await roleOf(org, other.id), undefined)

  const right = await signedIn(app, invited)
  assert.equal((await right.submit(await right.get(path), path)).status, 303)
  const gone = await right.get(path)
  assert.equal(gone.status, 404)
  assert.match(gone.text, /Nothing here/)
})

test('an invite link that was switched off looks like one that never existed', async () => {
  const org = await anOrganization(app)
  const { secret } = await aLink(org)
  const path = `/invite/${secret}`
  const person = new Person(app)
  assert.equal((await person.get(path)).status, 200)
  await app.db.run(sql`update organizations set invite_links = false where id = ${org.id}`)
  const off = await person.get(path)
  const unknown = await person.get('/invite/never')
  assert.deepEqual([off.status, off.text], [404, unknown.text])
})

test('an invite to an organization that requires single sign-on makes no account', async () => {
  const org = await anOrganization(app)
  const { body } = await invite(org, { emails: [anAddress()], sso: true })
  const path = `/invite/${body.invites[0].url.split('/').at(-1)}`
  const person = new Person(app)
  const before = await person.get(path)
  assert.match(before.text, /Create account/)
  await app.db.run(sql`update organizations set sso = true where id = ${org.id}`)
  assert.doesNotMatch((await person.get(path)).text, /Create account/)
  assert.equal((await person.submit(before, path, { displayName: 'Ada' })).status, 403)
})

test('a single sign-on session shows and joins no other organization, and ends when the membership is disabled', async () => {
  const [home, other] = [await anOrganization(app), await anOrganization(app)]
  const member = await home.member('read', { sso: true })
  await transaction(app.db, nobody, (tx) =>
    tx.run(sql`insert into members (organization_id, user_id, role) values (${other.id}, ${member.id}, 'read')`),
  )
  const third = await anOrganization(app)
  const { secret } = await aLink(third)
  const person = await signedIn(app, member, { organizationId: home.id, method: 'saml' })
  const { text } = await person.get('/account')
  assert.ok(text.includes(home.row.title) && !text.includes(other.row.title))
  const path = `/invite/${secret}`
  assert.equal((await person.submit(await person.get(path), path)).status, 403)
  assert.equal(await roleOf(third, member.id), undefined)

  await home.admin.client.patch(`/v1/orgs/${home.id}/members/${member.id}`, { disabled: true })
  assert.equal((await person.get('/account')).status, 303)
})

test('an oversized form is refused with 413, and a method that no form uses with 405', async () => {
  const person = new Person(app)
  const page = await person.get('/login')
  const answer = await person.submit(page, '/login', { email: 'x'.repeat(70_000) })
  assert.equal(answer.status, 413)
  assert.match(answer.headers.get('content-type')!, /^text\/html/)
  const response = await fetch(`${app.url}/login`, { method: 'DELETE' })
  assert.equal(response.status, 405)
})

test('a browser is named by its name and system, such as Chrome on Windows', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36'
  assert.equal(browserName(chrome), 'Chrome on Windows')
  assert.equal(browserName(`${chrome} Edg/140`), 'Edge on Windows')
  assert.equal(
    browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Safari/604.1'),
    'Safari on iPhone',
  )
  assert.equal(browserName('curl/8'), 'curl/8')
  assert.equal(browserName(''), 'Unknown browser')
})
