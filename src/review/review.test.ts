// A reviewer follows the link of a mail: what changes, how it will look, and what they may do about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aStranger } from '../../test/factories.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { startMailServer } from '../mail/testing/mail-server.ts'
import { anIdentityProvider, logIn } from '../saml/testing/login.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'
import { pathWith } from '../account/answer.ts'
import { Person } from '../account/testing/person.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
app.app.mail.start()

async function aDraft() {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const request = await site.space.changeRequest()
  expect(await request.edit({ operation: 'insert_page', document: { markdown: '# Cups\n\nA new page.\n' } }), 200)
  const path = `/app/o/${site.org.id}/s/${site.space.id}/~/changes/1`
  const [welcome] = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages
  return { site, request, path, welcome: welcome.id as string }
}

/** Opens the preview as a browser does, and reads a page of it. */
async function look(person: Person, path: string, page = '') {
  const led = await person.get(`${path}/preview`)
  if (led.status !== 303) return { led, text: led.text }
  const { pathname, search } = new URL(led.location!)
  await person.get(pathname + search)
  return { led, text: (await person.get(pathname + page)).text }
}

test('the mail requesting a review leads to the changes and on to the preview, once its reader is signed in', async () => {
  const { site, request, path, welcome } = await aDraft()
  const reviewer = await site.org.member('review')
  const person = await signedIn(app, reviewer)
  expect(await site.who.post(`${request.path}/requested-reviewers`, { users: [reviewer.id] }), 200)
  const { text } = await mailServer.next(reviewer.user.email)
  assert.ok(text.includes(`http://lectern.test${path}`), text)

  const moved = { operation: 'update_page', page: welcome, metadata: { title: 'Hello <b>' } }
  expect(await request.edit(moved), 200)
  for (const rest of ['', '/', '/some/page', '/preview']) {
    const asked = await new Person(app).get(path + rest)
    assert.deepEqual([asked.status, asked.location], [303, pathWith('/login', { next: path + rest })])
  }
  for (const rest of ['', '/', '/some/page']) {
    const page = await person.get(path + rest)
    assert.equal(page.status, 200)
    assert.match(page.text, /<h1>A change<\/h1>/)
    assert.match(page.text, /New page<\/span>\s*<strong>Cups<\/strong>\s*<code>\/cups<\/code>/)
    assert.match(page.text, /<tr class="added">[^]*?<code>A new page\.<\/code>/)
    assert.match(page.text, /<del>Welcome<\/del>\s*<ins>Hello &lt;b&gt;<\/ins>/)
    assert.equal(page.headers.get('cache-control'), 'private, no-store')
  }
  const long = `# Long\n\n${'A line.\n'.repeat(1000)}`
  expect(await request.edit({ operation: 'insert_page', document: { markdown: long } }), 200)
  const whole = (await person.get(path)).text
  assert.match(whole, /And 600 more lines/)
  assert.equal(whole.match(/<tr class="added">/g)!.length, 401)

  const { text: seen } = await look(person, path, 'cups')
  assert.match(seen, /A new page\./)
  assert.match(seen, /This is a preview\. #1 A change/)

  // The access that a session opened ends with the session.
  await app.db.run(sql`delete from sessions where user_id = ${reviewer.id}`)
  assert.doesNotMatch((await person.get(`${site.address}cups`)).text, /A new page\./)
})

test('a reviewer gives a verdict on the page about the revision they read, and merges where the rules allow', async () => {
  const { site, request, path } = await aDraft()
  const rules = { mergeRules: { type: 'rules', rules: [{ type: 'require_at_least_one_approved_review' }] } }
  expect(await site.who.patch(site.space.path, rules), 200)
  const person = await signedIn(app, await site.org.member('review'))
  const before = await person.get(path)
  const early = await person.submit(before, `${path}/merge`)
  assert.equal(early.status, 412)
  assert.match(early.text, /role="alert">It cannot be merged yet: somebody has to approve/)

  const review = { status: 'approved', comment: 'Good **cups**' }
  expect(await request.edit({ operation: 'insert_page', document: { markdown: '# Late\n' } }), 200)
  const stale = await person.submit(before, `${path}/review`, review)
  assert.equal(stale.status, 409)
  assert.match(stale.text, /has changed since you opened this page/)
  assert.match(stale.text, /Good \*\*cups\*\*<\/textarea>/)
  assert.match(stale.text, /<strong>Late<\/strong>/)

  const approved = await person.follow(await person.submit(stale, `${path}/review`, review))
  assert.match(approved.text, /Approved\./)
  const [kept] = expect(await site.who.get(`${request.path}/reviews`), 200).items
  assert.equal(kept.status, 'approved')
  const [comment] = expect(await site.who.get(`${request.path}/comments?format=markdown`), 200).items
  assert.equal(comment.body.markdown.trim(), 'Good **cups**')

  const shown = /<p>Good <strong>cups<\/strong><\/p>/
  assert.match(approved.text, shown)
  expect(
    await site.who.post(`${request.path}/comments/${comment.id}/replies`, { body: { markdown: '<i>Thanks</i>' } }),
    200,
  )
  const talked = await person.follow(
    await person.submit(approved, `${path}/review`, { status: 'said', comment: 'More.' }),
  )
  for (const text of [shown, /<em>Thanks<\/em>/, />More\.</]) assert.match(talked.text, text)
  assert.equal((await person.submit(talked, `${path}/review`, { status: 'said', comment: ' ' })).status, 409)
  assert.equal(expect(await site.who.get(`${request.path}/reviews`), 200).count, 1)

  const merged = await person.follow(await person.submit(approved, `${path}/merge`))
  assert.match(merged.text, /Merged\. It is now part of the main content/)
  assert.doesNotMatch(merged.text, /action="[^"]*\/(?:review|merge|open|about|archive|reviewers)"/)
  assert.equal(await site.space.outline(), 'Welcome Cups Late')
  const events = expect(await site.who.get(`/v1/orgs/${site.org.id}/audit-events?action=change-request.merged`), 200)
  assert.equal(events.items.length, 1)
})

test('a comment may be as long as its field says, in any letters', async () => {
  const { site, request, path } = await aDraft()
  const person = await signedIn(app, await site.org.member('comment'))
  const say = async (comment: string) =>
    person.submit(await person.get(path), `${path}/review`, { status: 'said', comment })
  const long = `${'茶'.repeat(7_998)}\r\n茶`
  assert.equal((await say(long)).location, `${path}?done=said`)
  const [comment] = expect(await site.who.get(`${request.path}/comments?format=markdown`), 200).items
  assert.equal(comment.body.markdown.trim(), long.replace('\r\n', '\n'))
  const refused = await say(`${long}x`)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /role="alert">A comment has at most 8000 characters/)
  assert.ok(refused.text.includes('茶x</textarea>'))
})

test("the account page lists change requests awaiting the user's review, while it is due and the user may give it", async () => {
  const { site, request, path } = await aDraft()
  const [reviewer, other] = [await site.org.member('review'), await site.org.member('review')]
  const [person, uninvolved] = [await signedIn(app, reviewer), await signedIn(app, other)]
  const account = async (who = person) => (await who.get('/account')).text
  assert.doesNotMatch(await account(), /Change requests/)
  expect(await site.who.post(`${request.path}/requested-reviewers`, { users: [reviewer.id] }), 200)
  await mailServer.next(reviewer.user.email)
  const waiting = await account()
  assert.ok(waiting.includes(`href="${path}"`), waiting)
  assert.match(waiting, /Your review is requested/)
  assert.doesNotMatch(await account(uninvolved), /Change requests/)

  await person.submit(await person.get(path), `${path}/review`, { status: 'approved' })
  assert.doesNotMatch(await account(), /Your review is requested/)
  assert.ok((await account()).includes(`href="${path}"`))
  expect(await request.edit(newPage('More')), 200)
  assert.match(await account(), /Your review is requested/)
  // A review that a user can no longer give is not waiting for them, although they had a part in the change request.
  const member = `/v1/orgs/${site.org.id}/members/${reviewer.id}`
  expect(await site.who.patch(member, { role: 'comment' }), 200)
  assert.doesNotMatch(await account(), /Your review is requested/)
  assert.ok((await account()).includes(`href="${path}"`))
  expect(await site.who.patch(member, { role: 'review' }), 200)
  assert.match(await account(), /Your review is requested/)
  expect(await site.who.post(`${request.path}/merge`), 200)
  assert.doesNotMatch(await account(), /Change requests/)
})

test('if no one else may review, people who manage the space are led to its access page', async () => {
  const space = await aLiveSpace(app)
  await space.changeRequest()
  const path = `/app/o/${space.org.id}/s/${space.id}`
  const admin = await signedIn(app, space.org.admin)
  const { text } = await admin.get(`${path}/~/changes/1`)
  assert.match(text, new RegExp(`Nobody else can review here[^]*<a href="${path}/~/access">Access</a>`))
  assert.equal((await admin.get(`${path}/~/access`)).status, 200)
})

test('the page of a change request says who created it and who merged it', async () => {
  const { site, request, path } = await aDraft()
  const merger = await site.org.member('review')
  await app.db.run(sql`update users set display_name = 'Mo' where id = ${merger.id}`)
  await app.db.run(sql`update users set display_name = 'Ann' where id = ${site.org.admin.id}`)
  const person = await signedIn(app, merger)
  const standing = async () => /<p class="review-standing">([^]*?)<\/p>/.exec((await person.get(path)).text)![1]!
  const words = async () => (await standing()).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  assert.match(await words(), /^ draft created by Ann · changed /)
  expect(await merger.client.post(`${request.path}/merge`), 200)
  assert.match(await words(), /^ merged by Mo · created by Ann · changed /)
})

test('reviewing and merging on the page requires the right to do so, and a form of this website', async () => {
  const { site, request, path } = await aDraft()
  const [reader, reviewer] = [await site.org.member('comment'), await site.org.member('review')]
  const commenting = await signedIn(app, reader)
  const page = await commenting.get(path)
  assert.doesNotMatch(page.text, /value="approved"|\/merge"/)
  assert.equal((await commenting.submit(page, `${path}/review`, { status: 'approved' })).status, 403)
  const onlyReading = await signedIn(app, await site.org.member('read'))
  assert.doesNotMatch((await onlyReading.get(path)).text, /<form method="post"/)
  const person = await signedIn(app, reviewer)
  const own = await person.get(path)
  for (const action of ['review', 'merge']) {
    const fields = { status: 'approved', revision: request.id }
    assert.equal((await person.post(`${path}/${action}`, fields)).status, 403)
    const foreign = await person.submit(
      own,
      `${path}/${action}`,
      { status: 'approved' },
      { origin: 'https://evil.example' },
    )
    assert.equal(foreign.status, 403)
  }
  // With a valid form, but a role that has been taken away since.
  expect(await site.who.patch(`/v1/orgs/${site.org.id}/members/${reviewer.id}`, { role: 'read' }), 200)
  for (const action of ['review', 'merge'])
    assert.equal((await person.submit(own, `${path}/${action}`, { status: 'approved' })).status, 403)
  assert.equal(expect(await site.who.get(request.path), 200).status, 'draft')
  assert.equal(expect(await site.who.get(`${request.path}/reviews`), 200).count, 0)
})

test('a change request shows nothing to people who may not read it, not even whether it exists', async () => {
  const { site, path } = await aDraft()
  const stranger = await signedIn(app, await aStranger(app))
  const hidden = await stranger.get(path)
  assert.equal(hidden.status, 404)
  assert.doesNotMatch(hidden.text, /Cups|A change/)
  for (const nowhere of [
    path.replace(/1$/, '2'),
    path.replace(site.space.id, newId()),
    path.replace(site.org.id, newId()),
    path.replace(site.org.id, 'x'),
  ]) {
    for (const rest of ['', '/preview']) {
      const { status, text } = await stranger.get(nowhere + rest)
      assert.deepEqual([status, text], [404, hidden.text])
    }
  }
})

test('an organization that requires single sign-on shows its change requests to people who came through its provider', async () => {
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
  const coded = await signedIn(app, marked)
  assert.match((await look(coded, path, 'cups')).text, /A new page\./)
  expect(await site.who.post(`/v1/orgs/${site.org.id}/members/${marked.id}/sso`), 200)
  assert.equal((await look(coded, path)).led.status, 404)
  assert.doesNotMatch((await coded.get(`${site.address}cups`)).text, /A new page\./)
  // A session for one organization does not open another.
  const other = await aDraft()
  assert.equal((await look(person, other.path)).led.status, 404)
})

test('only the next step stands out on a change request: mark as ready, approve, merge', async () => {
  const { site, request, path } = await aDraft()
  const admin = await signedIn(app, site.org.admin)
  const standingOut = async () => {
    const unfolded = (await admin.get(path)).text.replaceAll(/<details[^]*?<\/details>/g, '')
    return [...unfolded.matchAll(/<(?:button|a) class="btn primary"[^>]*>\s*([^<]*?)\s*</g)].map(([, label]) => label)
  }
  assert.deepEqual(await standingOut(), ['Mark as ready for review'])
  expect(await site.who.patch(request.path, { status: 'open' }), 200)
  assert.deepEqual(await standingOut(), ['Approve'])
  const { client } = await site.org.member('review')
  expect(await client.post(`${request.path}/reviews`, { status: 'approved' }), 201)
  assert.deepEqual(await standingOut(), ['Merge into main content'])
  expect(await request.edit(newPage('Saucers')), 200)
  assert.deepEqual(await standingOut(), ['Approve'])
})

test('with many change requests in a space, the older ones are folded and still listed', async () => {
  const space = await aLiveSpace(app)
  await space.edit(newPage('Tea'))
  for (let at = 0; at < 10; at++) await space.changeRequest()
  const admin = await signedIn(app, space.org.admin)
  const page = async () => (await admin.get(`/app/o/${space.org.id}/s/${space.id}`)).text
  assert.doesNotMatch(await page(), /older ones/)
  await space.changeRequest()
  const folded = /<details class="review-older">[^]*?<\/details>/.exec(await page())![0]
  assert.match(folded, /1 older one\b/)
  assert.deepEqual(folded.match(/changes\/\d+/g), ['changes/1'])
})
