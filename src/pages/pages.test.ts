import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestSpace, aChangeRequest, aSpace, asPage, bodiesOf } from '../../test/lines.ts'
import { aStranger } from '../../test/factories.ts'
import { newId } from '../ids.ts'

const app = await startApp()

/** A guide with two pages below it, a group, and a link. The positions are given, so their order is fixed. */
async function aSpaceWithPages(): Promise<TestSpace & { ids: Record<string, string> }> {
  const space = await aSpace(app)
  const ids = Object.fromEntries(['guide', 'setup', 'münchen', 'group', 'inner', 'link'].map((name) => [name, newId()]))
  await space.main.add(
    { id: ids['guide']!, title: 'Guide', slug: 'guide', position: 'a1', body: 'The *guide*.\n' },
    { id: ids['setup']!, title: 'Set up', slug: 'setup', parent: ids['guide']!, position: 'a2', body: 'Steps.\n' },
    { id: ids['münchen']!, title: 'München', slug: 'münchen', parent: ids['guide']!, position: 'a1', body: 'Grüße.\n' },
    { id: ids['group']!, title: 'Group', slug: 'group', position: 'a2', data: { type: 'group' } },
    { id: ids['inner']!, title: 'Inner', slug: 'inner', parent: ids['group']!, position: 'a1' },
  )
  const { entry } = asPage({ id: ids['link']!, title: 'Elsewhere', slug: 'elsewhere', position: 'a3' })
  const data = { ...entry.data!, type: 'link', target: { kind: 'url', url: 'https://example.com/' } }
  await space.main.write([{ ...entry, doc: null, data }])
  return { ...space, ids }
}

const titles = (pages: { title: string; pages?: [] }[]): unknown[] =>
  pages.map(({ title, pages }) => (pages && pages.length > 0 ? [title, titles(pages)] : title))

test('main, a change request and a revision return the same tree, in order, with their own URLs', async () => {
  const space = await aSpaceWithPages()
  const { client } = space.admin
  const request = await aChangeRequest(space)
  const { body: current } = await client.get(`${space.path}/content`)

  assert.equal(current.object, 'revision')
  assert.deepEqual(titles(current.pages), [['Guide', ['München', 'Set up']], ['Group', ['Inner']], 'Elsewhere'])
  const bases = [`${space.path}/content`, `${request.path}/content`, `${space.path}/revisions/${current.id}`]
  const withoutUrls = (text: string) => text.replace(/"urls":\{[^}]*\}/g, '')
  for (const base of bases) {
    const [revision, pages] = await Promise.all([client.get(base), client.get(`${base}/pages`)])
    assert.equal(revision.body.id, current.id)
    assert.equal(withoutUrls(revision.text), withoutUrls(JSON.stringify(current)))
    assert.deepEqual(pages.body.pages, revision.body.pages)
  }
  const guide = current.pages[0]
  const app = `http://lectern.test/app/o/${space.organization.id}/s/${space.id}`
  assert.equal(guide.pages[1].urls.app, `${app}/guide/setup`)
  const inRequest = (await client.get(`${request.path}/content/pages`)).body.pages[0]
  assert.equal(inRequest.pages[1].urls.app, `${app}/~/changes/${request.number}/guide/setup`)
})

test('each kind of page has the shape of the contract', async () => {
  const space = await aSpaceWithPages()
  const { pages } = (await space.admin.client.get(`${space.path}/content/pages`)).body
  const [guide, group, link] = pages
  const dates = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  const flags = { hidden: false, noIndex: false, noRobotsIndex: false }
  const { pages: inside, urls: _, documentId, ...document } = guide
  assert.match(documentId, /^[\w-]{43}$/)
  assert.equal(inside.length, 2)
  assert.deepEqual(document, {
    id: space.ids['guide'],
    title: 'Guide',
    ...dates,
    type: 'document',
    kind: 'sheet',
    slug: 'guide',
    path: 'guide',
    ...flags,
    layout: {
      width: 'default',
      cover: true,
      coverSize: 'hero',
      title: true,
      description: true,
      tableOfContents: true,
      outline: true,
      pagination: true,
      metadata: true,
    },
  })
  assert.deepEqual(
    { ...group, pages: [] },
    {
      id: space.ids['group'],
      title: 'Group',
      ...dates,
      type: 'group',
      kind: 'group',
      slug: 'group',
      path: 'group',
      ...flags,
      pages: [],
    },
  )
  assert.deepEqual(link, {
    id: space.ids['link'],
    title: 'Elsewhere',
    ...dates,
    type: 'link',
    kind: 'link',
    target: { kind: 'url', url: 'https://example.com/' },
    href: 'https://example.com/',
    hidden: false,
  })
})

test('a page is found by its id and by its path, with its subpages', async () => {
  const space = await aSpaceWithPages()
  const { client } = space.admin
  const { id: revision } = (await client.get(`${space.path}/content`)).body
  const request = await aChangeRequest(space)
  const bases = [`${space.path}/content`, `${request.path}/content`, `${space.path}/revisions/${revision}`]
  // Once with the whole tree cached, and once without.
  for (const base of [...bases, ...bases]) {
    if (base === bases[0]) app.app.content.forget()
    if (base === bases[2]) await client.get(`${base}/pages`)
    const guide = (await client.get(`${base}/page/${space.ids['guide']}`)).body
    assert.deepEqual(titles([guide]), [['Guide', ['München', 'Set up']]])
    assert.deepEqual((await client.get(`${base}/path/guide`)).body, guide)
    for (const path of ['guide/m%C3%BCnchen', 'guide%2Fm%C3%BCnchen', 'guide/münchen', 'guide/münchen/']) {
      const found = await client.get(`${base}/path/${path}`)
      assert.deepEqual([found.status, found.body.id, found.body.path], [200, space.ids['münchen'], 'guide/münchen'])
    }
    assert.equal((await client.get(`${base}/path/group`)).body.type, 'group')
    // A link has no path of its own, so nothing is found at its address.
    for (const path of [
      'elsewhere',
      'münchen',
      'guide/nothing',
      'guide/setup/more',
      'guide//setup',
      '',
      '*',
      'GUIDE',
    ]) {
      assert.equal((await client.get(`${base}/path/${path}`)).status, 404, path)
    }
  }
})

test('a page is returned without its body, or with it as Markdown, document or HTML', async () => {
  const space = await aSpaceWithPages()
  const read = async (query: string) =>
    (await space.admin.client.get(`${space.path}/content/page/${space.ids['guide']}${query}`)).body

  const { markdown, document, html } = await read('')
  assert.deepEqual([markdown, document, html], [undefined, undefined, undefined])
  assert.equal((await read('?format=markdown')).markdown, '# Guide\n\nThe *guide*.\n')
  assert.equal((await read('?format=html')).html, '<p>The <em>guide</em>.</p>')
  const shown = (await read('?format=document')).document
  assert.deepEqual([shown.object, shown.nodes[0].type], ['document', 'paragraph'])

  const { documentId } = await read('')
  const { body } = await space.admin.client.get(`${space.path}/documents/${documentId}`)
  assert.deepEqual(body, shown)
  const { id: revision } = (await space.admin.client.get(`${space.path}/content`)).body
  const inRevision = `${space.path}/revisions/${revision}/page/${space.ids['guide']}/document`
  assert.deepEqual((await space.admin.client.get(inRevision)).body, shown)
  const refused = await space.admin.client.get(`${space.path}/content/page/${space.ids['guide']}?format=pdf`)
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'query.format'])
})

test('an old revision always returns the same content', async () => {
  const space = await aSpaceWithPages()
  const { client } = space.admin
  const { id: revision } = (await client.get(`${space.path}/content`)).body
  const old = `${space.path}/revisions/${revision}`
  const paths = [old, `${old}/pages`, `${old}/page/${space.ids['setup']}?format=markdown`, `${old}/path/guide/setup`]
  const read = () => Promise.all(paths.map(async (path) => (await client.get(path)).text))

  const before = await read()
  await space.main.edit(space.ids['setup']!, { title: 'Install', slug: 'install', body: 'Other steps.\n' })
  await space.main.edit(space.ids['guide']!, { parent: space.ids['group']!, position: 'Zz' })
  await space.main.remove(space.ids['setup']!)
  app.app.content.forget()
  assert.deepEqual(await read(), before)

  const { pages } = (await client.get(`${space.path}/content/pages`)).body
  assert.deepEqual(titles(pages), [['Group', [['Guide', ['München']], 'Inner']], 'Elsewhere'])
  assert.equal((await client.get(`${space.path}/content/path/guide/setup`)).status, 404)
})

test('a change request shows its own pages on top of those of the space', async () => {
  const space = await aSpaceWithPages()
  const { client } = space.admin
  const request = await aChangeRequest(space)
  await request.branch.edit(space.ids['guide']!, { title: 'My guide', slug: 'my-guide', body: 'Mine.\n' })
  await request.branch.add({ title: 'New', slug: 'new', parent: space.ids['guide']!, position: 'a3' })
  await request.branch.write([{ ...gonePage(space.ids['group']!) }, { ...gonePage(space.ids['inner']!) }])
  await space.main.edit(space.ids['setup']!, { title: 'Changed on main' })

  const { pages } = (await client.get(`${request.path}/content/pages`)).body
  assert.deepEqual(titles(pages), [['My guide', ['München', 'Set up', 'New']], 'Elsewhere'])
  const found = await client.get(`${request.path}/content/path/my-guide/setup?format=markdown`)
  assert.deepEqual([found.body.path, found.body.markdown], ['my-guide/setup', '# Set up\n\nSteps.\n'])
  assert.equal((await client.get(`${request.path}/content/path/guide`)).status, 404)
  assert.equal((await client.get(`${request.path}/content/page/${space.ids['inner']}`)).status, 404)
  const byNumber = `${space.path}/change-requests/${request.number}/content/page/${space.ids['guide']}`
  assert.equal((await client.get(byNumber)).body.title, 'My guide')

  const main = (await client.get(`${space.path}/content/pages`)).body.pages
  assert.deepEqual(titles(main), [['Guide', ['München', 'Changed on main']], ['Group', ['Inner']], 'Elsewhere'])
})

const gonePage = (entry: string) =>
  ({ entry, kind: 1, state: 1, parent: null, slug: null, position: null, doc: null, refs: null, data: null }) as const

test('the ETag of an answer is valid until the content changes, compressed or not', async () => {
  const space = await aSpaceWithPages()
  const { client } = space.admin
  for (const path of [`${space.path}/content`, `${space.path}/content/pages`]) {
    const first = await client.get(path, { 'accept-encoding': 'identity' })
    const tag = first.headers.get('etag')!
    const packed = await client.get(path, { 'accept-encoding': 'gzip' })
    assert.deepEqual([packed.headers.get('content-encoding'), packed.text], ['gzip', first.text])
    for (const known of [tag, packed.headers.get('etag')!, `W/${tag}`]) {
      assert.equal((await client.get(path, { 'if-none-match': known })).status, 304)
    }
    await space.main.edit(space.ids['inner']!, { title: `Changed after ${tag}` })
    const changed = await client.get(path, { 'if-none-match': tag })
    assert.equal(changed.status, 200)
    assert.match(changed.text, /Changed after/)
  }
})

test('a tree updated from the previous one equals one read as a whole', async () => {
  const space = await aSpaceWithPages()
  const request = await aChangeRequest(space)
  const read = async () =>
    Promise.all(
      [`${space.path}/content/pages`, `${request.path}/content/pages`].map(
        async (path) => (await space.admin.client.get(path)).text,
      ),
    )
  const changes = [
    () => space.main.edit(space.ids['inner']!, { parent: space.ids['guide']!, position: 'a0' }),
    () => space.main.edit(space.ids['setup']!, { position: 'a0V', slug: 'start' }),
    () => space.main.remove(space.ids['inner']!, space.ids['group']!),
    () => request.branch.edit(space.ids['guide']!, { title: 'On a branch' }),
    () => space.main.add({ title: 'Another', slug: 'another', position: 'a0' }),
  ]
  for (const change of changes) {
    await read()
    await change()
    const patched = await read()
    app.app.content.forget()
    assert.deepEqual(patched, await read())
  }
})

test('git fields are left out with metadata=false', async () => {
  const space = await aSpace(app)
  const { entry, body } = asPage({ title: 'From git', slug: 'from-git' })
  const git = { oid: 'abc', path: 'docs/from-git.md' }
  await space.main.write([{ ...entry, data: { ...entry.data!, git } }], bodiesOf([body]))
  const read = async (path: string) => (await space.admin.client.get(`${space.path}/content/${path}`)).body
  assert.deepEqual((await read(`page/${entry.entry}`)).git, git)
  assert.equal((await read(`page/${entry.entry}?metadata=false`)).git, undefined)
  assert.deepEqual((await read('pages')).pages[0].git, git)
  assert.equal((await read('pages?metadata=false')).pages[0].git, undefined)
})

test('content of another space gets 404, and so does every read by a stranger or a guest without access', async () => {
  const [space, other] = await Promise.all([aSpaceWithPages(), aSpaceWithPages()])
  const [{ client }, stranger, guest] = [space.admin, await aStranger(app), await space.member(null)]
  const request = await aChangeRequest(space)
  const otherRequest = await aChangeRequest(other)
  const { id: revision } = (await client.get(`${space.path}/content`)).body
  const { id: otherRevision, pages } = (await other.admin.client.get(`${other.path}/content`)).body

  const mine = [
    `${space.path}/content`,
    `${space.path}/content/pages`,
    `${space.path}/content/files`,
    `${space.path}/content/page/${space.ids['guide']}`,
    `${space.path}/content/path/guide`,
    `${space.path}/revisions`,
    `${space.path}/revisions/${revision}`,
    `${space.path}/revisions/${revision}/changes`,
    `${request.path}/content`,
  ]
  for (const path of mine) {
    assert.equal((await client.get(path)).status, 200, path)
    assert.equal((await stranger.client.get(path)).status, 404, path)
    assert.equal((await guest.client.get(path)).status, 404, path)
  }
  const elsewhere = [
    `${space.path}/revisions/${otherRevision}`,
    `${space.path}/revisions/${otherRevision}/pages`,
    `${space.path}/revisions/${otherRevision}/changes`,
    `${space.path}/change-requests/${otherRequest.id}/content`,
    `${space.path}/content/page/${other.ids['guide']}`,
    `${space.path}/content/page/${newId()}`,
    `${space.path}/content/page/no-id`,
    `${space.path}/content/reusable-contents/${space.ids['guide']}`,
    `${space.path}/content/files/${space.ids['guide']}`,
    `${space.path}/documents/${'x'.repeat(43)}`,
    `${space.path}/documents/${newId()}`,
  ]
  for (const path of elsewhere) assert.equal((await client.get(path)).status, 404, path)

  // The same body in both spaces is a document in each organization. A body that only the other one has is not found
  // here.
  await other.main.edit(other.ids['guide']!, { body: `Only here: ${other.organization.canary}\n` })
  const { documentId } = (await other.admin.client.get(`${other.path}/content/page/${other.ids['guide']}`)).body
  assert.equal((await other.admin.client.get(`${other.path}/documents/${documentId}`)).status, 200)
  assert.equal((await client.get(`${space.path}/documents/${documentId}`)).status, 404)
  const sibling = await aSpace(app, other.organization)
  assert.equal((await other.admin.client.get(`${sibling.path}/documents/${documentId}`)).status, 404)
  assert.ok(pages.length > 0)
})
