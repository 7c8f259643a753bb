import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aPerson } from '../../test/factories.ts'
import { Person } from '../account/testing/person.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { networkOf } from '../http/network.ts'
import { startMailServer } from '../mail/testing/mail-server.ts'
import { createToken } from '../tokens/actions.ts'
import { makeHandedCode } from './codes.ts'
import { sessionCookie, signingIn } from './testing/signing-in.ts'

const mailServer = await startMailServer()
const app = await startApp({
  LECTERN_SMTP_URL: mailServer.url,
  LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>',
  LECTERN_TRUSTED_PROXIES: '127.0.0.1',
})
app.app.mail.start()
const { forgetCounts, askForCode, mailedCode, signIn } = signingIn(app, mailServer)

test('a mailed code signs in once, and its session cookie is HttpOnly and not stored in plain text', async () => {
  const someone = await aPerson(app)
  const person = new Person(app)
  const page = await askForCode(person, someone.user.email, '/account?done=mail')
  const code = await mailedCode(someone.user.email)
  const same = new Person(app)
  same.cookies.set('lectern-sign-in', person.cookies.get('lectern-sign-in')!)

  const answer = await person.submit(page, '/login/code', { code })
  assert.deepEqual([answer.status, answer.location], [303, '/account?done=mail'])
  const cookie = answer.headers.getSetCookie().find((each) => each.startsWith(sessionCookie))!
  assert.match(cookie, /^lectern-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
  const account = await person.get('/account')
  assert.ok(account.text.includes(someone.user.email))

  const stored = await app.db.one(sql<{ count: number }>`
    select count(*) from sessions s where s::text like ${`%${person.cookies.get(sessionCookie)}%`}`)
  assert.equal(stored.count, 0)
  const another = await same.get(`/login/code?email=${encodeURIComponent(someone.user.email)}`)
  assert.equal((await same.submit(another, '/login/code', { code })).status, 400)
})

test('a mailed code signs in even if the clock of the node is a day off', async (t) => {
  await forgetCounts()
  const someone = await aPerson(app)
  for (const hours of [25, -25]) {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hours * 3_600_000 })
    const person = new Person(app)
    const page = await askForCode(person, someone.user.email)
    const answer = await person.submit(page, '/login/code', { code: await mailedCode(someone.user.email) })
    assert.equal(answer.status, 303, `${hours} hours off`)
    t.mock.timers.reset()
  }
})

test('asking for a code gives the same page with and without an account, and unknown addresses get no mail', async () => {
  await forgetCounts()
  const someone = await aPerson(app)
  const unknown = `nobody.${someone.user.email}`
  const pages = []
  for (const email of [someone.user.email, unknown]) {
    const page = await askForCode(new Person(app), email)
    pages.push(
      page.text
        .replaceAll(email, '')
        .replaceAll(encodeURIComponent(email), '')
        .replace(/name="form" value="[^"]+"/g, ''),
    )
  }
  assert.equal(pages[0], pages[1])
  assert.match(pages[0]!, /a code is on its way/)
  await mailedCode(someone.user.email)
  assert.ok(!mailServer.mails.some(({ to }) => to === unknown))
})

test('a code is void after five wrong tries, and a new code voids the old one', async () => {
  await forgetCounts()
  const someone = await aPerson(app)
  const person = new Person(app)
  const first = await askForCode(person, someone.user.email)
  const code = await mailedCode(someone.user.email)
  const wrong = code === '0000 0000' ? '11111111' : '00000000'
  for (let round = 0; round < 5; round++) {
    const answer = await person.submit(first, '/login/code', { code: wrong })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /The code is wrong or has expired/)
  }
  assert.equal((await person.submit(first, '/login/code', { code })).status, 400)

  const second = await askForCode(person, someone.user.email)
  const voided = await mailedCode(someone.user.email)
  await askForCode(person, someone.user.email)
  const good = await mailedCode(someone.user.email)
  if (voided !== good) assert.equal((await person.submit(second, '/login/code', { code: voided })).status, 400)
  assert.equal((await person.submit(second, '/login/code', { code: good })).status, 303)
})

test('wrong codes sent at the same time are all counted, and the right code sent several times at once signs in once', async () => {
  await forgetCounts()
  const someone = await aPerson(app)
  const person = new Person(app)
  await askForCode(person, someone.user.email)
  const browser = person.cookies.get('lectern-sign-in')!
  const tries = (code: string, times: number) =>
    Promise.all(
      Array.from({ length: times }, async () => {
        const tab = new Person(app)
        tab.cookies.set('lectern-sign-in', browser)
        const form = await tab.get(`/login/code?email=${encodeURIComponent(someone.user.email)}`)
        return (await tab.submit(form, '/login/code', { code })).status
      }),
    )
  const code = await mailedCode(someone.user.email)
  assert.deepEqual((await tries(code, 4)).toSorted(), [303, 400, 400, 400])

  const again = await askForCode(person, someone.user.email)
  const next = await mailedCode(someone.user.email)
  await tries('x', 8)
  assert.equal((await person.submit(again, '/login/code', { code: next })).status, 400)
})

test('a code works only in the browser that asked for it, and tries in other browsers do not use it up', async () => {
  await forgetCounts()
  const someone = await aPerson(app)
  const [owner, thief] = [new Person(app), new Person(app)]
  const page = await askForCode(owner, someone.user.email)
  const code = await mailedCode(someone.user.email)
  const stolen = await thief.get(`/login/code?email=${encodeURIComponent(someone.user.email)}`)
  for (let round = 0; round < 6; round++) {
    assert.equal((await thief.submit(stolen, '/login/code', { code })).status, 400)
  }
  assert.equal((await owner.submit(page, '/login/code', { code })).status, 303)
})

test('an expired code is refused, and a disabled account cannot use its code', async () => {
  await forgetCounts()
  const someone = await aPerson(app)
  const person = new Person(app)
  const page = await askForCode(person, someone.user.email)
  const code = await mailedCode(someone.user.email)
  await app.db.run(sql`update sign_in_codes set expires_at = now() - interval '1 second' where user_id = ${someone.id}`)
  assert.equal((await person.submit(page, '/login/code', { code })).status, 400)

  await app.db.run(sql`update sign_in_codes set expires_at = now() + interval '1 minute' where user_id = ${someone.id}`)
  await app.db.run(sql`update users set disabled = true where id = ${someone.id}`)
  assert.equal((await person.submit(page, '/login/code', { code })).status, 400)
})

test('a network gets five codes for one address and sixty in all, as counted in the database', async () => {
  await forgetCounts()
  const someone = await aPerson(app)
  const ask = async (email: string) => {
    const person = new Person(app)
    return person.submit(await person.get('/login'), '/login', { email })
  }
  for (let round = 0; round < 5; round++) assert.equal((await ask(someone.user.email)).status, 303)
  const refused = await ask(someone.user.email.toUpperCase())
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after')!, /^\d+$/)
  await app.db.run(sql`update sign_in_counts set times = 59 where what = 'asked-by'`)
  assert.equal((await ask(`1.${someone.user.email}`)).status, 303)
  assert.equal((await ask(`2.${someone.user.email}`)).status, 429)
})

test("a stranger who asks for somebody's codes neither voids the owner's code nor locks the owner out", async () => {
  await forgetCounts()
  const someone = await aPerson(app)
  const email = someone.user.email
  const [owner, stranger] = [new Person(app), new Person(app)]
  const page = await askForCode(owner, email)
  const code = await mailedCode(email)
  const elsewhere = { 'x-forwarded-for': '203.0.113.7' }
  const login = await stranger.get('/login')
  for (let round = 0; round < 6; round++) {
    const asked = await stranger.submit(login, '/login', { email }, elsewhere)
    assert.equal(asked.status, round < 5 ? 303 : 429)
  }
  assert.equal((await owner.submit(page, '/login/code', { code })).status, 303)
  const again = new Person(app)
  const asked = await again.submit(await again.get('/login'), '/login', { email })
  assert.equal(asked.status, 303)

  await app.db.run(sql`update sign_in_counts set times = 20 where what = 'asked-for'`)
  assert.equal((await again.submit(await again.get('/login'), '/login', { email })).status, 429)
})

test('a network that tried a hundred wrong codes gets 429 for an hour, even for the right code', async () => {
  await forgetCounts()
  const someone = await aPerson(app)
  const person = new Person(app)
  const page = await askForCode(person, someone.user.email)
  const code = await mailedCode(someone.user.email)
  await app.db.run(sql`
    insert into sign_in_counts (what, key_hash, since, times)
    values ('failed-by', sha256('127.0.0.1'), now() - interval '10 minutes', 100)`)
  assert.equal((await person.submit(page, '/login/code', { code })).status, 429)
  await app.db.run(sql`update sign_in_counts set since = now() - interval '61 minutes' where what = 'failed-by'`)
  assert.equal((await person.submit(page, '/login/code', { code })).status, 303)
})

test('a code handed out by the operator works in any browser and does not verify the address', async () => {
  await forgetCounts()
  const someone = await aPerson(app, { emailVerified: false })
  const code = await transaction(app.db, nobody, (tx) => makeHandedCode(tx, app.app.secrets, someone.user))
  const person = new Person(app)
  const page = await askForCode(person, someone.user.email)
  assert.equal((await person.submit(page, '/login/code', { code })).status, 303)
  assert.match((await person.get('/account')).text, /Address not verified/)
})

test('the account page links to a mailed code while the address is unverified, and entering that code verifies it', async () => {
  await forgetCounts()
  const someone = await aPerson(app, { emailVerified: false })
  const handed = await transaction(app.db, nobody, (tx) => makeHandedCode(tx, app.app.secrets, someone.user))
  const person = new Person(app)
  const first = await askForCode(person, someone.user.email)
  assert.equal((await person.submit(first, '/login/code', { code: handed })).status, 303)
  await mailedCode(someone.user.email)

  const email = encodeURIComponent(someone.user.email)
  const account = await person.get('/account')
  assert.equal(account.text.split(`href="/login?email=${email}"`).length, 4)
  const login = await person.get(`/login?email=${email}`)
  assert.ok(login.text.includes(`value="${someone.user.email}"`), login.text)
  const asked = await person.submit(login, '/login', { email: someone.user.email })
  const page = await person.follow(asked)
  assert.match(page.text, /Enter your code/)
  const code = await mailedCode(someone.user.email)
  const done = await person.submit(page, '/login/code', { code })
  assert.deepEqual([done.status, done.location], [303, '/account'])
  const proved = await person.get('/account')
  assert.doesNotMatch(proved.text, /Address not verified|href="\/login/)
  // A user who is signed in and has nothing to prove goes on to the account, even if the link names another address.
  assert.equal((await person.get(`/login?email=${email}`)).location, '/account')
  assert.equal((await person.get('/login?email=other@example.com')).location, '/account')
})

test('the first mailed code of an unverified account ends its earlier sessions and tokens, as the account page warns', async () => {
  const someone = await aPerson(app, { emailVerified: false })
  const code = await transaction(app.db, nobody, (tx) => makeHandedCode(tx, app.app.secrets, someone.user))
  const squatter = new Person(app)
  const page = await squatter.get(`/login/code?email=${encodeURIComponent(someone.user.email)}`)
  assert.equal((await squatter.submit(page, '/login/code', { code })).status, 303)
  assert.equal((await someone.client.get('/v1/user')).status, 200)
  const warning = /Tokens you create now are revoked/
  assert.match((await squatter.get('/account')).text, warning)

  const owner = await signIn(someone)
  assert.equal((await someone.client.get('/v1/user')).status, 401)
  assert.equal((await squatter.get('/account')).status, 303)
  const { text } = await owner.get('/account')
  assert.doesNotMatch(text, /Address not verified/)
  assert.doesNotMatch(text, warning)

  const { secret } = await transaction(app.db, nobody, (tx) => createToken(tx, { userId: someone.id, label: 'New' }))
  await signIn(someone)
  assert.equal((await app.client(secret, [someone.user.email.split('.')[0]!]).get('/v1/user')).status, 200)
})

test('an IPv4 address counts as one network, and so does a whole IPv6 /64', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:0db8:0001:0002:ffff::9'))
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0')
  assert.notEqual(networkOf('2001:db8:1:3::1'), networkOf('2001:db8:1:2::1'))
})
