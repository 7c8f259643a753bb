import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { aStranger } from '../../test/factories.ts'
import { aSite, expect } from '../../test/visitor.ts'

const app = await startApp()

const written = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\n${markdown}` },
  ...more,
})
const reusable = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_reusable_content',
  title,
  document: { markdown },
  ...more,
})
const variables = (values: Record<string, string | null>) => ({ operation: 'update_variables', variables: values })

async function read(space: EditedSpace, id: string, query: string, at = `${space.path}/content`) {
  const { body, text } = await space.who.get(`${at}/page/${id}?${query}`)
  return { markdown: body.markdown?.replace(/^# .*\n\n/, ''), nodes: body.document?.nodes, text }
}

/** Returns the target of the first link in a document. */
const linkIn = (text: string) => JSON.parse(/"type":"link","data":(\{"ref":\{[^}]*\})/.exec(text)![1]! + '}').ref

test('a link in included content keeps the target that it had where it was written', async () => {
  const space = await aLiveSpace(app)
  const [top, folder, below, content] = idsOf(
    await space.edit(
      newPage('Setup'),
      newPage('Guides', { ref: 'guides' }),
      newPage('Setup', { into: 'guides' }),
      reusable('Note', 'See [the setup](setup.md#first)\n'),
    ),
  )
  const [page] = idsOf(
    await space.edit(
      written('Page', `[Near](setup.md)\n\n{% include "/reusable-contents/${content}" %}\n`, { into: folder }),
    ),
  )

  const { nodes } = await read(space, page!, 'format=document&evaluated=true')
  assert.deepEqual(linkIn(JSON.stringify(nodes[0])), { kind: 'page', page: below })
  assert.deepEqual(linkIn(JSON.stringify(nodes[1])), { kind: 'anchor', page: top, anchor: 'first' })
  const { markdown } = await read(space, page!, 'format=markdown&evaluated=true')
  assert.equal(markdown, `[Near](setup.md)\n\nSee [the setup](/pages/${top}#first)\n`)
})

test('stable links survive a move and can be written back, and links are returned as written by default', async () => {
  const space = await aLiveSpace(app)
  const [setup, guides] = idsOf(await space.edit(newPage('Setup'), newPage('Guides')))
  const text = 'To [it](setup.md#top), <a href="setup.md">again</a>, [nowhere](gone.md) and [out](https://a.b)\n'
  const [page] = idsOf(await space.edit(written('Page', text)))
  await space.edit({ operation: 'update_page', page: setup, into: guides, metadata: { slug: 'moved' } })

  assert.equal((await read(space, page!, 'format=markdown')).markdown, text)
  assert.equal((await read(space, page!, 'format=markdown&format.markdown.refs=relative')).markdown, text)
  const stable = (await read(space, page!, 'format=markdown&format.markdown.refs=stable')).markdown
  assert.equal(
    stable,
    `To [it](/pages/${setup}#top), <a href="/pages/${setup}">again</a>, [nowhere](gone.md) and [out](https://a.b)\n`,
  )
  const [copy] = idsOf(await space.edit(written('Copy', stable)))
  assert.deepEqual(linkIn((await read(space, copy!, 'format=document')).text), {
    kind: 'anchor',
    page: setup,
    anchor: 'top',
  })
  const refused = await space.who.get(`${space.path}/content/page/${page}?format.markdown.refs=odd`)
  assert.equal(refused.status, 400)
})

test('a link by path leads in every format to the page that is there now, even if that was written later', async () => {
  const space = await aLiveSpace(app)
  const text = 'To [it](later.md)\n\nand [there](/pages/later#top)\n'
  const [content, old] = idsOf(await space.edit(reusable('R', '[in R](/pages/later)\n'), newPage('Old')))
  const body = `${text}\nand [old](old.md)\n`
  const [page] = idsOf(await space.edit(written('Page', `${body}\n{% include "/reusable-contents/${content}" %}\n`)))
  const before = await read(space, page!, 'format=document')
  assert.deepEqual(linkIn(before.text), { kind: 'url', url: 'later.md' })
  const [later, other] = idsOf(
    await space.edit(
      newPage('Later'),
      { operation: 'delete_page', page: old },
      newPage('Another', { metadata: { slug: 'old' } }),
    ),
  ).filter((id) => id !== old)

  const { nodes } = await read(space, page!, 'format=document&evaluated=true')
  const targets = nodes.map((node: object) => linkIn(JSON.stringify(node)))
  assert.deepEqual(targets, [
    { kind: 'page', page: later },
    { kind: 'anchor', page: later, anchor: 'top' },
    { kind: 'page', page: other },
    { kind: 'page', page: later },
  ])
  const stable = `To [it](/pages/${later})\n\nand [there](/pages/${later}#top)\n\nand [old](/pages/${other})\n`
  const byId = (await read(space, page!, 'format=markdown&format.markdown.refs=stable')).markdown
  assert.ok(byId.startsWith(stable), byId)

  const { document } = (await space.who.get(`${space.path}/content/page/${page}?format=document`)).body
  const added = { object: 'block', type: 'divider', nodes: [] }
  const edited = { object: 'document', nodes: [...document.nodes, added] }
  await space.edit({ operation: 'update_page', page, document: { document: edited } })
  const { markdown } = await read(space, page!, 'format=markdown')
  assert.ok(markdown.startsWith(body), markdown)
})

test('dereferenced=true inserts includes without evaluating them, and can be limited to reusable contents', async () => {
  const space = await aLiveSpace(app)
  const body = '{{ space.vars.name }}\n\n{% if visitor.claims.x %}\nhidden\n{% endif %}\n'
  const [content, other] = idsOf(await space.edit(variables({ name: 'Ada' }), reusable('R', body), newPage('Other')))
  const includes = `{% include "/reusable-contents/${content}" %}\n\n{% include "/pages/${other}" %}\n`
  const [page] = idsOf(await space.edit(written('Page', includes)))

  const all = (await read(space, page!, 'format=markdown&dereferenced=true')).markdown
  assert.match(all, /space\.vars\.name[^]*\{% if visitor\.claims\.x %\}\nhidden[^]*Text of Other/)
  const some = (await read(space, page!, 'format=markdown&dereferenced=reusable-contents')).markdown
  assert.match(some, /hidden[^]*\{% include "\/pages\//)
  assert.equal((await read(space, page!, 'format=markdown&dereferenced=false')).markdown, includes)
})

test('evaluated content uses the variables of main, change request or revision, by id, by path and as a document', async () => {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    variables({ name: 'Ada' }),
    reusable('R', 'I am {{ space.vars.name }}.\n', { ref: 'r' }),
    written('Page', '{% include "./r" %}\n'),
  )
  const { revision, changes } = made.body
  const content = changes.find((change: any) => change.reusableContent).reusableContent
  const page = changes.find((change: any) => change.page).page.id
  const request = await space.changeRequest()
  await request.edit(variables({ name: 'Grace' }))
  await space.edit(variables({ name: null, other: 'Ada' }))

  const seen = async (base: string) => {
    const paths = [`${base}/page/${page}`, `${base}/path/page`].map((path) => `${path}?format=markdown&evaluated=true`)
    const answers = await Promise.all(paths.map((path) => space.who.get(path)))
    const text = (await space.who.get(`${base}/reusable-contents/${content}?format=markdown&evaluated=true`)).body
    return [...answers.map(({ body }) => body.markdown.trim().split('\n').at(-1)), text.markdown.trim()]
  }
  assert.deepEqual(await seen(`${space.path}/content`), Array(3).fill('I am .'))
  assert.deepEqual(await seen(`${request.path}/content`), Array(3).fill('I am Grace.'))
  assert.deepEqual(await seen(`${space.path}/revisions/${revision}`), Array(3).fill('I am Ada.'))
  for (const what of [`page/${page}`, `reusable-contents/${content}`]) {
    const document = `${space.path}/revisions/${revision}/${what}/document`
    assert.match((await space.who.get(`${document}?evaluated=true`)).text, /"text":"Ada"/)
    assert.doesNotMatch((await space.who.get(`${document}?evaluated=false`)).text, /Ada/)
    assert.equal((await space.who.get(`${document}?evaluated=perhaps`)).status, 400)
  }
  const stranger = await aStranger(app)
  assert.equal((await stranger.client.get(`${space.path}/content/reusable-contents/${content}`)).status, 404)
})

test('circular includes through reusable contents and pages end in a hint', async () => {
  const space = await aLiveSpace(app)
  const [a, b, page] = idsOf(
    await space.edit(
      reusable('A', 'a\n', { ref: 'a' }),
      reusable('B', '{% include "./a" %}\n', { ref: 'b' }),
      written('Page', '{% include "./b" %}\n', { ref: 'page' }),
    ),
  )
  const update = (content: string | undefined, markdown: string) =>
    space.edit({ operation: 'update_reusable_content', reusableContent: content, document: { markdown } })
  await update(a, `a\n\n{% include "/reusable-contents/${b}" %}\n\n{% include "/pages/${page}" %}\n`)
  const { nodes } = await read(space, page!, 'format=document&evaluated=true')
  assert.deepEqual(
    nodes.map(({ type, extra }: any) => [type, extra?.error]),
    [
      ['paragraph', undefined],
      ['hint', true],
      ['hint', true],
    ],
  )
  assert.match(
    (await read(space, page!, 'format=markdown&evaluated=true')).markdown,
    /style="danger"[^]*includes itself/,
  )
  assert.match((await read(space, page!, 'format=html&evaluated=true')).text, /role=\\"alert\\"/)
})

test('a batch creates, changes and deletes reusable contents, and a page says that a deleted one does not exist', async () => {
  const space = await aLiveSpace(app)
  const [content] = idsOf(await space.edit(reusable('Note', 'One\n')))
  const [page] = idsOf(await space.edit(written('Page', `{% include "/reusable-contents/${content}" %}\n`)))
  const request = await space.changeRequest()
  const told = await request.edit(
    {
      operation: 'update_reusable_content',
      reusableContent: content,
      title: 'Renamed',
      document: { markdown: '## Two\n' },
    },
    reusable('Second', ''),
  )
  assert.deepEqual(
    told.body.changes.map(({ object }: any) => object),
    ['updated_reusable_content', 'created_reusable_content'],
  )
  const own = `${request.path}/content/reusable-contents/${content}`
  const { title, markdown, html } = (await space.who.get(`${own}?format=markdown`)).body
  assert.deepEqual([title, markdown, html], ['Renamed', '## Two\n', undefined])
  assert.match((await space.who.get(`${own}?format=html`)).body.html, /<h2 id="two">Two<\/h2>/)
  assert.equal((await read(space, page!, 'format=markdown&evaluated=true')).markdown, 'One\n')

  await request.edit({ operation: 'delete_reusable_content', reusableContent: content })
  assert.equal((await space.who.get(own)).status, 404)
  const gone = (await read(space, page!, 'format=markdown&evaluated=true', `${request.path}/content`)).markdown
  assert.match(gone, /does not exist/)
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  assert.equal((await space.who.get(`${space.path}/content/reusable-contents/${content}`)).status, 404)
})

test('a page that repeats a long text too often is cut off, with a notice', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const long = 'word '.repeat(12_000)
  expect(await site.space.edit(reusable('Long', long)), 200)
  const [{ id }] = expect(await site.who.get(`${site.space.path}/content`), 200).reusableContents
  const often = {
    included: `# Included\n\n${`{% include "/reusable-contents/${id}" %}\n\n`.repeat(2_000)}The end.\n`,
    said: `---\nvars:\n  long: ${long}\n---\n\n# Said\n\n${'{{ page.vars.long }}\n\n'.repeat(2_000)}The end.\n`,
  }
  for (const [slug, markdown] of Object.entries(often)) {
    expect(await site.space.edit(newPage(slug, { document: { markdown } })), 200)
    for (const path of [slug, `${slug}.md`]) {
      const { status, text } = await site.browser().get(site.address + path)
      assert.deepEqual([status, text.includes('too much content')], [200, true], path)
      assert.ok(text.length > 4_000_000 && text.length < 6_000_000, `${path}: ${text.length}`)
      assert.ok(!text.includes('The end.'), path)
    }
  }
})
