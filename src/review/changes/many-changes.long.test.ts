// The changes of a change request, for a user who has to read them: when there are many, and when they are not text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { idsOf, newPage } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

async function aScene() {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const { space, who } = site
  const add = async (...changes: object[]) => idsOf(await who.post(`${space.path}/content?compat=false`, { changes }))
  const ids = await add(newPage('Tea'), newPage('Cups'))
  ids.push(...(await add(newPage('Green', { into: ids[0] }))))
  const request = await space.changeRequest()
  const spacePath = `/app/o/${site.org.id}/s/${space.id}`
  const reviewer = await signedIn(app, await site.org.member('review'))
  return { site, space, who, ids, request, spacePath, path: `${spacePath}/~/changes/1`, reviewer }
}

const titlesIn = (text: string) => [...text.matchAll(/New page<\/span>\s*<strong>([^<]+)/g)].map(([, title]) => title)

test('a reviewer can read every change of a large change request in parts, each with a link straight to the review', async () => {
  const { space, request, spacePath, path, reviewer } = await aScene()
  const titles = Array.from({ length: 60 }, (_, at) => `Page ${at}`)
  for (const some of [titles.slice(0, 30), titles.slice(30)]) {
    expect(await request.edit(...some.map((title) => newPage(title))), 200)
  }
  const read: string[] = []
  let at: string | undefined = path
  let parts = 0
  while (at !== undefined) {
    const { text } = await reviewer.get(at)
    assert.match(text, /<strong>60 changes<\/strong>: 60 new pages\./)
    assert.match(
      text,
      /<a class="btn" href="#word">Review and merge<\/a>[^]*<section aria-label="Your word" id="word">/,
    )
    for (const [, id] of text.matchAll(/<a href="#(change-\d+)">/g)) assert.ok(text.includes(`<article id="${id}">`))
    const shown = titlesIn(text)
    assert.match(text, new RegExp(`Showing ${read.length + 1} to ${read.length + shown.length}\\.`))
    read.push(...shown.map((title) => title!))
    at = /href="([^"]+from=\d+)#changes">Next</.exec(text)?.[1]
    parts++
  }
  assert.equal(parts, 3)
  assert.deepEqual(read.toSorted(), titles.toSorted())
  for (const strange of ['-1', '9999', 'x', '1e3']) {
    assert.equal(titlesIn((await reviewer.get(`${path}?from=${strange}`)).text).length, 25, strange)
  }

  const merged = await reviewer.follow(await reviewer.submit(await reviewer.get(path), `${path}/merge`))
  assert.match(merged.text, /Merged\. It is now part of the main content/)
  const [revision] = expect(await space.who.get(`${space.path}/revisions`), 200).items
  const history = await reviewer.get(`${spacePath}/~/history/${revision.id}?from=50`)
  assert.equal(titlesIn(history.text).length, 10)
  assert.match(history.text, /merged by /)
})

test('a reviewer sees where a page was moved from, reads pages to be deleted, and views new pictures', async () => {
  const { ids, request, spacePath, path, reviewer, site } = await aScene()
  const [tea, cups, green] = ids
  const made = idsOf(await request.edit(newPage('Drinks')))
  expect(await request.edit({ operation: 'update_page', page: green, into: made[0] }), 200)
  expect(await request.edit({ operation: 'update_page', page: tea, at: 9 }), 200)
  expect(await request.edit({ operation: 'delete_page', page: cups }), 200)
  const writer = await signedIn(app, await site.org.member('edit'))
  const gif = 'GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;'
  await writer.submitFiles(await writer.get(`${path}/files`), `${path}/files`, {}, [['pot.gif', gif]])

  const { text } = await reviewer.get(path)
  assert.match(text, /<strong>5 changes<\/strong>:/)
  const moved = (title: string, now: string, how: string) =>
    assert.match(
      text.replace(/\s+/g, ' '),
      new RegExp(`<strong>${title}</strong> <code>${now}</code> <span class="row-more">${how}`),
    )
  moved('Green', '/drinks/green', 'from <code>/tea/green</code>')
  moved('Tea', '/tea', 'among the pages beside it')
  const former = /href="([^"]+)" aria-label="Read Cups"/.exec(text)?.[1]
  assert.equal(former, `${spacePath}/cups`)
  assert.match((await reviewer.get(former)).text, /Text of Cups/)
  assert.match((await reviewer.get(/href="([^"]+)" aria-label="Read Drinks"/.exec(text)![1]!)).text, /Text of Drinks/)
  const picture = /<p class="review-picture"><img src="([^"]+)" alt="pot\.gif"/.exec(text)![1]!.replaceAll('&amp;', '&')
  assert.ok(text.includes('aria-label="Open pot.gif"'))
  assert.equal((await reviewer.get(picture.replace('http://lectern.test', ''))).status, 200)
})

test("a reviewer reads a new page's settings beside its text, and the target of a link", async () => {
  const { request, path, reviewer } = await aScene()
  const above =
    'description: How <b>it</b> is\nicon: cup\nhidden: true\ncover: https://example.org/a.png\nif: visitor.claims.x'
  const made = await request.edit(
    { operation: 'insert_page', document: { markdown: `---\n${above}\n---\n\n# Brew\n\nHot.\n` } },
    { operation: 'insert_page', title: 'Away', type: 'link', target: { kind: 'url', url: 'https://example.org/' } },
  )
  expect(made, 200)
  const { text } = await reviewer.get(path)
  const said = [...text.matchAll(/<dt>([^<]+)<\/dt>\s*<dd>\s*<ins>([^<]*)<\/ins>/g)].map(
    ([, name, value]) => `${name}: ${value}`,
  )
  assert.deepEqual(said, [
    'description: How &lt;b&gt;it&lt;/b&gt; is',
    'icon: cup',
    'cover: https://example.org/a.png',
    'setting that hides it from the menu: Yes',
    'condition for being shown: visitor.claims.x',
    'target of the link: https://example.org/',
  ])
})

test('a reviewer sees which words changed in a slightly changed line, in paragraphs, tables and Cyrillic text', async () => {
  const { who, space, request, path, reviewer } = await aScene()
  const before = [
    'Pour <hot> water over it, and wait.',
    '| a | two |',
    '| --- | --- |',
    'Nothing of it stays.',
    'один два',
  ]
  const after = [
    'Pour <cold> water over it, and drink.',
    '| a | ten |',
    '| --- | --- |',
    'Others took its place!',
    'один три',
  ]
  const [id] = idsOf(
    await who.post(`${space.path}/content?compat=false`, {
      changes: [{ operation: 'insert_page', document: { markdown: `# Pot\n\n${before.join('\n')}\n` } }],
    }),
  )
  expect(await who.post(`${request.path}/update`), 200)
  const document = { markdown: `# Pot\n\n${after.join('\n')}\nAnd one more.\n` }
  expect(await request.edit({ operation: 'update_page', page: id, document }), 200)
  const { text } = await reviewer.get(path)
  const lines = [...text.matchAll(/<tr class="(removed|added)">[^]*?<code>([^]*?)<\/code>/g)]
  assert.deepEqual(
    lines.map(([, type, line]) => `${type} ${line}`),
    [
      'removed Pour &lt;<mark>hot</mark>&gt; water over it, and <mark>wait</mark>.',
      'removed | a | <mark>two</mark> |',
      'added Pour &lt;<mark>cold</mark>&gt; water over it, and <mark>drink</mark>.',
      'added | a | <mark>ten</mark> |',
      'removed Nothing of it stays.',
      'removed один <mark>два</mark>',
      'added Others took its place!',
      'added один <mark>три</mark>',
      'added And one more.',
    ],
  )
})

test('of many lines that are slow to compare, words are marked only in the first, and in lines that are not slow', async () => {
  const { who, space, request, path, reviewer } = await aScene()
  let random = 1
  const slow = () =>
    Array.from({ length: 1500 }, () => '.,;?'[((random = (random * 48_271) % 2_147_483_647) >> 8) & 3]).join('')
  const lines = (last: string) => ['Begin.', ...Array.from({ length: 6 }, slow), `All of it is ${last}.`].join('\n')
  const [id] = idsOf(
    await who.post(`${space.path}/content?compat=false`, {
      changes: [{ operation: 'insert_page', document: { markdown: `# Pot\n\n${lines('hot')}\n` } }],
    }),
  )
  expect(await who.post(`${request.path}/update`), 200)
  const document = { markdown: `# Pot\n\n${lines('cold')}\n` }
  expect(await request.edit({ operation: 'update_page', page: id, document }), 200)
  const { text } = await reviewer.get(path)
  const slowLines = [...text.matchAll(/<tr class="added">[^]*?<code>([.,;?][^]*?)<\/code>/g)].map(([, line]) => line!)
  const areMarked = slowLines.map((line) => line.includes('<mark>'))
  assert.deepEqual([areMarked.length, areMarked[0], areMarked.at(-1)], [6, true, false])
  assert.match(text, /<code>All of it is <mark>cold<\/mark>\.<\/code>/)
})

test('a reviewer sees changes to reusable contents, and the old and new names of files', async () => {
  const { site, space, who, path, spacePath, reviewer } = await aScene()
  const made = idsOf(
    await who.post(`${space.path}/content?compat=false`, {
      changes: [
        { operation: 'insert_reusable_content', title: 'Opening hours', document: { markdown: 'From nine\n' } },
      ],
    }),
  )
  const request = await space.changeRequest()
  const its = `${spacePath}/~/changes/2`
  const update = { operation: 'update_reusable_content', reusableContent: made[0] }
  expect(await request.edit({ ...update, title: 'When we open', document: { markdown: 'From ten\n' } }), 200)
  expect(
    await request.edit({ operation: 'insert_reusable_content', title: 'Warning', document: { markdown: 'Hot!\n' } }),
    200,
  )
  const changes = ({ text }: { text: string }) =>
    /id="changes">([^]*?)<\/section>/
      .exec(text)![1]!
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
  const said = changes(await reviewer.get(its))
  assert.match(
    said,
    /Changed reusable content When we open Edit title Opening hours When we open 1 − From nine 1 \+ From ten/,
  )
  assert.match(said, /New reusable content Warning Edit 1 \+ Hot!/)
  const { changes: told } = expect(await who.get(`${request.path}/changes`), 200)
  assert.deepEqual(
    told[0].diff[0].lines.map(({ text }: { text: string }) => text),
    ['From nine\n', 'From ten\n'],
  )
  expect(await who.post(`${request.path}/merge`), 200)
  const [revision] = expect(await who.get(`${space.path}/revisions`), 200).items
  assert.match(
    (await reviewer.get(`${spacePath}/~/history/${revision.id}`)).text,
    /From <mark>nine<\/mark>[^]*From <mark>ten<\/mark>[^]*Hot!/,
  )

  const writer = await signedIn(app, await site.org.member('edit'))
  await writer.submitFiles(await writer.get(`${path}/files`), `${path}/files`, {}, [['tea.txt', 'Tea']])
  expect(await who.post(`${space.path}/change-requests/1/merge`), 200)
  const [file] = expect(await who.get(`${space.path}/content/files`), 200).items
  const another = await space.changeRequest()
  expect(await another.edit({ operation: 'update_file', file: file.id, name: 'green-tea.txt' }), 200)
  const renamed = changes(await reviewer.get(`${spacePath}/~/changes/3`))
  assert.match(renamed, /Changed file green-tea\.txt Open name tea\.txt green-tea\.txt/)
})

test('a change request says what its merge rules still require, and stops once it is there', async () => {
  const { space, who, request, path, reviewer, site } = await aScene()
  const rules = { mergeRules: { type: 'rules', rules: [{ type: 'require_at_least_one_approved_review' }] } }
  expect(await who.patch(space.path, rules), 200)
  expect(await request.edit(newPage('Drinks')), 200)
  const lacking = /It cannot be merged yet: somebody has to approve/
  const before = await reviewer.get(path)
  assert.match(before.text, lacking)
  const writer = await signedIn(app, await site.org.member('edit'))
  assert.doesNotMatch((await writer.get(path)).text, lacking)
  const after = await reviewer.follow(await reviewer.submit(before, `${path}/review`, { status: 'approved' }))
  assert.doesNotMatch(after.text, lacking)
})

test('a reviewer asked again after reviewing an earlier version is shown as pending, and lists name the author', async () => {
  const { who, request, path, spacePath, site, reviewer } = await aScene()
  const asked = await site.org.member('review')
  const ask = async () => expect(await who.post(`${request.path}/requested-reviewers`, { users: [asked.id] }), 200)
  expect(await request.edit(newPage('Drinks')), 200)
  await ask()
  const person = await signedIn(app, asked)
  await person.submit(await person.get(path), `${path}/review`, { status: 'changes-requested' })
  const awaited = async () =>
    /aria-label="Reviewers">([^]*?)<\/section>/.exec((await reviewer.get(path)).text)![1]!.replace(/\s+/g, ' ')
  assert.match(await awaited(), /data-tone="warning">changes requested</)
  expect(await request.edit(newPage('More drinks')), 200)
  assert.match(await awaited(), /said of an earlier version[^]*>changes requested</)
  await ask()
  assert.match(await awaited(), /changes requested of an earlier version[^]*data-tone="info">pending</)
  await person.submit(await person.get(path), `${path}/review`, { status: 'approved' })
  assert.match(await awaited(), /data-tone="success">approved</)

  const list = (await reviewer.get(spacePath)).text.replace(/\s+/g, ' ')
  assert.ok(list.includes(`#1 by ${site.org.admin.user.display_name} · changed`), list)
})

test('every archived change request is found in the closed list of a space, however many there are', async () => {
  const { space, who, spacePath, reviewer } = await aScene()
  for (let i = 0; i < 54; i++) {
    const { id } = expect(await who.post(`${space.path}/change-requests`, { subject: `Old ${i}` }), 201)
    expect(await who.patch(`${space.path}/change-requests/${id}`, { status: 'archived' }), 200)
  }
  const subjects: string[] = []
  for (let at: string | undefined = `${spacePath}/~/closed`; at !== undefined;) {
    const { text } = await reviewer.get(at)
    subjects.push(...[...text.matchAll(/<strong>(Old \d+)</g)].map(([, subject]) => subject!))
    at = /href="([^"]+page=[^"]+)">Next</.exec(text)?.[1]
  }
  assert.deepEqual(subjects.toSorted(), Array.from({ length: 54 }, (_, i) => `Old ${i}`).toSorted())
})

test('the settings, access and Git tabs of a space are apart from its breadcrumb, only for those who may use them', async () => {
  const { site, spacePath, reviewer } = await aScene()
  const tabs = ({ text }: { text: string }) =>
    [...(/<nav class="work-tabs"[^]*?<\/nav>/.exec(text)?.[0] ?? '').matchAll(/>([A-Z]\w+)<\/a/g)].map(
      ([, name]) => name,
    )
  const wayTo = ({ text }: { text: string }) => /class="review-space">([^]*?)<\/p>/.exec(text)![1]!
  const keeper = await signedIn(app, await site.org.member('create'))
  for (const path of [spacePath, `${spacePath}/~/settings`]) {
    const page = await keeper.get(path)
    assert.deepEqual(tabs(page), ['Overview', 'Settings', 'Access', 'Git'])
    assert.doesNotMatch(wayTo(page), /Settings|Access|Git/)
    assert.equal(page.text.match(/aria-current="page"/g)!.length, 1)
  }
  assert.deepEqual(tabs(await reviewer.get(spacePath)), [])
})

test('every page below a space has the same breadcrumb of organization and space, and so does a change request', async () => {
  const { site, spacePath, path, reviewer } = await aScene()
  const writer = await signedIn(app, await site.org.member('edit'))
  const { title } = expect(await site.who.get(site.space.path), 200)
  const below = ['history', 'closed', 'comments', 'variables', 'reusable-contents', 'download']
  const pages = below.map((name) => reviewer.get(`${spacePath}/~/${name}`))
  for (const page of await Promise.all([...pages, reviewer.get(path), writer.get(`${spacePath}/~/import`)])) {
    const [, way] = /class="review-space">([^]*?)<\/p>/.exec(page.text)!
    const links = [...way!.matchAll(/href="([^"]+)">([^<]+)</g)].map(([, to, words]) => [to, words])
    assert.deepEqual(links.slice(0, 2), [
      [`/app/o/${site.org.id}`, site.org.row.title],
      [spacePath, title],
    ])
  }
})
