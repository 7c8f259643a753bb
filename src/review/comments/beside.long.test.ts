// What people write about a page of a change request, or a line of it, with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

const rewrite = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } })

async function aChange() {
  const space = await aLiveSpace(app)
  const [tea] = idsOf(await space.edit({ ...newPage('Tea'), document: { markdown: '# Tea\n\nWarm water.\n' } })) as [
    string,
  ]
  const request = await space.changeRequest()
  const text = '# Tea\n\nHot water.\n\n```js\nlet cup = 1\npour(cup)\n```\n'
  expect(await request.edit(rewrite(tea, text)), 200)
  const [cups] = idsOf(await request.edit(newPage('Cups'))) as [string]
  const path = `/app/o/${space.org.id}/s/${space.id}/~/changes/1`
  const comments = async () => expect(await space.who.get(`${request.path}/comments?order=asc`), 200).items as any[]
  return { space, request, path, tea, cups, comments }
}

/** Returns what is shown with the change of a page. */
function besideIn({ text }: Page, title: string): string {
  const articles = [...text.matchAll(/<article[^]*?<\/article>/g)].map(([article]) => article)
  return articles.findLast((article) => article.includes(`<strong>${title}</strong>`))!
}

const lineIn = (beside: string, words: string) =>
  [...beside.matchAll(/<option value="([^"]+)"/g)].map(([, name]) => name!).find((name) => name.includes(words))

const decoded = (value: string) =>
  value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

test("a member who may comment comments on a page, and the comment is shown once, beside that page's changes", async () => {
  const { space, path, tea, comments } = await aChange()
  const person = await signedIn(app, await space.org.member('comment'))
  const page = await person.get(path)
  const said = await person.submit(page, `${path}/comments`, { page: tea, line: '', text: 'Is it **hot**?' })
  const [comment] = await comments()
  assert.equal(said.location, `${path}?done=said#said-${comment.id}`)
  assert.deepEqual(
    [comment.target.page.id, comment.target.node, comment.body.markdown],
    [tea, undefined, 'Is it **hot**?'],
  )
  const shown = await person.follow(said)
  assert.match(besideIn(shown, 'Tea'), /<li id="said-[^]*Is it <strong>hot<\/strong>/)
  assert.doesNotMatch(besideIn(shown, 'Cups'), /hot/)
  assert.equal(shown.text.match(/Is it <strong>hot/g)!.length, 1)
  assert.match(shown.text, new RegExp(`aria-label="Comments"[^]*href="#said-${comment.id}">on Tea, beside its changes`))

  const reader = await (await signedIn(app, await space.org.member('read'))).get(path)
  assert.match(besideIn(reader, 'Tea'), /Is it <strong>hot/)
  assert.doesNotMatch(reader.text, /Comment on this page/)
})

test('a comment on a line quotes it and targets its block; a comment on a removed line only quotes it', async () => {
  const { space, path, tea, comments } = await aChange()
  const person = await signedIn(app, await space.org.member('comment'))
  const page = await person.get(path)
  const beside = besideIn(page, 'Tea')
  for (const words of ['Hot water.', 'pour(cup)', 'Warm water.'])
    await person.submit(page, `${path}/comments`, { page: tea, line: lineIn(beside, words)!, text: `Why ${words}` })
  const [hot, pour, warm] = await comments()
  assert.deepEqual([hot.body.markdown, hot.target.node.preview], ['> `Hot water.`\n\nWhy Hot water.', 'Hot water.'])
  assert.match(pour.target.node.preview, /^let cup = 1 pour\(cup\)/)
  assert.deepEqual([warm.body.markdown, warm.target.page.id], ['> `Warm water.`\n\nWhy Warm water.', tea])
  assert.equal(warm.target.node, undefined)
  assert.match(besideIn(await person.get(path), 'Tea'), /<blockquote><p><code>pour\(cup\)<\/code>/)
})

test('a line is quoted and found whatever characters it contains', async () => {
  const { space, request, path, tea, comments } = await aChange()
  const lines = ['Hot\u2028water', '{% hint style="info" %} `a` <b>', 'שלום `x`']
  expect(await request.edit(rewrite(tea, `# Tea\n\n${lines.join('\n\n')}\n`)), 200)
  const person = await signedIn(app, space.org.admin)
  const page = await person.get(path)
  const named = [...besideIn(page, 'Tea').matchAll(/<option value="(\+[^"]+)"/g)].map(([, name]) => decoded(name!))
  for (const line of named) await person.submit(page, `${path}/comments`, { page: tea, line, text: 'Why?' })
  const said = await comments()
  assert.deepEqual(
    said.map(({ body }) => /^> `+ ?(.+?) ?`+\n\nWhy\?$/s.exec(body.markdown)?.[1]),
    lines,
  )
  assert.ok(said.every(({ target }) => target.node !== undefined))
})

test('a comment finds its line where it was moved meanwhile, and stays when the line is gone', async () => {
  const { space, request, path, tea, comments } = await aChange()
  const person = await signedIn(app, space.org.admin)
  const page = await person.get(path)
  const line = lineIn(besideIn(page, 'Tea'), 'Hot water.')!
  expect(await request.edit(rewrite(tea, '# Tea\n\nMore.\n\nHot water.\n')), 200)
  await person.submit(page, `${path}/comments`, { page: tea, line, text: 'First' })
  expect(await request.edit(rewrite(tea, '# Tea\n\nMore.\n')), 200)
  await person.submit(page, `${path}/comments`, { page: tea, line, text: 'Second' })
  const [first, second] = await comments()
  assert.deepEqual([first.target.node.preview, second.target.node], ['Hot water.', undefined])
  assert.match(besideIn(await person.get(path), 'Tea'), /Hot water\.[^]*First[^]*Hot water\.[^]*Second/)
})

test('a comment says that its line has changed since, until the line reads as before', async () => {
  const { space, request, path, tea } = await aChange()
  const person = await signedIn(app, space.org.admin)
  const page = await person.get(path)
  for (const words of ['Hot water.', 'Warm water.', 'let cup = 1'])
    await person.submit(page, `${path}/comments`, {
      page: tea,
      line: lineIn(besideIn(page, 'Tea'), words)!,
      text: `On ${words}`,
    })
  const changed = async () =>
    [...(await person.get(path)).text.matchAll(/this line has changed since[^]*?<p>On ([^<]+)</g)].map(([, on]) => on)
  assert.deepEqual(await changed(), [])
  // A change elsewhere on the page does not count as a change of the line.
  expect(await request.edit(rewrite(tea, '# Tea\n\nHot water.\n\nMore.\n\n```js\nlet cup = 1\n```\n')), 200)
  assert.deepEqual(await changed(), [])
  expect(await request.edit(rewrite(tea, '# Tea\n\nHotter water.\n\n```js\nlet cup = 1\n```\n')), 200)
  assert.deepEqual(await changed(), ['Hot water.'])
  expect(await request.edit(rewrite(tea, '# Tea\n\nHot water.\n')), 200)
  assert.deepEqual(await changed(), ['let cup = 1'])
})

test('a comment on a block through the API shows beside the page which part it is about', async () => {
  const { space, request, path, tea } = await aChange()
  const { document } = expect(await space.who.get(`${request.path}/content/page/${tea}?format=document`), 200)
  const node = document.nodes.find(({ type }: { type: string }) => type === 'paragraph').key
  expect(await space.who.post(`${request.path}/comments`, { page: tea, node, body: { markdown: 'Hm' } }), 200)
  const person = await signedIn(app, space.org.admin)
  assert.match(besideIn(await person.get(path), 'Tea'), /<p class="review-part">Hot water\.<\/p>[^]*<p>Hm<\/p>/)
})

test('comments on a moved and edited page are shown once; a deleted page keeps its comments and offers no new one', async () => {
  const { space, request, path, tea, cups } = await aChange()
  const [pot] = idsOf(await space.edit(newPage('Pot'))) as [string]
  expect(await space.who.post(`${request.path}/update`), 200)
  const say = (page: string, markdown: string) =>
    space.who.post(`${request.path}/comments`, { page, body: { markdown } })
  expect(await say(tea, 'About tea'), 200)
  expect(await say(pot, 'About the pot'), 200)
  const moves = [
    { operation: 'update_page', page: tea, into: cups },
    { operation: 'delete_page', page: pot },
  ]
  expect(await request.edit(...moves), 200)
  const person = await signedIn(app, space.org.admin)
  const page = await person.get(path)
  assert.match(page.text, /Moved page[^]*Edited page/)
  assert.equal(page.text.match(/<p>About tea/g)!.length, 1)
  assert.match(besideIn(page, 'Tea'), /Edited page[^]*<p>About tea/)
  assert.match(besideIn(page, 'Pot'), /Deleted page[^]*<p>About the pot/)
  assert.doesNotMatch(besideIn(page, 'Pot'), /Comment on this page/)
})

test('an action beside a page of a later part leads back to that part', async () => {
  const { space, request, path } = await aChange()
  const more = Array.from({ length: 30 }, (_, at) => newPage(`Page ${at}`))
  expect(await request.edit(...more), 200)
  const person = await signedIn(app, space.org.admin)
  const later = await person.get(`${path}?from=25`)
  const [, page] = /name="page" value="([^"]+)"/.exec(later.text)!
  const said = await person.submit(later, `${path}/comments?from=25`, { page: page!, text: 'Here' })
  assert.match(said.location!, /\?done=said&from=25#said-/)
  const shown = await person.follow(said)
  const [, resolve] = /action="([^"]+\/resolve\?from=25)"/.exec(shown.text)!
  assert.match((await person.submit(shown, resolve!)).location!, /\?done=resolved&from=25#said-/)
  const refused = await person.submit(later, `${path}/comments?from=25`, { page: page!, text: ' ' })
  assert.match(refused.text, /role="alert">Enter a comment\.[^]*Showing 26 to/)
})

test('at most a hundred comments are shown beside pages, open ones first, and the rest in the list of comments', async () => {
  const { space, request, path, tea, cups } = await aChange()
  const more = idsOf(await request.edit(...Array.from({ length: 4 }, (_, at) => newPage(`Page ${at}`))))
  for (const page of [tea, cups, ...more])
    expect(await space.who.post(`${request.path}/comments`, { page, body: { markdown: 'Hm' } }), 200)
  const here = sql`c.organization_id = ${space.org.id}`
  await app.db.run(sql`
    insert into comments (organization_id, id, space_id, change_request_id, author_id, revision_id, page_id, page, markdown,
      posted_at, resolved_at, resolved_by)
    select c.organization_id, gen_random_uuid(), c.space_id, c.change_request_id, c.author_id, c.revision_id, c.page_id,
      c.page, 'Hm', c.posted_at - make_interval(secs => n), case when n < 20 then now() end,
      case when n < 20 then c.author_id end
    from comments c, generate_series(1, 38) n where ${here}`)
  const person = await signedIn(app, space.org.admin)
  const found = new Set<string>()
  const first = await person.get(path)
  const besides = [...first.text.matchAll(/<article[^]*?<\/article>/g)].join('')
  const beside = [...besides.matchAll(/<li id="said-([^"]+)"/g)].map(([, id]) => id!)
  assert.equal(beside.length, 100)
  const open = await app.db.all(sql<{ id: string }>`select c.id from comments c where ${here} and c.resolved_at is null
    order by c.posted_at desc, c.id desc limit 100`)
  assert.deepEqual(new Set(beside), new Set(open.map(({ id }) => id)))
  for (let page: Page | undefined = first; page;) {
    for (const [, id] of page.text.matchAll(/<li id="said-([^"]+)"/g)) found.add(id!)
    const earlier: string | undefined = /href="([^"]+)#comments">Earlier comments/.exec(page.text)?.[1]
    page = earlier === undefined ? undefined : await person.get(earlier.replaceAll('&amp;', '&'))
  }
  assert.equal(found.size, 6 * 39)
})

test('a refused comment beside a page adds nothing, and the typed text is kept', async () => {
  const { space, request, path, tea, comments } = await aChange()
  const person = await signedIn(app, await space.org.member('comment'))
  const page = await person.get(path)
  const line = lineIn(besideIn(page, 'Tea'), 'Hot water.')!
  const tooLong = await person.submit(page, `${path}/comments`, { page: tea, line, text: `${'x'.repeat(8_000)} <b>` })
  assert.equal(tooLong.status, 409)
  assert.match(besideIn(tooLong, 'Tea'), /<details open>[^]*selected>[^]*Hot water[^]*x &lt;b&gt;<\/textarea>/)
  for (const gone of [newId(), 'x', '']) {
    const refused = await person.submit(page, `${path}/comments`, { page: gone, line, text: 'My words' })
    assert.equal(refused.status, 400, gone)
    assert.match(refused.text, /role="alert">This page no longer exists\.[^]*readonly>\nMy words<\/textarea>/)
  }
  const { form } = tokenIn(page)
  const reader = await signedIn(app, await space.org.member('read'))
  const own = tokenIn(await reader.get('/account'))
  const fields = { page: tea, text: 'My words' }
  assert.equal((await reader.post(`${path}/comments`, { ...fields, ...own })).status, 403)
  const foreign = await person.post(`${path}/comments`, { ...fields, form }, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
  const out = await new Person(app).post(`${path}/comments`, { ...fields, form })
  assert.match(out.text, /no longer signed in[^]*readonly>\nMy words<\/textarea>/)
  expect(await space.who.post(`${request.path}/merge`), 200)
  const late = await person.submit(page, `${path}/comments`, fields)
  assert.equal(late.status, 409)
  assert.match(late.text, /readonly>\nMy words<\/textarea>/)
  assert.deepEqual(await comments(), [])
})
