// Comments on a change request are read and answered with a browser that runs no script.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import type { TestPerson } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { Person, tokenIn } from '../../account/testing/person.ts'
import { newId } from '../../ids.ts'
import { Mailer } from '../../mail/mailer.ts'
import { startMailServer } from '../../mail/testing/mail-server.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
const mailer = new Mailer(app.app, { everyMs: 20, firstRetrySeconds: 0.02, quietSeconds: 0 })
mailer.start()
after(() => mailer.close())

async function aChange() {
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  expect(await request.edit(newPage('Cups')), 200)
  const path = `/app/o/${space.org.id}/s/${space.id}/~/changes/1`
  const say = async (markdown: string, { client }: TestPerson = space.org.admin) =>
    expect(await client.post(`${request.path}/comments`, { body: { markdown } }), 200).id as string
  const commentNow = async (id: string) => expect(await space.who.get(`${request.path}/comments/${id}`), 200)
  return { space, request, path, say, commentNow }
}

const formsTo = ({ text }: { text: string }, verb: string) =>
  [...text.matchAll(new RegExp(`action="([^"]*/${verb})"`, 'g'))].map(([, action]) => action!)

test('descriptions, comments and replies render as Markdown, and link only to the web', async () => {
  const { space, request, path, say } = await aChange()
  const person = await signedIn(app, space.org.admin)
  expect(await space.who.patch(request.path, { description: 'About **cups**.\n\n- red\n- blue' }), 200)
  const id = await say(
    '# Content\n\nFirst\nsecond [site](https://example.org/x) [script](javascript:alert(1)) [near](page.md)\n\n> # Quoted\n\n`<b>`\n\n```js\nlet cup\n```',
  )
  const reply = { body: { markdown: 'I am _sure_.' } }
  expect(await space.who.post(`${request.path}/comments/${id}/replies`, reply), 200)
  const { text, headers } = await person.get(path)
  assert.match(text, /<p>About <strong>cups<\/strong>\.<\/p>\s*<ul><li>red<\/li><li>blue<\/li><\/ul>/)
  assert.match(text, /<p><strong>Content<\/strong><\/p>/)
  assert.match(text, /<blockquote><p><strong>Quoted<\/strong><\/p><\/blockquote>/)
  assert.match(text, /First\nsecond <a href="https:\/\/example\.org\/x">site<\/a> script near/)
  assert.match(text, /<code>&lt;b&gt;<\/code>/)
  assert.match(text, /<pre><code class="language-js">let cup\n<\/code><\/pre>/)
  assert.match(text, /<p>I am <em>sure<\/em>\.<\/p>/)
  assert.equal(text.match(/id="~content"/g)!.length, 1)
  assert.doesNotMatch(headers.get('content-security-policy')!, /unsafe|https?:/)
})

test('only the last comments are shown, with a link to the earlier ones', async () => {
  const { space, path, say } = await aChange()
  const person = await signedIn(app, space.org.admin)
  for (let at = 1; at <= 51; at++) await say(`Number ${at}.`)
  const numbersIn = ({ text }: { text: string }) => [...text.matchAll(/<p>Number (\d+)\./g)].map(([, at]) => Number(at))
  const leadTo = ({ text }: { text: string }, label: string) =>
    new RegExp(`<a href="([^"#]*)#comments">${label}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&')
  const last = await person.get(path)
  assert.deepEqual(
    numbersIn(last),
    Array.from({ length: 50 }, (_, at) => at + 2),
  )
  const first = await person.get(leadTo(last, 'Earlier comments')!)
  assert.deepEqual([numbersIn(first), leadTo(first, 'Earlier comments')], [[1], undefined])
  assert.deepEqual(numbersIn(await person.get(leadTo(first, 'The last comments')!)), numbersIn(last))

  // An action on an earlier comment leads back to its part.
  const [reply, resolve, remove] = ['reply', 'resolve', 'delete'].map(
    (verb) => new RegExp(`action="([^"]*/${verb}\\?page=[^"]*)"`).exec(first.text)![1]!,
  )
  const refused = await person.submit(first, reply!, { text: `${'x'.repeat(8_001)} <b>` })
  assert.deepEqual([refused.status, numbersIn(refused)], [409, [1]])
  assert.match(refused.text, /<details open>[^]*x &lt;b&gt;<\/textarea>/)
  const resolved = await person.submit(first, resolve!)
  assert.match(resolved.location!, /&page=[^#]+#said-/)
  assert.deepEqual(numbersIn(await person.follow(resolved)), [1])
  const without = await person.follow(await person.submit(first, remove!))
  assert.match(without.text, /Deleted\.[^]*The comments that were here were deleted/)
  assert.deepEqual(numbersIn(await person.get(leadTo(without, 'The last comments')!)), numbersIn(last))
})

test('comments load no external media, and no markup can hide a comment', async () => {
  const { space, path, say } = await aChange()
  const person = await signedIn(app, space.org.admin)
  const foreign = 'https://spy.example/x.png'
  await say(
    `![seen](${foreign}) <img src="${foreign}" srcset="${foreign} 2x" alt="b"> <video src="${foreign}" poster="${foreign}"></video> <picture><source srcset="${foreign}"><img src="${foreign}"></picture> words`,
  )
  await say('{% if visitor.claims.isRich %}\nOnly for the rich.\n{% endif %}')
  await say(`![](${foreign})`)
  const { text } = await person.get(path)
  assert.doesNotMatch(text, /(?:src|srcset|poster|href)="https:\/\/spy\.example/)
  assert.match(text, /alt="seen"/)
  assert.match(text, /<p>\{% if visitor\.claims\.isRich %\}/)
  assert.match(text, /<p>!\[\]\(https:\/\/spy\.example\/x\.png\)<\/p>/)
})

test('very long comments are shown unformatted, but in full', async () => {
  const { space, path, say } = await aChange()
  const person = await signedIn(app, space.org.admin)
  await say(`**long** ${'*'.repeat(30_000)} end`)
  for (let at = 0; at < 14; at++) await say(`**bold${at}** ${'word '.repeat(3_500)}`)
  const { text } = await person.get(path)
  assert.match(text, /<p>\*\*long\*\* \*{30000} end<\/p>/)
  assert.match(text, /<strong>bold0<\/strong>/)
  assert.match(text, /<p>\*\*bold13\*\* word/)
})

test('names within a comment are its own: footnotes of the same name each link to their own text', async () => {
  const { space, path, say } = await aChange()
  const person = await signedIn(app, space.org.admin)
  for (const word of ['one', 'two']) await say(`A ${word}[^1] <b id="x">\n\n[^1]: Note ${word}`)
  const { text } = await person.get(path)
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length, ids.join(' '))
  for (const word of ['one', 'two']) {
    const [, target] = new RegExp(`A ${word}<sup[^>]*><a href="#([^"]+)"`).exec(text)!
    assert.match(text, new RegExp(`id="${target}"[^>]*><p>Note ${word}</p>`))
  }
})

test('with very many replies, the page says how many more there are', async () => {
  const { space, request, path, say } = await aChange()
  const person = await signedIn(app, space.org.admin)
  const id = await say('Which colour?')
  for (let at = 0; at < 52; at++)
    expect(await space.who.post(`${request.path}/comments/${id}/replies`, { body: { markdown: `Reply ${at}` } }), 200)
  assert.match((await person.get(path)).text, /Reply 49<[^]*And 2 more replies/)
})

test('a member who may comment replies on the page, and participants are notified by mail', async () => {
  const { space, request, path, say, commentNow } = await aChange()
  const [writer, other] = [await space.org.member('comment'), await space.org.member('comment')]
  const id = await say('Which colour?', writer)
  const person = await signedIn(app, other)
  const reply = async (text: string) => person.submit(await person.get(path), `${path}/comments/${id}/reply`, { text })
  const answer = await reply('**Red**\r\nis it.')
  assert.equal(answer.location, `${path}?done=replied#said-${id}`)
  assert.match((await person.follow(answer)).text, /Reply posted\.[^]*<p><strong>Red<\/strong>\nis it\.<\/p>/)
  const { items } = expect(await space.who.get(`${request.path}/comments/${id}/replies`), 200)
  assert.deepEqual(
    items.map(({ body, postedBy }: any) => [body.markdown, postedBy.id]),
    [['**Red**\nis it.', other.id]],
  )
  const { text: mail } = await mailServer.next(writer.user.email)
  assert.match(mail, /replied in/)
  assert.ok(mail.includes(path), mail)

  const tooLong = `${'x'.repeat(8_000)}<y`
  for (const [text, reason] of [
    [tooLong, /role="alert">A comment has at most 8000 characters/],
    [' \r\n ', /role="alert">Enter a comment\./],
  ] as const) {
    const refused = await reply(text)
    assert.equal(refused.status, 409)
    assert.match(refused.text, reason)
  }
  assert.match((await reply(tooLong)).text, /<details open>[^]*x&lt;y<\/textarea>/)
  assert.equal((await commentNow(id)).replies, 1)
})

test("a comment's author and reviewers can resolve and reopen it, its author can delete it, other commenters cannot", async () => {
  const { space, path, say, commentNow } = await aChange()
  const [author, other, reviewer] = [
    await space.org.member('comment'),
    await space.org.member('comment'),
    await space.org.member('review'),
  ]
  const id = await say('Which colour?', author)
  const at = `${path}/comments/${id}`
  const stranger = await signedIn(app, other)
  const seen = await stranger.get(path)
  for (const verb of ['resolve', 'delete']) assert.deepEqual(formsTo(seen, verb), [])
  assert.deepEqual(formsTo(seen, 'reply'), [`${at}/reply`])
  const { form } = tokenIn(seen)
  for (const verb of ['resolve', 'reopen', 'delete']) {
    const refused = await stranger.post(`${at}/${verb}`, { form })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /role="alert">You may not (?:resolve or reopen|delete) this comment\./)
  }

  for (const someone of [author, reviewer]) {
    const person = await signedIn(app, someone)
    const resolved = await person.follow(await person.submit(await person.get(path), `${at}/resolve`))
    assert.match(resolved.text, /Comment resolved\./)
    assert.equal((await commentNow(id)).resolvedBy.id, someone.id)
    const opened = await person.follow(await person.submit(resolved, `${at}/reopen`))
    assert.match(opened.text, /Comment reopened\./)
    assert.equal((await commentNow(id)).status, 'open')
  }

  const person = await signedIn(app, author)
  await stranger.submit(seen, `${at}/reply`, { text: 'Red.' })
  const page = await person.get(path)
  assert.match(page.text, /Delete this comment and all replies to it\?/)
  const replies = `${at}/replies`
  assert.deepEqual(formsTo(page, 'delete'), [`${at}/delete`])
  const [ownReply] = formsTo(await stranger.get(path), 'delete')
  assert.ok(ownReply!.startsWith(`${replies}/`))
  assert.equal((await person.post(ownReply!, tokenIn(page))).status, 403)
  assert.equal((await commentNow(id)).replies, 1)
  await stranger.follow(await stranger.submit(await stranger.get(path), ownReply!))
  assert.equal((await commentNow(id)).replies, 0)
  const gone = await person.follow(await person.submit(page, `${at}/delete`))
  assert.match(gone.text, /Deleted\./)
  assert.doesNotMatch(gone.text, /Which colour/)
})

test('only authors can edit their comments on the page, and newer edits are not overwritten', async () => {
  const { space, request, path, say, commentNow } = await aChange()
  const [author, reviewer] = [await space.org.member('comment'), await space.org.member('review')]
  const id = await say('Which colour?', author)
  const { client } = author
  const replies = `${request.path}/comments/${id}/replies`
  const replyId = expect(await client.post(replies, { body: { markdown: 'Red?' } }), 200).id as string
  const [onComment, onReply] = [`${path}/comments/${id}/edit`, `${path}/comments/${id}/replies/${replyId}/edit`]
  const person = await signedIn(app, author)
  const page = await person.get(path)
  assert.deepEqual(formsTo(page, 'edit'), [onReply, onComment])
  assert.match(page.text, /aria-label="Edit your comment"[^]*autocomplete="off"[^]*>\nWhich colour\?<\/textarea>/)
  assert.match(page.text, /<time datetime="[^"]+">\d+ \w+ \d{4}, \d\d:\d\d UTC<\/time>/)
  assert.doesNotMatch(page.text, /edited <time/)

  const saved = await person.submit(page, onComment, { text: 'Which **colour**?\r\nTell me.' })
  assert.equal(saved.location, `${path}?done=reworded#said-${id}`)
  assert.match((await person.follow(saved)).text, /Comment saved\.[^]*edited <time[^]*Which <strong>colour</)
  const { body, editedAt } = await commentNow(id)
  assert.deepEqual([body.markdown, typeof editedAt], ['Which **colour**?\nTell me.', 'string'])
  // The second click of a double click changes nothing, and neither does an unchanged text.
  await person.submit(page, onComment, { text: 'Which **colour**?\r\nTell me.' })
  assert.equal((await commentNow(id)).editedAt, editedAt)
  await person.submit(page, onReply, { text: 'Blue?' })
  assert.equal(expect(await client.get(`${replies}/${replyId}`), 200).body.markdown, 'Blue?')

  const overtaken = await person.submit(page, onComment, { text: 'Older <b>' })
  assert.equal(overtaken.status, 409)
  assert.match(
    overtaken.text,
    /role="alert">Somebody has changed these words since[^]*<details open>[^]*Older &lt;b&gt;</,
  )
  const empty = await person.submit(await person.get(path), onComment, { text: ' ' })
  assert.match(empty.text, /role="alert">Enter a comment\./)

  const other = await signedIn(app, reviewer)
  const seen = await other.get(path)
  assert.deepEqual(formsTo(seen, 'edit'), [])
  for (const action of [onComment, onReply]) {
    const refused = await other.post(action, { ...tokenIn(seen), text: 'Mine' })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /You may not change the words of somebody else[^]*readonly>\nMine<\/textarea>/)
  }
  assert.equal((await commentNow(id)).body.markdown, 'Which **colour**?\nTell me.')
})

test("a comment longer than the page's limit can still be edited, but not made longer", async () => {
  const { space, path, say, commentNow } = await aChange()
  const person = await signedIn(app, space.org.admin)
  const id = await say(`first ${'ä'.repeat(60_000)}`)
  const edit = async (text: string) => person.submit(await person.get(path), `${path}/comments/${id}/edit`, { text })
  await edit(`second ${'ä'.repeat(59_000)}`)
  assert.match((await commentNow(id)).body.markdown, /^second ä/)
  assert.match((await edit('x'.repeat(59_500))).text, /role="alert">A comment has at most 59007 characters/)
})

test('comments of another change request and unknown ids give 404 and change nothing', async () => {
  const { space, path, say } = await aChange()
  const other = await space.changeRequest()
  const elsewhere = expect(await space.who.post(`${other.path}/comments`, { body: { markdown: 'There' } }), 200).id
  await say('Here')
  const person = await signedIn(app, space.org.admin)
  const fields = { ...tokenIn(await person.get(path)), text: 'My words' }
  const replies = (name: string) => [`replies/${name}/delete`, 'replies/x/delete', `replies/${name}/edit`]
  for (const name of [elsewhere, newId(), 'x'])
    for (const verb of ['reply', 'edit', 'resolve', 'reopen', 'delete', ...replies(name)]) {
      const refused = await person.post(`${path}/comments/${name}/${verb}`, fields)
      assert.equal(refused.status, 404, `${name} ${verb}`)
      assert.match(refused.text, /role="alert">There is no such (?:comment|reply)/)
      if (/reply$|edit$/.test(verb)) assert.match(refused.text, /readonly>\nMy words<\/textarea>/)
    }
  const { items } = expect(await space.who.get(`${other.path}/comments`), 200)
  assert.deepEqual(
    items.map(({ status, replies }: any) => [status, replies]),
    [['open', 0]],
  )
})

test('readers, signed-out users and forms of another website cannot reply to, edit, resolve or delete comments', async () => {
  const { space, path, say, commentNow } = await aChange()
  const id = await say('Here')
  const at = `${path}/comments/${id}`
  const reader = await signedIn(app, await space.org.member('read'))
  const page = await reader.get(path)
  assert.doesNotMatch(page.text, /\/comments\/[^"]*"/)
  const admin = await signedIn(app, space.org.admin)
  const { form } = tokenIn(await admin.get(path))
  for (const verb of ['reply', 'edit', 'resolve', 'delete']) {
    assert.equal((await reader.post(`${at}/${verb}`, { form, text: 'x' })).status, 403)
    const foreign = await admin.post(`${at}/${verb}`, { form, text: 'x' }, { origin: 'https://evil.example' })
    assert.equal(foreign.status, 403)
    assert.equal((await admin.post(`${at}/${verb}`, { text: 'x' })).status, 403)
    const out = await new Person(app).post(`${at}/${verb}`, { form, text: 'My words' })
    if (verb === 'reply' || verb === 'edit')
      assert.match(out.text, /no longer signed in[^]*readonly>\nMy words<\/textarea>/)
    else assert.match(out.location!, /^\/login/)
  }
  const comment = await commentNow(id)
  assert.deepEqual([comment.status, comment.replies], ['open', 0])
})
