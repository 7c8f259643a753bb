// The subject and description of a change request, who is asked to review it, and whether it is archived or merged:
// with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../account/testing/person.ts'
import { newId } from '../ids.ts'
import { startMailServer } from '../mail/testing/mail-server.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
app.app.mail.start()
const silent = await startApp()

async function aChange(test = app) {
  const site = await aSite(test, { pages: [newPage('Welcome')] })
  const request = await site.space.changeRequest()
  expect(await request.edit(newPage('Cups')), 200)
  const path = `/app/o/${site.org.id}/s/${site.space.id}/~/changes/1`
  const author = await signedIn(test, await site.org.member('edit'))
  const now = async () => expect(await site.who.get(request.path), 200)
  return { site, request, path, author, now }
}

const about = { subject: 'Cups & saucers', description: 'All **cups**\r\nof the house.' }

test('a member who may edit sets the subject and description of a change request, and the page shows them', async () => {
  const { path, author, now } = await aChange()
  const told = await author.follow(await author.submit(await author.get(path), `${path}/about`, about))
  assert.match(told.text, /Subject and description saved\./)
  assert.match(told.text, /<h1>Cups &amp; saucers<\/h1>/)
  assert.match(told.text, /All <strong>cups<\/strong>\nof the house\./)
  assert.ok(told.text.includes('rows="8" data-unsaved>\nAll **cups**\nof the house.</textarea>'), told.text)
  const { subject, description } = await now()
  assert.deepEqual([subject, description], [about.subject, 'All **cups**\nof the house.'])
  await author.submit(told, `${path}/about`, { subject: ' ', description: ' ' })
  assert.match((await author.get(path)).text, /<h1>Change request #1<\/h1>/)
})

test('a subject or description that is too long, outdated or too late is not saved, and the typed text is kept', async () => {
  const { site, request, path, author, now } = await aChange()
  const page = await author.get(path)
  const send = async (fields: Record<string, string>, from: Page = page) =>
    author.submit(from, `${path}/about`, { ...about, ...fields })
  const before = await now()
  for (const [fields, reason] of [
    [{ subject: 'x'.repeat(101) }, /A subject has at most 100 characters/],
    [{ description: 'x'.repeat(65_537) }, /A description has at most 65536 characters/],
  ] as const) {
    const refused = await send(fields)
    assert.equal(refused.status, 409)
    assert.match(refused.text, reason)
    assert.match(refused.text, /<details class="review-telling" open>/)
    for (const typed of Object.values(fields)) assert.ok(refused.text.includes(typed))
  }
  assert.equal((await send({ description: '🍵'.repeat(65_536) })).status, 303)
  expect(await site.who.patch(request.path, { subject: 'Theirs', description: '' }), 200)
  const overtaken = await send({ description: 'Mine <i>' })
  assert.equal(overtaken.status, 409)
  assert.match(overtaken.text, /Somebody has changed subject or description[^]*Mine &lt;i&gt;<\/textarea>/)
  // The second attempt is refused too: the refused form still contains the state that was overtaken.
  assert.equal((await send({}, overtaken)).status, 409)
  assert.equal((await now()).subject, 'Theirs')

  const signedOut = await new Person(app).submit(page, `${path}/about`, about)
  assert.deepEqual(
    [signedOut.status, signedOut.text.includes('readonly>\nCups &amp; saucers\n\nAll **cups**')],
    [403, true],
  )
  const late = await author.get(path)
  expect(await site.who.post(`${request.path}/merge`), 200)
  const merged = await send({}, late)
  assert.equal(merged.status, 409)
  assert.match(merged.text, /readonly>\nCups &amp; saucers\n\nAll \*\*cups\*\*/)
  assert.equal((await now()).subject, 'Theirs')
  assert.notEqual(before.subject, 'Theirs')
})

test('an archived change request offers no actions and can be reopened', async () => {
  const { path, author, now } = await aChange()
  const archived = await author.follow(await author.submit(await author.get(path), `${path}/archive`))
  assert.equal((await now()).status, 'archived')
  assert.match(archived.text, /It is archived: its pages cannot be changed/)
  assert.doesNotMatch(archived.text, /action="[^"]*\/(?:review|merge|archive|update|reviewers)"|\/pages\/new/)
  const opened = await author.follow(await author.submit(archived, `${path}/open`))
  assert.match(opened.text, /Reopened\./)
  assert.equal((await now()).status, 'open')
})

test('an archived change request does not say that it can be merged, though main has changed since', async () => {
  const { path, author, site } = await aChange()
  await site.space.edit(newPage('Elsewhere'))
  const page = await author.get(path)
  const behind = /class="say say-with"[^>]*>\s*<p role="status">The main content has changed since[^]*?<\/div>/
  assert.match(behind.exec(page.text)![0], /Update from the main content/, 'beside it, what can be done')
  const archived = await author.follow(await author.submit(page, `${path}/archive`))
  assert.doesNotMatch(archived.text, /The main content has changed|can still be merged/)
  assert.match((await author.follow(await author.submit(archived, `${path}/open`))).text, behind)
})

test('reviewers are chosen from those who may review, are notified by mail, and their verdicts are shown', async () => {
  const { site, path, author } = await aChange()
  const [reviewer, writer] = [await site.org.member('review'), await site.org.member('edit')]
  const page = await author.get(path)
  assert.ok(page.text.includes(`<option value="${reviewer.id}">`), page.text)
  assert.ok(!page.text.includes(`<option value="${writer.id}">`))
  const asked = await author.follow(await author.submit(page, `${path}/reviewers`, { user: reviewer.id }))
  assert.match(asked.text, /Review requested\.[^]*pending/)
  assert.ok((await mailServer.next(reviewer.user.email)).text.includes(path))

  for (const user of [writer.id, newId(), 'x', '']) {
    const refused = await author.submit(page, `${path}/reviewers`, { user })
    assert.equal(refused.status, 400, user)
    assert.match(refused.text, /role="alert">This must be somebody who may review in this space\./)
  }
  const person = await signedIn(app, reviewer)
  await person.submit(await person.get(path), `${path}/review`, { status: 'changes-requested' })
  assert.match((await author.get(path)).text, /aria-label="Reviewers"[^]*changes requested[^]*aria-label="Reviews"/)

  const taken = await author.submit(await author.get(path), `${path}/reviewers/${reviewer.id}/remove`)
  assert.match((await author.follow(taken)).text, /Review request withdrawn\.[^]*No review has been requested yet/)
  const again = await author.post(`${path}/reviewers/${reviewer.id}/remove`, tokenIn(page))
  assert.deepEqual([again.status, /role="alert">There is no such user/.test(again.text)], [404, true])
})

test('requesting a review says that no mail is sent if, and only if, the server sends none', async () => {
  for (const test of [app, silent]) {
    const { site, path, author } = await aChange(test)
    const { id } = await site.org.member('review')
    const page = await author.get(path)
    const asked = await author.follow(await author.submit(page, `${path}/reviewers`, { user: id }))
    assert.equal(/sends no mail, so tell the reviewer yourself\. The request/.test(page.text), test === silent)
    assert.equal(/Review requested\. This server sends no mail/.test(asked.text), test === silent)
  }
})

test('a reviewer can be requested by mail address, which must belong to someone who may review', async () => {
  const { site, path, author } = await aChange()
  const [reviewer, writer] = [await site.org.member('review'), await site.org.member('edit')]
  const page = await author.get(path)
  const ask = (email: string) => author.post(`${path}/reviewers`, { ...tokenIn(page), email })
  assert.equal((await ask(reviewer.user.email)).status, 303)
  const refusals = await Promise.all([ask(writer.user.email), ask(`${newId()}@example.org`)])
  for (const refused of refusals) {
    assert.equal(refused.status, 409)
    assert.match(refused.text, /role="alert">Nobody with this address can review in this space\./)
  }
})

test('a member who may not edit cannot change a change request and is offered no forms for it', async () => {
  const { site, path, author, now } = await aChange()
  const reader = await signedIn(app, await site.org.member('comment'))
  const page = await reader.get(path)
  const actions = ['about', 'archive', 'open', 'reviewers', `reviewers/${site.org.admin.id}/remove`]
  for (const action of actions) {
    assert.ok(!page.text.includes(`action="${path}/${action}"`), action)
    const fields = { ...tokenIn(page), ...about, user: site.org.admin.id }
    assert.equal((await reader.post(`${path}/${action}`, fields)).status, 403, action)
    assert.equal((await author.post(`${path}/${action}`, { ...fields, form: 'x.x' })).status, 403, action)
    assert.equal((await author.post(`${path}/${action}`, fields, { origin: 'https://evil.example' })).status, 403)
  }
  const { subject, status } = await now()
  assert.deepEqual([subject, status], ['A change', 'draft'])
})

test('the preview links back to its change request only for someone who came from there', async () => {
  const { site, request, path, author } = await aChange()
  const { url } = expect(await site.who.get(`${request.path}/preview`), 200)
  const opened = async (person: Person, address: string) => {
    const { pathname, search } = new URL(address)
    await person.get(pathname + search)
    return (await person.get(pathname)).text
  }
  const back = new RegExp(`<a href="http://lectern\\.test${path}"[^>]*>Back to the change request</a>`)
  assert.match(await opened(author, (await author.get(`${path}/preview`)).location!), back)
  const editing = /href="([^"]*\/pages\/[^"/]{36})"/.exec((await author.get(path)).text)![1]!
  const page = await author.get(editing)
  assert.match(page.text, /<button class="btn" name="next" value="look">/)
  const saved = await author.submit(page, editing, { text: '# Cups\n\nBrand new.\n', next: 'look' })
  // A page comes in between: a form must not lead to the address of a site.
  const between = (await author.follow(saved)).text
  const [, address] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(between)!
  assert.ok(between.includes(`href="${address}"`))
  assert.match(await opened(author, address!), /Brand new\./)
  const sent = await opened(new Person(app), url)
  assert.match(sent, /This is a preview\. #1 A change/)
  assert.doesNotMatch(sent, /Back to the change request/)
})
