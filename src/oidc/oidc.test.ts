import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestPerson, aPerson, anOrganization } from '../../test/factories.ts'
import { until } from '../../test/until.ts'
import { readConfig } from '../config.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { Browser } from '../saml/testing/browser.ts'
import { type Claims, aProvider, aServer, client, manyTenants, showWhoYouAre } from './testing/provider.ts'

const url = 'http://lectern.test'
const callback = `${url}/login/oidc/callback`
const people: Record<string, Claims> = {}
const provider = await aProvider(callback, people)
const settings = {
  LECTERN_OIDC_ISSUER: provider.issuer,
  LECTERN_OIDC_CLIENT_ID: client.id,
  LECTERN_OIDC_CLIENT_SECRET: client.secret,
  LECTERN_OIDC_NAME: 'Acme & Co',
}
const app = await startApp(settings)

const emailOf = async ({ client }: TestPerson): Promise<string> => (await client.get('/v1/user')).body.email

async function begin(to = app, next = '') {
  const browser = new Browser(to)
  const { status, location } = await browser.get(`${url}/login/oidc${next}`)
  assert.equal(status, 303)
  return { browser, location }
}

async function logIn(login: string, to = app, next = '') {
  const { browser, location } = await begin(to, next)
  const back = await showWhoYouAre(browser, location, login, callback)
  return { browser, back, seen: await browser.get(back) }
}

async function sessionOf(browser: Browser, of = app) {
  return of.db.find(sql<{ user_id: string; organization_id: string | null; method: string }>`
    select s.user_id, s.organization_id, s.method from sessions s
    where s.secret_hash = sha256(convert_to(${browser.cookies.get('lectern-session') ?? ''}, 'UTF8'))`)
}

test('the sign-in page leads to the provider, and a person with an account returns signed in to the requested page', async () => {
  const person = await aPerson(app)
  people.jo = { email: (await emailOf(person)).toUpperCase(), email_verified: true, name: 'Jo' }
  const page = await new Browser(app).get(`${url}/login?next=/account%3Fa`)
  assert.match(page.text, /href="\/login\/oidc\?next=%2Faccount%3Fa"\s*>Continue with Acme &amp; Co/)

  const { browser, seen } = await logIn('jo', app, '?next=/account%3Fa')
  assert.deepEqual([seen.status, seen.location], [303, '/account?a'])
  const session = await sessionOf(browser)
  assert.deepEqual({ ...session }, { user_id: person.id, organization_id: null, method: 'oidc' })
  assert.equal((await browser.get(`${url}/account`)).status, 200)
})

test("a provider whose token contains only an id is asked for the person's details", async () => {
  const asked = await aProvider(callback, people, { isAsked: true })
  const other = await startApp({ ...settings, LECTERN_OIDC_ISSUER: asked.issuer })
  const person = await aPerson(other)
  people.lou = { email: await emailOf(person), email_verified: true }
  assert.equal((await sessionOf((await logIn('lou', other)).browser, other))?.user_id, person.id)
})

test('a client secret that the provider misreads in the header is sent in the body, if the provider allows it', async () => {
  const picky = await aProvider(callback, people, { decodesSecrets: false })
  const other = await startApp({ ...settings, LECTERN_OIDC_ISSUER: picky.issuer })
  const person = await aPerson(other)
  people.lee = { email: await emailOf(person), email_verified: true }
  assert.equal((await sessionOf((await logIn('lee', other)).browser, other))?.user_id, person.id)

  const wrong = await startApp({
    ...settings,
    LECTERN_OIDC_ISSUER: picky.issuer,
    LECTERN_OIDC_CLIENT_SECRET: 'another',
  })
  assert.match((await logIn('lee', wrong)).seen.text, /does not know this installation/)
})

test('the address of a provider works with and without a trailing slash', async () => {
  const origin = await aServer((response, path) => {
    const slash = path.startsWith('/with') ? '/' : ''
    const issuer = `${origin}${path.replace('/.well-known/openid-configuration', '')}${slash}`
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ issuer, authorization_endpoint: `${origin}/auth`, token_endpoint: `${origin}/token` }))
  })
  for (const path of ['/with', '/with/', '/without', '/without/']) {
    const { location } = await begin(await startApp({ ...settings, LECTERN_OIDC_ISSUER: origin + path }))
    assert.ok(location.startsWith(`${origin}/auth?`), path)
  }
})

test("a multi-tenant provider's token is accepted only from the tenant that the person belongs to", async (t) => {
  const issuer = 'https://login.microsoftonline.com/organizations/v2.0'
  const many = await startApp({ ...settings, LECTERN_OIDC_ISSUER: issuer })
  const person = await aPerson(many)
  const tenants = await manyTenants(t, { aud: client.id, email: await emailOf(person), email_verified: true })
  const come = async (tid: string, by = tid) => {
    const { browser, location } = await begin(many)
    const { state, nonce } = Object.fromEntries(new URL(location).searchParams)
    tenants.token = { nonce, tid, iss: tenants.issuerOf(by) }
    return { browser, seen: await browser.get(`${callback}?code=x&state=${state}`) }
  }
  const { browser, seen } = await come(newId())
  assert.deepEqual([seen.status, seen.location], [303, '/account'], seen.text)
  assert.equal((await sessionOf(browser, many))?.user_id, person.id)
  assert.match((await come(newId(), newId())).seen.text, /cannot be trusted/)
})

test('an address without a provider, or of another provider, is reported as a problem of the settings', async () => {
  let answer: { status: number; body: string } = { status: 404, body: 'nothing here' }
  const origin = await aServer((response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  const lost = await startApp({ ...settings, LECTERN_OIDC_ISSUER: `${origin}/realms/acme` })
  const seen = async () => {
    const { status, text } = await new Browser(lost).get(`${url}/login/oidc`)
    assert.equal(status, 503)
    assert.match(text, /with this number: <code>[\w-]{36}<\/code>/)
    return text
  }
  assert.match(await seen(), /has to check its settings/)
  answer = { status: 200, body: JSON.stringify({ issuer: 'https://another.example' }) }
  assert.match(await seen(), /has to check its settings/)
  answer = { status: 502, body: '' }
  assert.match(await seen(), /does not respond/)
})

test('an address that the provider does not verify is refused, unless the settings accept all addresses', async () => {
  const person = await aPerson(app)
  people.sam = { email: await emailOf(person), email_verified: false }
  people.kim = { email: await emailOf(person) }
  for (const login of ['sam', 'kim']) {
    const { browser, seen } = await logIn(login)
    assert.equal(seen.status, 403)
    assert.match(seen.text, /does not confirm that your e-mail address is verified/)
    assert.equal(await sessionOf(browser), undefined)
  }
  const trusting = await startApp({ ...settings, LECTERN_OIDC_EMAILS: 'all' })
  const known = await aPerson(trusting)
  people.sam = { email: await emailOf(known), email_verified: false }
  assert.equal((await sessionOf((await logIn('sam', trusting)).browser, trusting))?.user_id, known.id)
})

test('a person without an account is refused and gets none, unless the settings give newcomers a role: then they get both', async () => {
  people.newcomer = { email: 'newcomer@acme.test', email_verified: true, name: 'New Comer' }
  const { seen } = await logIn('newcomer')
  assert.equal(seen.status, 403)
  assert.match(seen.text, /Ask for an invite/)
  const found = await app.db.all(sql`select from users where email = 'newcomer@acme.test'`)
  assert.equal(found.length, 0)

  const open = await startApp({ ...settings, LECTERN_OIDC_ROLE: 'comment' })
  const first = await anOrganization(open)
  assert.match((await new Browser(app).get(`${url}/login`)).text, /New here\? Ask for an invite/)
  assert.match((await new Browser(open).get(`${url}/login`)).text, /New here\? Continue with Acme &amp; Co/)
  await anOrganization(open)
  for (const _ of [1, 2]) assert.equal((await logIn('newcomer', open)).seen.status, 303)
  const { items } = (await first.admin.client.get(`/v1/orgs/${first.id}/members?search=newcomer`)).body
  assert.deepEqual(
    items.map((member: any) => [member.user.email, member.user.displayName, member.role, member.sso]),
    [['newcomer@acme.test', 'New Comer', 'comment', false]],
  )
  people.long = { email: 'long@acme.test', email_verified: true, name: `Jo\n${'x'.repeat(100)}` }
  assert.equal((await logIn('long', open)).seen.status, 303)
  const long = (await first.admin.client.get(`/v1/orgs/${first.id}/members?search=long@acme.test`)).body.items[0]
  assert.equal(long.user.displayName, `Jo ${'x'.repeat(61)}`)
  people.twice = { email: 'twice@acme.test', email_verified: true }
  for (const { seen } of await Promise.all([1, 2, 3].map(() => logIn('twice', open)))) assert.equal(seen.status, 303)
  // A removed member stays removed.
  await first.admin.client.delete(`/v1/orgs/${first.id}/members/${items[0].id}`)
  assert.equal((await logIn('newcomer', open)).seen.status, 303)
  assert.equal((await first.admin.client.get(`/v1/orgs/${first.id}/members/${items[0].id}`)).status, 404)
})

test('a person whose account is disabled is refused, and the attempt is recorded', async () => {
  const org = await anOrganization(app)
  const person = await org.member('edit')
  people.off = { email: await emailOf(person), email_verified: true }
  await app.db.run(sql`update users set disabled = true where id = ${person.id}`)
  const { browser, seen } = await logIn('off')
  assert.equal(seen.status, 403)
  assert.match(seen.text, /Your account is suspended/)
  assert.equal(await sessionOf(browser), undefined)
  await until('it is recorded', async () => {
    const rows = await app.db.all(sql`
      select from changes where organization_id = ${org.id} and actor_id = ${person.id} and action = 'session.refused'
        and details->>'reason' = 'disabled'`)
    return rows.length === 1
  })
  const open = await startApp({ ...settings, LECTERN_OIDC_ROLE: 'read' })
  const closed = await aPerson(open)
  people.shut = { email: await emailOf(closed), email_verified: true }
  await open.db.run(sql`update users set disabled = true where id = ${closed.id}`)
  assert.match((await logIn('shut', open)).seen.text, /Your account is suspended/)
})

test('the first sign-in to an account with an unverified address ends the tokens it had before', async () => {
  const person = await aPerson(app)
  await app.db.run(sql`update users set email_verified = false where id = ${person.id}`)
  people.owner = { email: await emailOf(person), email_verified: true }
  assert.equal((await logIn('owner')).seen.status, 303)
  assert.equal((await person.client.get('/v1/user')).status, 401)
})

test("a provider's answer works once, only in the browser that asked, with its own state, and for a limited time", async (t) => {
  const person = await aPerson(app)
  people.ann = { email: await emailOf(person), email_verified: true }
  const { browser, location } = await begin()
  const back = await showWhoYouAre(browser, location, 'ann', callback)
  const refused = async (who: Browser, address: string) => {
    const seen = await who.get(address)
    assert.equal(seen.status, 400, seen.text)
    assert.equal(seen.headers.get('cache-control'), 'private, no-store')
    assert.equal(await sessionOf(who), undefined)
  }
  await refused(new Browser(app), back)
  const other = await begin()
  await refused(other.browser, back)
  const swapped = new URL(back)
  swapped.searchParams.set('state', new URL(other.location).searchParams.get('state')!)
  await refused(browser, swapped.href)
  await refused(browser, callback)
  await refused(browser, `${callback}?state=x&code=y`)
  await refused(browser, back.replace(/code=[^&]+/, 'code=another'))
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 21 * 60_000 })
  await refused(browser, back)
  t.mock.timers.reset()

  assert.equal((await browser.get(back)).status, 303)
  const again = new Browser(app)
  for (const [name, value] of browser.cookies) if (name === 'lectern-sign-in') again.cookies.set(name, value)
  await refused(again, back)
})

test('a second tab and a reloaded answer lead on after sign-in, instead of failing', async () => {
  const person = await aPerson(app)
  people.tabs = { email: await emailOf(person), email_verified: true }
  const { browser, location } = await begin()
  const { location: secondTab } = await browser.get(`${url}/login/oidc`)
  const [first, second] = [
    await showWhoYouAre(browser, location, 'tabs', callback),
    await showWhoYouAre(browser, secondTab, 'tabs', callback),
  ]
  assert.equal((await browser.get(first)).status, 303)
  for (const back of [first, second]) {
    const seen = await browser.get(back)
    assert.deepEqual([seen.status, seen.location], [303, '/account'])
  }
  assert.equal((await sessionOf(browser))?.user_id, person.id)
  // A user who starts another login gets its actual result.
  await browser.get(`${url}/login/oidc`)
  assert.equal((await browser.get(first)).status, 400)
})

test("each tab leads to its own requested page, even if another tab's login was faster", async () => {
  people.tabs = { email: await emailOf(await aPerson(app)), email_verified: true }
  const { browser, location } = await begin(app, '?next=/account%3Ftab=1')
  const { location: secondTab } = await browser.get(`${url}/login/oidc?next=/account%3Ftab=2`)
  const backs = []
  for (const each of [location, secondTab]) backs.push(await showWhoYouAre(browser, each, 'tabs', callback))
  const seen = []
  for (const back of backs) seen.push((await browser.get(back)).location)
  assert.deepEqual(seen, ['/account?tab=1', '/account?tab=2'])
  assert.equal((await browser.get(`${callback}?state=x&code=y`)).location, '/account')
})

test("an address that differs from an account's address by a look-alike letter is refused", async () => {
  const email = `kim.${newId()}@example.com`
  await aPerson(app, { email })
  for (const [letter, other] of [
    ['k', '\u212a'],
    ['i', '\u0130'],
  ] as const) {
    people.look = { email: email.replace(letter, other), email_verified: true }
    const { browser, seen } = await logIn('look')
    assert.equal(seen.status, 400)
    assert.equal(await sessionOf(browser), undefined)
  }
})

test("a token that is not signed with the provider's key is refused", async (t) => {
  provider.wrong.keys = true
  t.after(() => (provider.wrong.keys = false))
  const fooled = await startApp(settings)
  const known = await aPerson(fooled)
  people.eve = { email: await emailOf(known), email_verified: true }
  const { browser, seen } = await logIn('eve', fooled)
  assert.equal(seen.status, 400)
  assert.match(seen.text, /cannot be trusted/)
  assert.equal(await sessionOf(browser, fooled), undefined)
})

test('a provider whose signing algorithm differs from its metadata is read again, so the next attempt succeeds', async (t) => {
  t.after(() => (provider.wrong.algorithms = false))
  const changed = await startApp(settings)
  const person = await aPerson(changed)
  people.fay = { email: await emailOf(person), email_verified: true }
  provider.wrong.algorithms = true
  assert.match((await logIn('fay', changed)).seen.text, /cannot be trusted/)
  provider.wrong.algorithms = false
  assert.equal((await sessionOf((await logIn('fay', changed)).browser, changed))?.user_id, person.id)
})

test('a denied sign-in and an unreachable provider are reported, and signing in by code is still offered', async () => {
  const { browser, location } = await begin()
  const state = new URL(location).searchParams.get('state')!
  const denied = await browser.get(
    `${callback}?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`,
  )
  assert.equal(denied.status, 403)
  assert.match(denied.text, /did not sign you in[^]*href="\/login"/)

  const alone = await startApp({ ...settings, LECTERN_OIDC_ISSUER: 'http://127.0.0.1:1/' })
  const away = await new Browser(alone).get(`${url}/login/oidc`)
  assert.equal(away.status, 503)
  assert.match(away.text, /does not respond/)
  assert.match((await new Browser(alone).get(`${url}/login`)).text, /name="email"/)
})

test('a provider with unusable metadata, and one that rejects our secret, are reported as such', async () => {
  const said: Record<string, unknown> = {}
  const issuer = await aServer((response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer, ...said }))
  })
  const fooled = await startApp({ ...settings, LECTERN_OIDC_ISSUER: issuer })
  for (const endpoint of [undefined, 5, '/auth', 'javascript:alert(1)']) {
    said.authorization_endpoint = endpoint
    const seen = await new Browser(fooled).get(`${url}/login/oidc`)
    assert.equal(seen.status, 503)
    assert.match(seen.text, /has to check its settings/)
  }
  // Invalid metadata is not cached.
  said.authorization_endpoint = `${issuer}/auth`
  said.token_endpoint = 'http://127.0.0.1:1/token'
  const { browser, location } = await begin(fooled)
  const state = new URL(location).searchParams.get('state')!
  const away = await browser.get(`${callback}?code=x&state=${state}`)
  assert.deepEqual([away.status, /does not respond/.test(away.text)], [503, true])

  people.known = { email: 'known@acme.test', email_verified: true }
  const unknown = await startApp({ ...settings, LECTERN_OIDC_CLIENT_SECRET: 'not the one that it knows' })
  const { seen } = await logIn('known', unknown)
  assert.equal(seen.status, 503)
  assert.match(seen.text, /does not know this installation/)
})

test('without a configured provider, sign-in offers none and its route gets 404', async () => {
  const plain = await startApp()
  assert.equal((await new Browser(plain).get(`${url}/login/oidc`)).status, 404)
  assert.doesNotMatch((await new Browser(plain).get(`${url}/login`)).text, /login\/oidc/)
})

test('incomplete or invalid OIDC settings, such as an unknown role, stop the start with a message', () => {
  for (const [wrong, told] of [
    [{ ...settings, LECTERN_OIDC_ISSUER: '' }, /set both LECTERN_OIDC_ISSUER and LECTERN_OIDC_CLIENT_ID/],
    [{ LECTERN_OIDC_ROLE: 'read' }, /set both LECTERN_OIDC_ISSUER and LECTERN_OIDC_CLIENT_ID/],
    [{ ...settings, LECTERN_OIDC_ISSUER: 'id.example.com' }, /LECTERN_OIDC_ISSUER must be a URL/],
    [{ ...settings, LECTERN_OIDC_ROLE: 'boss' }, /LECTERN_OIDC_ROLE must be one of none, read/],
    [{ ...settings, LECTERN_OIDC_EMAILS: 'yes' }, /LECTERN_OIDC_EMAILS must be one of verified, all/],
  ] as const) {
    assert.throws(() => readConfig(wrong), told)
  }
  assert.equal(
    readConfig({ LECTERN_OIDC_ISSUER: 'https://id.acme.test', LECTERN_OIDC_CLIENT_ID: 'x' }).oidc?.name,
    'id.acme.test',
  )
})
