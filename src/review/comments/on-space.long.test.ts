// Comments on a space itself are read and answered with a browser that runs no script.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { type TestPerson, aStranger } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { tokenIn } from '../../account/testing/person.ts'
import { Mailer } from '../../mail/mailer.ts'
import { startMailServer } from '../../mail/testing/mail-server.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
const mailer = new Mailer(app.app, { everyMs: 20, firstRetrySeconds: 0.02, quietSeconds: 0 })
mailer.start()
after(() => mailer.close())

async function aSpace() {
  const space = await aLiveSpace(app)
  const [tea] = idsOf(await space.edit(newPage('Tea')))
  const home = `/app/o/${space.org.id}/s/${space.id}`
  const say = async (body: object, { client }: TestPerson = space.org.admin) =>
    expect(await client.post(`${space.path}/comments`, body), 200).id as string
  const now = async (id: string) => expect(await space.who.get(`${space.path}/comments/${id}`), 200)
  return { space, org: space.org, home, path: `${home}/~/comments`, tea: tea!, say, now }
}

const markdown = (text: string) => ({ body: { markdown: text } })

test('comments on a space and its pages can be read by everyone who may read the space, and by no one else', async () => {
  const { space, org, home, path, tea, say } = await aSpace()
  const reader = await signedIn(app, await org.member('read'))
  assert.match((await reader.get(path)).text, /No comments yet/)
  const first = await say(markdown('Which **tea**?'))
  await say({ ...markdown('Here it is'), page: tea })
  expect(await space.who.post(`${space.path}/comments/${first}/replies`, markdown('The green one')), 200)
  const request = await space.changeRequest()
  expect(await space.who.post(`${request.path}/comments`, markdown('Elsewhere')), 200)

  assert.ok((await reader.get(home)).text.includes(`href="${path}">Comments</a> (2 open)`))
  const { text } = await reader.get(path)
  assert.match(text, /Which <strong>tea<\/strong>\?[^]*The green one[^]*Here it is/)
  assert.ok(text.includes(`on <a href="${home}/tea">Tea</a>`), text)
  assert.doesNotMatch(text, /Elsewhere|<form/)
  const stranger = await signedIn(app, await aStranger(app))
  assert.doesNotMatch((await stranger.get(path)).text, /tea/)
  // Only the name of a deleted page is left.
  await space.edit({ operation: 'delete_page', page: tea })
  assert.match((await reader.get(path)).text, / · on Tea · [^]*this page has been deleted/)
})

test('a comment on a block keeps its preview and says that the text has changed, as long as it has', async () => {
  const { space, org, path, tea, say } = await aSpace()
  const { document } = expect(await space.who.get(`${space.path}/content/page/${tea}?format=document`), 200)
  await say({ ...markdown('Which tea?'), page: tea, node: document.nodes.at(-1).key })
  const reader = await signedIn(app, await org.member('read'))
  const said = async (body: string) => {
    expect(await space.edit({ operation: 'update_page', page: tea, document: { markdown: body } }), 200)
    return (await reader.get(path)).text
  }
  const past = /this text has changed since[^]*<p class="review-part">Text of Tea<\/p>[^]*Which tea/
  assert.doesNotMatch(await said('# Tea\n\nAnother line\n\nText of Tea\n'), /has changed since/)
  assert.match(await said('# Tea\n\nText of coffee\n'), past)
  assert.doesNotMatch(await said('# Tea\n\nText of Tea\n'), /has changed since/)
})

test('a member who may comment can comment on a space or its pages, and mentioned people get a mail with a link', async () => {
  const { org, home, path, tea, now } = await aSpace()
  const jo = await org.member('read')
  const author = await signedIn(app, await org.member('comment'))
  const said = await author.submit(await author.get(path), path, { text: `Hello @${jo.user.email}` })
  const [, id] = /\?done=said#said-(.+)$/.exec(said.location!)!
  assert.match((await author.follow(said)).text, /Comment posted[^]*class="review-mention"/)
  const mail = await mailServer.next(jo.user.email)
  assert.ok(mail.text.includes(`http://lectern.test${path}/${id}\n`), mail.text)
  assert.equal((await now(id!)).target.page, undefined)

  const about = `${path}?about=${tea}`
  assert.ok((await author.get(`${home}/tea`)).text.includes(`href="${about}"`))
  const form = await author.get(about)
  assert.match(form.text, /Your comment on Tea/)
  const onPage = await author.submit(form, path, { text: 'This one' })
  const comment = await now(/#said-(.+)$/.exec(onPage.location!)![1]!)
  assert.deepEqual([comment.body.markdown, comment.target.page.id], ['This one', tea])

  // Text that cannot be saved stays in its form.
  for (const [fields, status] of [
    [{ text: ' ' }, 409],
    [{ text: 'x'.repeat(8001) }, 409],
    [{ text: 'Gone', about: 'x' }, 400],
  ] as const) {
    const refused = await author.submit(form, path, fields)
    assert.equal(refused.status, status, refused.text)
    assert.match(refused.text, /role="alert"/)
    assert.ok(refused.text.includes(`>\n${fields.text}</textarea>`))
  }
})

test('comments on a space are replied to, resolved, reopened, edited and deleted only by people with those rights', async () => {
  const { space, org, path, say, now } = await aSpace()
  const [asker, writer, reviewer] = [
    await org.member('comment'),
    await org.member('comment'),
    await org.member('review'),
  ]
  const id = await say(markdown('Which colour?'), asker)
  const [one, two, three] = [await signedIn(app, asker), await signedIn(app, writer), await signedIn(app, reviewer)]
  const at = `${path}/${id}`
  const done = (what: string) => `${path}?done=${what}#said-${id}`

  assert.equal((await two.submit(await two.get(path), `${at}/reply`, { text: 'Red' })).location, done('replied'))
  const reply = (await space.who.get(`${space.path}/comments/${id}/replies`)).body.items[0]
  assert.equal(reply.body.markdown, 'Red')
  assert.match((await mailServer.next(asker.user.email)).text, /Red/)
  // A user who may only comment can neither resolve nor edit somebody else's comment; its author can do both.
  const shown = await two.get(path)
  assert.doesNotMatch(shown.text, /\/resolve"/)
  const { form } = tokenIn(shown)
  for (const verb of ['resolve', 'edit', 'delete'])
    assert.equal((await two.post(`${at}/${verb}`, { form: form, text: 'x', seen: 'x' })).status, 403)
  assert.equal((await two.post(`${at}/resolve`, { form: 'x' })).status, 403)
  assert.equal((await one.submit(await one.get(path), `${at}/edit`, { text: 'Which one?' })).location, done('reworded'))
  assert.equal((await one.submit(await one.get(path), `${at}/resolve`)).location, done('resolved'))
  assert.equal((await now(id)).status, 'resolved')
  assert.match((await three.get(`${path}?done=resolved`)).text, /Comment resolved[^]*class="resolved"[^]*Which one\?/)
  assert.equal((await three.submit(await three.get(path), `${at}/reopen`)).location, done('unresolved'))
  const edited = await two.submit(await two.get(path), `${at}/replies/${reply.id}/edit`, { text: 'Blue' })
  assert.equal(edited.location, done('reworded'))
  await two.submit(await two.get(path), `${at}/replies/${reply.id}/delete`)
  assert.equal((await now(id)).replies, 0)
  const before = await one.get(path)
  await three.submit(await three.get(path), `${at}/delete`)
  // Text for a comment that was deleted is handed back.
  const late = await one.submit(before, `${at}/reply`, { text: 'Too late' })
  assert.equal(late.status, 404)
  assert.match(late.text, /copy it[^]*Too late/)
  // Reloading the address of a form leads to the page, by way of the comment that it is about.
  assert.equal((await one.get(`${at}/reply`)).location, at)
  assert.equal((await one.get(at)).location, path)
})

test('comments on a space are shown in parts, and an action on one leads back to its part', async () => {
  const { org, path, say } = await aSpace()
  for (let at = 1; at <= 60; at++) await say(markdown(`Number ${at}.`))
  const admin = await signedIn(app, org.admin)
  const last = await admin.get(path)
  assert.match(last.text, /Number 60/)
  assert.doesNotMatch(last.text, /Number 1\./)
  const [, earlier] = /href="([^"]+)#comments">Earlier comments/.exec(last.text)!
  const part = await admin.get(earlier!.replaceAll('&amp;', '&'))
  assert.match(part.text, /The last comments/)
  const [, action] = /action="([^"]+\/resolve[^"]*)"/.exec(part.text)!
  const led = await admin.submit(part, action!.replaceAll('&amp;', '&'))
  assert.match(led.location!, /\?done=resolved&page=.+#said-/)
  assert.match((await admin.follow(led)).text, /Comment resolved/)
})

test('a mail about a comment links to it however many came later, and to the last comments if it was deleted', async () => {
  const { space, org, path, say } = await aSpace()
  const asker = await org.member('comment')
  const first = await say(markdown('The very first'), asker)
  for (let at = 1; at <= 60; at++) await say(markdown(`Number ${at}.`))
  const last = await say(markdown('The very last'), asker)
  const reader = await signedIn(app, asker)
  for (const [id, words, isEarlier] of [
    [first, 'The very first', true],
    [last, 'The very last', false],
  ] as const) {
    expect(await space.who.post(`${space.path}/comments/${id}/replies`, markdown(`An answer to ${id}`)), 200)
    const mail = await mailServer.next(asker.user.email)
    assert.ok(mail.text.includes(`An answer to ${id}`), mail.text)
    const address = new URL(/http:\/\/lectern\.test\S+\/~\/comments\S*/.exec(mail.text)![0])
    const led = await reader.get(address.pathname)
    assert.ok(led.location!.endsWith(`#said-${id}`), led.location)
    assert.equal(led.location!.includes('?page='), isEarlier)
    const shown = await reader.follow(led)
    assert.ok(shown.text.includes(`<li id="said-${id}"`))
    assert.ok(shown.text.includes(words) && shown.text.includes(`An answer to ${id}`))
  }
  expect(await space.who.delete(`${space.path}/comments/${first}`), 205)
  for (const gone of [first, 'x']) assert.equal((await reader.get(`${path}/${gone}`)).location, path)
  const stranger = await signedIn(app, await aStranger(app))
  assert.deepEqual(
    [(await stranger.get(`${path}/${last}`)).location, (await stranger.get(`${path}/${first}`)).location],
    [undefined, undefined],
  )
})

test('a refused comment is handed back to its author, and no page shows text that another website posted', async () => {
  const { org, home, path, say } = await aSpace()
  const id = await say(markdown('Hm'))
  const member = await org.member('comment')
  const person = await signedIn(app, member)
  const form = await person.get(path)
  const stranger = await signedIn(app, await aStranger(app))
  const noId = '-'.repeat(36)
  for (const at of [path, `${path}/${id}/reply`]) {
    for (const space of [home, `/app/o/${noId}/s/${noId}`, `/app/o/${org.id}/s/${noId}`]) {
      const address = at.replace(home, space)
      const sent = await stranger.post(
        address,
        { text: 'Call this number', form: 'x' },
        { origin: 'https://evil.example' },
      )
      assert.doesNotMatch(sent.text, /Call this number/, address)
    }
  }
  expect(await org.admin.client.delete(`/v1/orgs/${org.id}/members/${member.id}`), 204)
  const late = await person.submit(form, path, { text: 'My words' })
  assert.equal(late.status, 404)
  assert.match(late.text, /This space no longer exists[^]*My words/)
})

test('a guest on a space can mention only people who have commented there', async () => {
  const { space, org, path, say, now } = await aSpace()
  const [guest, jo, kim] = [await org.member(null), await org.member('read'), await org.member('comment')]
  expect(await space.who.post(`${space.path}/permissions`, { role: 'comment', users: [guest.id] }), 204)
  await say(markdown('Hm'), kim)
  const person = await signedIn(app, guest)
  const said = await person.submit(await person.get(path), path, { text: `@${jo.user.email} @${kim.user.email}` })
  const { body } = await now(/#said-(.+)$/.exec(said.location!)![1]!)
  assert.ok(body.markdown.startsWith(`@${jo.user.email} [`), body.markdown)
  assert.ok(body.markdown.includes(`/users/${kim.id} "mention"`))
})
