// A user writes with nothing but a browser: from the spaces of an organization to an open change request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { pathWith } from '../../account/answer.ts'
import { Person, tokenIn } from '../../account/testing/person.ts'
import { limits } from '../../content/limits.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { anAuthor, begin, spaceOf, textIn } from './testing/author.ts'

const app = await startApp()

test('a pasted NUL character costs no text and becomes a replacement character', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1/pages/${page}`
  const saved = await author.submit(await author.get(path), path, { text: '# Teapots\n\nWarm\0 ones\n' })
  assert.match((await author.follow(saved)).text, /Saved in this change request/)
  assert.equal(textIn(await author.get(path)), '# Teapots\n\nWarm\ufffd ones\n')
})

test("deleting a setting's line removes the setting, and a mistyped line does not", async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1/pages/${page}`
  const save = async (text: string) => author.follow(await author.submit(await author.get(path), path, { text }))
  const source = textIn(await author.get(path))
  const settings =
    'hidden: true\nicon: leaf\nlayout:\n  outline:\n    visible: false\nvars:\n  cups: 2\ncover: https://example.org/a.png\n'
  await save(source.replace('---\n', `---\n${settings}`))
  const api = `${site.space.path}/change-requests/1/content/page/${page}`
  const shown = async () => {
    const { hidden = false, icon, description, layout, cover } = expect(await site.who.get(api), 200)
    return [hidden, icon, description, layout.outline, cover?.ref.url]
  }
  const all = [true, 'leaf', 'For tea', false, 'https://example.org/a.png']
  assert.deepEqual(await shown(), all)
  await save(textIn(await author.get(path)).replace('hidden: true', 'hidden: ['))
  assert.deepEqual(await shown(), all)
  await save(source)
  assert.deepEqual(await shown(), [false, undefined, 'For tea', true, undefined])
  assert.equal(textIn(await author.get(path)), source)
  await save(source.replace(/^---[^]*?---\n\n/, ''))
  assert.deepEqual(await shown(), [false, undefined, undefined, true, undefined])
})

test('an author finds a space, begins a change request, edits and adds pages, and opens it for review', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  const account = await author.get('/account')
  assert.ok(account.text.includes(`href="/app/o/${site.org.id}"`))
  assert.ok((await author.get(`/app/o/${site.org.id}`)).text.includes(`href="${spaceOf(site)}"`))
  const begun = await begin(started)
  assert.match(begun.text, /<h1>Warm teapots<\/h1>[^]*No changes yet/)
  const path = `${spaceOf(site)}/~/changes/1`
  assert.ok((await author.get(spaceOf(site))).text.includes(`href="${path}"`))

  const editing = await author.get(`${path}/pages/${page}`)
  const source = textIn(editing)
  // With line ends as a browser sends them.
  const unchanged = source.replaceAll('\n', '\r\n')
  const same = await author.follow(await author.submit(editing, `${path}/pages/${page}`, { text: unchanged }))
  assert.match(same.text, /No changes yet/)
  const text = `${unchanged}\r\nWarm it first.\r\n`
  const saved = await author.follow(await author.submit(editing, `${path}/pages/${page}`, { text }))
  assert.match(saved.text, /Saved in this change request\./)
  assert.match(saved.text, /<tr class="added">[^]*?<code>Warm it first\.<\/code>/)
  assert.equal(saved.text.match(/<tr class="removed">/g), null)
  const { markdown } = expect(
    await site.who.get(`${site.space.path}/change-requests/1/content/page/${page}?format=markdown`),
    200,
  )
  assert.equal(markdown, `${source}\nWarm it first.\n`)

  assert.ok(saved.text.includes(`href="${path}/pages/new"`))
  const adding = await author.get(`${path}/pages/new`)
  const fresh = await author.follow(await author.submit(adding, `${path}/pages`, { title: 'Cups' }))
  const made = /action="([^"]*\/pages\/[^"]+)"/.exec(fresh.text)![1]!
  await author.submit(fresh, made, { text: '# Cups & saucers\r\n\r\nOf china.\r\n' })
  const whole = await author.get(path)
  assert.match(whole.text, /New page<\/span>\s*<strong>Cups &amp; saucers<\/strong>/)
  assert.ok(whole.text.includes(`href="${made}"`))

  assert.match((await author.follow(await author.submit(whole, `${path}/open`))).text, /Ready for review\./)
  assert.equal(expect(await site.who.get(`${site.space.path}/change-requests/1`), 200).status, 'open')
})

test('a text that is sent once its change request is merged is handed back', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1/pages/${page}`
  const open = await author.get(path)
  expect(await site.who.post(`${site.space.path}/change-requests/1/merge`), 200)
  const merged = await author.submit(open, path, { text: 'My <i> words' })
  assert.equal(merged.status, 409)
  assert.match(merged.text, /<h1>This change request is merged<\/h1>[^]*readonly>\nMy &lt;i&gt; words<\/textarea>/)
  // The link to the space opens in a new tab, so that the page with the text stays open.
  assert.match(merged.text, new RegExp(`href="${spaceOf(site)}"\\s+target="_blank"`))
  assert.doesNotMatch((await author.get(`${spaceOf(site)}/~/changes/1`)).text, />Edit<|<form method="post"/)
})

test('a text can be previewed before saving, as members will read it, kept in its field and stored nowhere', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  const secret = await aLiveSpace(app, site.org)
  const [hidden] = idsOf(await secret.edit(written('# Hidden\n\nNot for everybody.\n')))
  expect(await secret.who.patch(secret.path, { defaultLevel: null }), 200)
  await begin(started)
  const api = `${site.space.path}/change-requests/1`
  const piece = { operation: 'insert_reusable_content', title: 'Piece', document: { markdown: 'Said *twice*.\n' } }
  const variable = { operation: 'update_variables', variables: { cups: '12' } }
  const made = await site.who.post(`${api}/content?compat=false`, { changes: [piece, newPage('Fresh'), variable] })
  const [reusable] = idsOf(made)
  const before = expect(await site.who.get(api), 200).revision
  const path = `${spaceOf(site)}/~/changes/1/pages/${page}`
  const text = [
    '---\ndescription: Warm & round\n---\n\n# Pots & pans',
    `For {{ space.vars.cups }} cups, see [Hello](welcome.md), [new](fresh.md). <script>alert(1)</script>`,
    '{% if visitor.claims.x %}\nFor some.\n{% endif %}',
    `{% include "/reusable-contents/${reusable}" %}`,
    `{% include "/pages/${hidden}" %}\n\n[There](/spaces/${secret.id}/pages/${hidden})`,
    '![spy](https://spy.example/x.png)\n',
  ].join('\n\n')
  const editing = await author.get(path)
  assert.match(editing.text, new RegExp(`<button class="btn" formaction="${path}/preview#~preview">Preview</button>`))
  const shown = await author.submit(editing, path, { text }, {}, `${path}/preview`)
  assert.equal(shown.status, 200)
  assert.equal(textIn(shown), text)
  const drawn = /<section aria-label="Preview"[^]*<\/section>/.exec(shown.text)![0]
  assert.match(drawn, /<h2>Pots &amp; pans<\/h2>\s*<p class="work-lead">Warm &amp; round<\/p>/)
  const base = `http://lectern.test${spaceOf(site)}/~/changes/1`
  assert.ok(
    drawn.includes(`For 12 cups, see <a href="${base}/welcome">Hello</a>, <a href="${base}/fresh">new</a>.`),
    drawn,
  )
  assert.match((await author.get(new URL(`${base}/fresh`).pathname)).text, /<h1>Fresh<\/h1>/)
  assert.match(drawn, /Only where visitor\.claims\.x<[^]*<p>For some\.<\/p>[^]*<p>Said <em>twice<\/em>\.<\/p>/)
  assert.doesNotMatch(drawn, /<script|="https:\/\/spy\.example|Not for everybody|Hidden/)
  assert.equal(expect(await site.who.get(api), 200).revision, before)
  assert.equal((await author.get(`${path}/preview`)).location, path)
  const foreign = await author.post(`${path}/preview`, { form: 'x.x', text })
  assert.deepEqual([foreign.status, foreign.text.includes('work-lead')], [403, false])

  const long = `${'x'.repeat(limits.sourceBytes)}xyz`
  const refused = await author.submit(shown, path, { text: long }, {}, `${path}/preview`)
  assert.deepEqual([refused.status, textIn(refused) === long], [400, true])
  assert.match(refused.text, /role="alert">A text has at most 1024 KB\./)

  const asked = await author.submit(shown, path, { text, next: 'ask' })
  assert.deepEqual([asked.status, textIn(asked)], [200, text])
  assert.equal(expect(await site.who.get(api), 200).revision, before)

  // Saving from the preview saves the previewed text. The title stays if the next text has none.
  let after = shown
  for (const each of [text, 'Words alone']) {
    const saved = await author.submit(after, path, { text: each, next: 'stay' })
    after = await author.follow(saved)
    assert.equal(saved.location, pathWith(path, { done: 'saved', seen: seenIn(after) }))
    assert.match(after.text, /role="status">Saved in the change request/)
    assert.ok(textIn(after).endsWith(each))
  }
})

const seenIn = ({ text }: { text: string }) => /name="seen" value="([^"]+)"/.exec(text)![1]!

const written = (markdown: string) => ({ operation: 'insert_page', document: { markdown } })

test('merged and archived change requests leave the list of open ones and appear in the closed list', async () => {
  const started = await anAuthor(app)
  const { site, author } = started
  const [archived, merged] = ['Cold teapots', 'Warm teapots'] as const
  await begin(started, archived)
  await begin(started, merged)
  await begin(started, 'Teacups')
  const changes = `${spaceOf(site)}/~/changes`
  await author.submit(await author.get(`${changes}/1`), `${changes}/1/archive`)
  expect(await site.who.post(`${site.space.path}/change-requests/2/merge`), 200)

  const space = await author.get(spaceOf(site))
  assert.deepEqual(subjectsIn(space), ['Teacups'])
  assert.ok(space.text.includes(`href="${spaceOf(site)}/~/closed"`))
  const closed = await author.get(`${spaceOf(site)}/~/closed`)
  assert.deepEqual(subjectsIn(closed), [merged, archived])
  assert.match(closed.text, />merged<[^]*>archived</)
  const nothing = (await author.get('/app/x')).text
  assert.equal((await (await signedIn(app, await aStranger(app))).get(`${spaceOf(site)}/~/closed`)).text, nothing)
})

test('once there are many pages, one is found by words of its title, in a space and in a change request', async () => {
  const started = await anAuthor(app)
  const { site, author } = started
  const path = `${spaceOf(site)}/~/changes/1`
  assert.doesNotMatch((await author.get(spaceOf(site))).text, /name="find"/)
  const more = Array.from({ length: 20 }, (_, at) => newPage(`Cup <${at}> of Tea`))
  expect(await site.space.edit(...more), 200)
  await begin(started)
  for (const [where, all] of [
    [spaceOf(site), 22],
    [path, 22],
  ] as const) {
    assert.match((await author.get(where)).text, /name="find"/)
    const found = await author.get(`${where}?find=${encodeURIComponent('tea CUP <7>')}`)
    assert.deepEqual(titlesIn(found), ['Cup &lt;7&gt; of Tea'])
    assert.match(found.text, new RegExp(`value="tea CUP &lt;7&gt;"[^]*>All ${all} pages</a>`))
    const none = await author.get(`${where}?find=coffee`)
    assert.deepEqual([titlesIn(none), none.text.includes('No title contains these words.')], [[], true])
  }
})

const titlesIn = ({ text }: { text: string }) =>
  [...text.matchAll(/class="review-title"\s*><a href="[^"]*">([^<]+)/g)].map(([, title]) => title)

const subjectsIn = ({ text }: { text: string }) =>
  [...text.matchAll(/\/~\/changes\/\d+"\s*><strong>([^<]+)/g)].map(([, subject]) => subject)

test('a text is handed back to its author if the page, the role or the change request is gone meanwhile', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  const request = `${site.space.path}/change-requests/1`
  const path = `${spaceOf(site)}/~/changes/1`
  await begin(started)
  const editing = await author.get(`${path}/pages/${page}`)
  const review = await author.get(path)
  const isBack = ({ text }: { text: string }) => />\n?My &lt;b&gt; words<\/textarea>/.test(text)
  const save = async () => author.submit(editing, `${path}/pages/${page}`, { text: 'My <b> words' })

  expect(await site.who.post(`${request}/content`, { changes: [{ operation: 'delete_page', page }] }), 200)
  const deleted = await save()
  assert.deepEqual([deleted.status, isBack(deleted)], [404, true])
  assert.match(deleted.text, /role="alert">This page has been deleted\. Your text was not saved/)

  const { items } = expect(await site.who.get(`/v1/orgs/${site.org.id}/members`), 200)
  const member = items.find(({ role }: { role: string }) => role === 'edit').id as string
  const as = async (role: string | null) => {
    expect(await site.org.admin.client.patch(`/v1/orgs/${site.org.id}/members/${member}`, { role }), 200)
  }
  await as('read')
  const reader = await save()
  assert.deepEqual([reader.status, isBack(reader)], [403, true])

  // A change request that the user may no longer see is answered as missing, but they get their text back.
  await as(null)
  const forms = { about: { subject: 'My <b> words' }, review: { comment: 'My <b> words', status: 'said' } }
  const stranger = await signedIn(app, await aStranger(app))
  const gone = [
    await save(),
    await author.submit(review, `${path}/about`, forms.about),
    await author.submit(review, `${path}/review`, forms.review),
  ]
  for (const each of gone) {
    assert.deepEqual([each.status, isBack(each)], [404, true])
    assert.match(each.text, /no longer exists, or you cannot see it/)
  }
  // A user who never had access gets the same answer whether or not the change request exists, and the answer repeats
  // no text that was not sent by one of our forms.
  const { form } = tokenIn(await stranger.get('/account'))
  const others = ['1', '2'].map((number) => path.replace(/1$/, number))
  const [there, nowhere] = await Promise.all(
    others.map(async (each) => stranger.post(`${each}/review`, { form, ...forms.review })),
  )
  assert.deepEqual([there!.status, there!.text], [nowhere!.status, nowhere!.text])
  assert.ok(!isBack(await author.post(`${path}/review`, { form, ...forms.review }, { origin: 'https://evil.example' })))
})

test('people without write access cannot write, and outsiders cannot tell what exists', async () => {
  const started = await anAuthor(app)
  const { site, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1`
  const reader = await signedIn(app, await site.org.member('comment'))
  for (const each of [spaceOf(site), path]) {
    const { status, text } = await reader.get(each)
    assert.equal(status, 200)
    assert.doesNotMatch(text, />Edit<|\/changes"|\/pages"|\/open"/)
  }
  const asking = ['new', page, `${page}/place`, `${page}/delete`, `${page}/preview`].map(
    (each) => `${path}/pages/${each}`,
  )
  for (const each of asking) assert.equal((await reader.get(each)).status, 403)
  const own = await reader.get(path)
  const actions = ['changes', 'edits'].map((each) => `${spaceOf(site)}/~/${each}`)
  for (const action of [...actions, `${path}/pages`, `${path}/open`, ...asking.slice(1)]) {
    const { form } = tokenIn(own)
    const refused = await reader.post(action, { form, subject: 'x', title: 'x', text: 'x', seen: '' })
    assert.equal(refused.status, 403, action)
    assert.equal((await reader.post(action, { form: 'x.x' })).status, 403, action)
  }
  assert.equal(expect(await site.who.get(`${site.space.path}/change-requests?status=draft`), 200).count, 1)

  const nobody = new Person(app)
  const stranger = await signedIn(app, await aStranger(app))
  const nothing = (await nobody.get('/app/x')).text
  for (const each of [`/app/o/${site.org.id}`, spaceOf(site), ...asking]) {
    assert.equal((await nobody.get(each)).location, pathWith('/login', { next: each }))
    assert.deepEqual([(await stranger.get(each)).status, (await stranger.get(each)).text], [404, nothing], each)
  }
  assert.equal((await started.author.get(`${path}/pages/${site.space.id}`)).status, 404)
})

test('an author signed out while writing gets the text back, and a form of another website shows none', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1/pages/${page}`
  const editing = await author.get(path)
  const text = 'My </textarea><b> words\r\n'
  const back = (shown: string) => shown.includes('readonly>\nMy &lt;/textarea&gt;&lt;b&gt; words\r\n</textarea>')

  author.cookies.clear()
  const signedOut = await author.submit(editing, path, { text })
  assert.deepEqual([signedOut.status, back(signedOut.text)], [403, true])
  assert.match(signedOut.text, /no longer signed in/)
  const way = `href="${pathWith('/login', { next: path })}" target="_blank"`
  assert.ok(signedOut.text.replace(/\s+/g, ' ').includes(way))

  // Signed in again in another tab: the form belongs to the session that has ended.
  const other = await signedIn(app, await site.org.member('edit'))
  const anew = await other.submit(editing, path, { text })
  assert.deepEqual([anew.status, back(anew.text)], [403, true])
  assert.match(anew.text, /signed in again since/)
  const { markdown } = expect(
    await site.who.get(`${site.space.path}/change-requests/1/content/page/${page}?format=markdown`),
    200,
  )
  assert.doesNotMatch(markdown, /My/)

  for (const [name, value] of [
    ['origin', 'https://evil.example'],
    ['sec-fetch-site', 'cross-site'],
  ] as const) {
    const foreign = { [name]: value }
    const shown = await new Person(app).submit(editing, path, { text }, foreign)
    assert.deepEqual([shown.status, shown.text], [303, ''])
    assert.ok(!(await other.submit(editing, path, { text }, foreign)).text.includes('My'))
  }
  const large = await new Person(app).submit(editing, path, { text: 'x'.repeat(256 * 1024) })
  assert.deepEqual([large.status, large.text], [303, ''])
})

test('saving an unchanged text changes nothing, and an edit keeps the line ends of the other lines', async () => {
  const started = await anAuthor(app)
  const { site, author } = started
  await begin(started)
  const api = `${site.space.path}/change-requests/1`
  const revision = async () => expect(await site.who.get(api), 200).revision
  const save = async (path: string, rewrite = (text: string) => text) => {
    const editing = await author.get(path)
    const text = rewrite(textIn(editing).replace(/\r\n?|\n/g, '\n'))
    return author.submit(editing, path, { text: text.replaceAll('\n', '\r\n') })
  }
  for (const { title, markdown } of [
    { title: 'Title beside its text', markdown: '\n\nA  \n' },
    { title: 'Windows', markdown: 'A\r\nB\r\n' },
    { title: undefined, markdown: '# Mixed\n\nA\r\nB\nC\r\nD\rE\n' },
  ]) {
    const inserted = { operation: 'insert_page', document: { markdown }, ...(title && { metadata: { title } }) }
    expect(await site.who.post(`${api}/content`, { changes: [inserted] }), 200)
    const pages = expect(await site.who.get(`${api}/content/pages`), 200).pages as { id: string }[]
    const { id } = pages.at(-1)!
    const path = `${spaceOf(site)}/~/changes/1/pages/${id}`
    const textNow = async () =>
      expect(await site.who.get(`${api}/content/page/${id}?format=markdown`), 200).markdown as string
    const [state, text] = [await revision(), await textNow()]
    assert.equal((await save(path)).status, 303)
    assert.deepEqual([await revision(), await textNow()], [state, text], markdown)

    assert.equal((await save(path, (lines) => lines.replace(/^A/m, 'New'))).status, 303)
    assert.equal(await textNow(), text.replace(/^A(?= *\r?\n)/m, 'New'))
  }
})

test('a long page in non-ASCII letters can be saved', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1`
  const text = `# Чай\r\n\r\n${'я'.repeat(500_000)}\r\n`
  const saved = await author.submit(await author.get(`${path}/pages/${page}`), `${path}/pages/${page}`, { text })
  assert.equal(saved.status, 303)
})

test('a new page needs a title of the length its field allows, and a refusal says so', async () => {
  const started = await anAuthor(app)
  const { site, author } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1`
  for (const title of ['', 'x'.repeat(101)]) {
    const refused = await author.submit(await author.get(`${path}/pages/new`), `${path}/pages`, { title })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /role="alert">A page needs a title/)
    assert.ok(refused.text.includes(`name="title" value="${title}"`))
  }
})

test('a form with too many fields is refused, and a large one is read only for signed-in users', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1/pages/${page}`
  const send = async (body: string, { cookies } = author) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
    return fetch(app.url + path, { method: 'POST', headers, body, redirect: 'manual' })
  }
  const crowded = await send('&a=b'.repeat(1000))
  assert.equal(crowded.status, 400)
  assert.match(await crowded.text(), /at most 100 fields/)
  // A body that is not read is not found invalid either.
  assert.equal((await send('&a=b'.repeat(100_000), new Person(app))).status, 303)
  assert.equal((await send('&a=b'.repeat(100_000))).status, 400)
})

test('an Idempotency-Key on a browser form is ignored', async () => {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1`
  const key = { 'idempotency-key': 'k' }
  const adding = await author.get(`${path}/pages/new`)
  assert.equal((await author.submit(adding, `${path}/pages`, { title: 'Cups' }, key)).status, 303)
  for (const text of ['One', 'Two']) {
    const editing = await author.get(`${path}/pages/${page}`)
    assert.equal((await author.submit(editing, `${path}/pages/${page}`, { text }, key)).status, 303)
  }
})
