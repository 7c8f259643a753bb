// A reviewer follows the link of a mail: what they see is the change request as its site will show it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aStranger } from '../../test/factories.ts'
import { newPage } from '../../test/editing.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { startMailServer } from '../mail/testing/mail-server.ts'
import { anIdentityProvider, logIn } from '../saml/testing/login.ts'
import { signingIn } from '../sessions/testing/signing-in.ts'
import { pathWith } from './answer.ts'
import { Person } from './testing/person.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
app.app.mail.start()
const { signIn } = signingIn(app, mailServer)

async function aDraft() {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const request = await site.space.changeRequest()
  expect(await request.edit({ operation: 'insert_page', document: { markdown: '# Cups\n\nA new page.\n' } }), 200)
  const path = `/app/o/${site.org.id}/s/${site.space.id}/~/changes/1`
  return { site, request, path }
}

/** Where a signed-in browser is led, and what is there. */
async function look(person: Person, path: string, page = '') {
  const led = await person.get(path)
  if (led.status !== 303) return { led, text: led.text }
  const { pathname, search } = new URL(led.location!)
  await person.get(pathname + search)
  return { led, text: (await person.get(pathname + page)).text }
}

test('the mail that asks for a review leads to the change request as it will be read, once its reader is signed in', async () => {
  const { site, request, path } = await aDraft()
  const reviewer = await site.org.member('review')
  const person = await signIn(reviewer)
  expect(await site.who.post(`${request.path}/requested-reviewers`, { users: [reviewer.id] }), 200)
  const { text } = await mailServer.next(reviewer.user.email)
  assert.ok(text.includes(`http://lectern.test${path}`), text)

  for (const rest of ['', '/', '/some/page']) {
    const asked = await new Person(app).get(path + rest)
    assert.deepEqual([asked.status, asked.location], [303, pathWith('/login', { next: path + rest })])
    const { text: shown } = await look(person, path + rest, 'cups')
    assert.match(shown, /A new page\./)
    assert.match(shown, /This is a preview\. #1/)
  }
  assert.match((await look(await signIn(await site.org.member('read')), path, 'cups')).text, /A new page\./)

  // With the session ends what it opened.
  await app.db.run(sql`delete from sessions where user_id = ${reviewer.id}`)
  assert.doesNotMatch((await person.get(`${site.address}cups`)).text, /A new page\./)
})

test('the link shows nothing to those who may not read the change request, and tells nobody whether there is one', async () => {
  const { site, path } = await aDraft()
  const stranger = await signIn(await aStranger(app))
  const hidden = await look(stranger, path)
  assert.equal(hidden.led.status, 200)
  for (const nowhere of [
    path.replace(/1$/, '2'),
    path.replace(site.space.id, newId()),
    path.replace(site.org.id, newId()),
    path.replace(site.org.id, 'x'),
  ]) {
    const { led, text } = await look(stranger, nowhere)
    assert.deepEqual([led.status, text], [200, hidden.text])
  }
})

test('where an organization insists on single sign-on, whoever came through its provider sees its change requests', async () => {
  const { site, path } = await aDraft()
  const idp = await anIdentityProvider()
  const saml = { label: 'Company', ...idp.settings, defaultRole: 'read' }
  const provider = expect(await site.who.post(`/v1/orgs/${site.org.id}/saml`, saml), 201)
  idp.person = { id: 'ada', email: 'ada@idp.example', displayName: 'Ada' }
  const { browser } = await logIn(app, idp, provider.service.startURL)
  expect(await site.who.patch(`/v1/orgs/${site.org.id}`, { sso: true }), 200)
  const person = new Person(app)
  for (const [name, value] of browser.cookies) person.cookies.set(name, value)
  assert.match((await look(person, path, 'cups')).text, /A new page\./)

  const marked = await site.org.member('read')
  const coded = await signIn(marked)
  assert.match((await look(coded, path, 'cups')).text, /A new page\./)
  expect(await site.who.post(`/v1/orgs/${site.org.id}/members/${marked.id}/sso`), 200)
  assert.equal((await look(coded, path)).led.status, 200)
  assert.doesNotMatch((await coded.get(`${site.address}cups`)).text, /A new page\./)
  // A session that is for one organization opens no other.
  const other = await aDraft()
  assert.equal((await look(person, other.path)).led.status, 200)
})
