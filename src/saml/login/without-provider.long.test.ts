import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../../test/app.ts'
import { anOrganization } from '../../../test/factories.ts'
import { Person } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { startMailServer } from '../../mail/testing/mail-server.ts'
import { sessionCookie, signingIn } from '../../sessions/testing/signing-in.ts'
import { createToken } from '../../tokens/actions.ts'
import { Browser } from '../testing/browser.ts'
import { type TestLogin, anIdentityProvider, anOrganizationWith, logIn } from '../testing/login.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
app.app.mail.start()
const idp = await anIdentityProvider()
const { forgetCounts, askForCode, mailedCode } = signingIn(app, mailServer)

async function whoIs(cookies: Map<string, string>) {
  const row = await app.db.find(sql<{ user_id: string; organization_id: string | null; method: string }>`
    select s.user_id, s.organization_id, s.method from sessions s
    where s.secret_hash = sha256(convert_to(${cookies.get(sessionCookie) ?? ''}, 'UTF8'))`)
  return row && { ...row }
}

/** A person who has signed in through a provider once. */
async function cameThrough({ provider }: TestLogin, email = `${newId()}@idp.example`) {
  idp.person = { id: newId(), email, displayName: 'Jo' }
  const { browser } = await logIn(app, idp, provider.service.startURL)
  return { email, id: (await whoIs(browser.cookies))!.user_id }
}

const tokenOf = (userId: string) => transaction(app.db, nobody, (tx) => createToken(tx, { userId, label: 'Theirs' }))

async function getsNoCode(email: string, org?: string): Promise<void> {
  const mails = () => mailServer.mails.filter(({ to }) => to === email).length
  const before = mails()
  await askForCode(new Person(app), email, undefined, org)
  // Mails that go to nobody are queued as well.
  while ((await app.db.one(sql<{ count: number }>`select count(*) from mails`)).count > 0) await sleep(20)
  assert.equal(mails(), before)
}

async function signInByCode(email: string, { org, typed = email }: { org?: string; typed?: string } = {}) {
  const person = new Person(app)
  const page = await askForCode(person, typed, undefined, org)
  const answer = await person.submit(page, '/login/code', { code: await mailedCode(email) })
  assert.equal(answer.status, 303, answer.text)
  return person
}

test('people from a deleted provider sign in with a mailed code, for that organization, to their old account', async () => {
  await forgetCounts()
  const login = await anOrganizationWith(app, idp, { defaultRole: 'edit' })
  const jo = await cameThrough(login)
  const { secret } = await tokenOf(jo.id)
  await getsNoCode(jo.email)
  await login.org.admin.client.delete(login.path)

  const person = await signInByCode(jo.email, { typed: jo.email.toUpperCase() })
  assert.deepEqual(await whoIs(person.cookies), { user_id: jo.id, organization_id: login.org.id, method: 'code' })
  const { text } = await person.get('/account')
  assert.ok(text.includes(login.org.row.title) && text.includes('edit'))
  const client = app.client(secret, [login.org.canary])
  assert.equal((await client.get(`/v1/orgs/${login.org.id}`)).status, 200, 'what they had goes on working')

  const after = await anOrganizationWith(app, idp)
  const again = await cameThrough(after, jo.email)
  assert.notEqual(again.id, jo.id, 'elsewhere they are somebody else')
})

test('code sign-in opens nothing for people disabled, removed, bound to single sign-on, or back at a provider', async () => {
  const shutting: Record<string, (login: TestLogin, jo: { id: string; email: string }) => Promise<unknown>> = {
    disabled: ({ org }, { id }) => org.admin.client.patch(`/v1/orgs/${org.id}/members/${id}`, { disabled: true }),
    removed: ({ org }, { id }) => org.admin.client.delete(`/v1/orgs/${org.id}/members/${id}`),
    'the account is closed': (_login, { id }) => app.db.run(sql`update users set disabled = true where id = ${id}`),
    'insists on single sign-on': ({ org }) => org.admin.client.patch(`/v1/orgs/${org.id}`, { sso: true }),
  }
  for (const [how, shut] of Object.entries(shutting)) {
    await forgetCounts()
    const login = await anOrganizationWith(app, idp, { defaultRole: 'read' })
    const jo = await cameThrough(login)
    await login.org.admin.client.delete(login.path)
    const signedIn = await signInByCode(jo.email)
    const waiting = new Person(app)
    const page = await askForCode(waiting, jo.email)
    const code = await mailedCode(jo.email)

    await shut(login, jo)
    assert.equal((await signedIn.get('/account')).status, 303, how)
    assert.equal((await waiting.submit(page, '/login/code', { code })).status, 400, how)
    await getsNoCode(jo.email, login.org.row.hostname)
  }

  await forgetCounts()
  const login = await anOrganizationWith(app, idp)
  const jo = await cameThrough(login)
  await login.org.admin.client.delete(login.path)
  const { body: provider } = await login.org.admin.client.post(`/v1/orgs/${login.org.id}/saml`, {
    label: 'Next',
    ...idp.settings,
  })
  await signInByCode(jo.email)
  assert.equal((await cameThrough({ ...login, provider }, jo.email)).id, jo.id)
  await getsNoCode(jo.email)
})

test('an administrator from a deleted provider can sign in where single sign-on is required', async () => {
  await forgetCounts()
  const login = await anOrganizationWith(app, idp, { defaultRole: 'admin' })
  const jo = await cameThrough(login)
  await login.org.admin.client.patch(`/v1/orgs/${login.org.id}`, { sso: true })
  await login.org.admin.client.delete(login.path)
  assert.equal((await whoIs((await signInByCode(jo.email)).cookies))!.user_id, jo.id)
})

test('a person with an own account at the same address gets into that, or into the other by naming the organization', async () => {
  await forgetCounts()
  const [login, elsewhere] = [await anOrganizationWith(app, idp), await anOrganization(app)]
  const own = elsewhere.admin
  const jo = await cameThrough(login, own.user.email)
  await login.org.admin.client.delete(login.path)

  const { hostname } = login.org.row
  assert.equal((await whoIs((await signInByCode(own.user.email)).cookies))!.user_id, own.id)
  assert.equal(
    (await whoIs((await signInByCode(own.user.email, { org: elsewhere.row.hostname })).cookies))!.user_id,
    own.id,
  )
  assert.deepEqual(await whoIs((await signInByCode(own.user.email, { org: hostname })).cookies), {
    user_id: jo.id,
    organization_id: login.org.id,
    method: 'code',
  })
  assert.equal((await own.client.get('/v1/user')).status, 200, 'neither ends what the other has')

  const gone = await new Browser(app).get(login.provider.service.startURL)
  assert.equal(gone.status, 404)
  assert.ok(gone.text.includes(`href="/login?org=${login.org.id}"`), 'an old bookmark leads to the other way in')
  assert.equal((await whoIs((await signInByCode(own.user.email, { org: login.org.id })).cookies))!.user_id, jo.id)
})
