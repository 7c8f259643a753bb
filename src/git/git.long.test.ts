import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { png } from '../../test/every-content.ts'
import { startGitServer } from '../../test/git-server.ts'
import { aSyncedSpace, outlineOf } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

const pixel = Buffer.from(png, 'base64')

const shot = { contentType: 'image/png', ref: 'shot' }

/** Everything that the format has. */
const book = {
  '.gitbook.yaml': 'root: ./docs/\n\nredirects:\n  old/setup: guide/setup.md # moved\n',
  LICENSE: 'Do what you want\n',
  'docs/README.md': '---\ndescription: Where to begin\nicon: house\n---\n\n# Welcome\n\nSee [setup](guide/setup.md).\n',
  'docs/SUMMARY.md':
    '# Table of contents\n\n* [Welcome](README.md)\n\n## Guides\n\n- [Guide](guide/README.md)\n  - [Set it up](guide/setup.md "Setup")\n  - [No title](guide/plain.md)\n- [Elsewhere](https://example.com/)\n\n## Reference\n\n* [API](api.md)\n',
  'docs/guide/README.md':
    '# Guide\n\n![shot](../.gitbook/assets/shot.png)\n\n{% include "../.gitbook/includes/note.md" %}\n',
  'docs/guide/setup.md':
    '---\ncover: ../.gitbook/assets/shot.png\ncoverY: 10\n---\n\n# Setup\n\n[up](./README.md), [home](/README.md), [part](../api.md#calls), [raw](data.csv), [gone](nowhere.md)\n',
  'docs/guide/plain.md': 'Just text, {{ space.vars.version }}.\r\nWith two endings.',
  'docs/guide/data.csv': 'a,b\n1,2\n',
  'docs/api.md': '# API\n\n## Calls\n\n[guide](guide/)\n',
  'docs/unlisted.md': '# Unlisted\n',
  'docs/.gitbook/assets/shot.png': pixel,
  'docs/.gitbook/includes/note.md': '---\ntitle: A note\n---\n\n{% hint style="info" %}\nTake note.\n{% endhint %}\n',
  'docs/.gitbook/vars.yaml': '# of the product\nversion: "1.2"\n',
  'src/main.c': 'int main(void) { return 0; }\n',
}

const outline =
  'Welcome/welcome, Guides/guides (Guide/guide (Setup/setup, No title/plain), Elsewhere), Reference/reference (API/api)'

test('an import brings all of a repository: pages, groups, links, files, includes, variables and redirects', async () => {
  const repository = await server.repository('whole', book)
  const space = await aSyncedSpace(app, repository)
  assert.equal((await space.who.get(`${space.path}/git/info`)).status, 404)
  const { state, result, error } = await space.import({ gitInfo: { provider: 'github' } })

  assert.deepEqual([state, error], ['success', undefined])
  assert.deepEqual([result.pages, result.files, result.reusableContents, result.problems], [8, 2, 1, []])
  assert.equal(await space.outline(), outline)
  const pages = await space.pages()
  const welcome = pages.get('docs/README.md')
  assert.deepEqual([welcome.description, welcome.icon], ['Where to begin', 'house'])
  const { body: revision } = await space.who.get(`${space.path}/content`)
  assert.deepEqual(revision.variables, { version: '1.2' })
  assert.deepEqual(revision.files.map((file: any) => [file.name, file.contentType, file.git.path]).toSorted(), [
    ['data.csv', 'text/csv', 'docs/guide/data.csv'],
    ['shot.png', 'image/png', 'docs/.gitbook/assets/shot.png'],
  ])
  assert.deepEqual(
    [revision.git.oid, revision.git.message, revision.git.createdByGitBook, revision.git.ref],
    [result.commit, 'First', false, 'refs/heads/main'],
  )
  const shot = revision.files.find((file: any) => file.name === 'shot.png')
  assert.deepEqual(pages.get('docs/guide/setup.md').cover, { ref: { kind: 'file', file: shot.id }, yPos: 10 })

  const evaluated = (id: string) => space.who.get(`${space.path}/content/page/${id}?format=markdown&evaluated=true`)
  assert.match((await evaluated(pages.get('docs/guide/README.md').id)).body.markdown, /Take note/)
  assert.match((await evaluated(pages.get('docs/guide/plain.md').id)).body.markdown, /Just text, 1\.2/)

  const { body: links } = await space.who.get(`${space.path}/links`)
  assert.deepEqual(
    links.items.filter(({ status }: any) => status === 'broken').map(({ targetReference: to }: any) => to.url),
    ['nowhere.md'],
  )
  const { body: shown } = await space.who.get(space.path)
  assert.deepEqual(
    [shown.gitSync.repoName, shown.gitSync.installationProvider, shown.gitSync.url],
    ['whole', 'github', repository.url],
  )
})

test('a repeated import keeps the ids of pages whose files were edited, moved, or both', async () => {
  const repository = await server.repository('again', book)
  const space = await aSyncedSpace(app, repository)
  await space.import()
  const before = await space.pages()
  const first = (await space.who.get(space.path)).body.revision

  assert.equal((await space.import()).result.changes, 0)
  assert.equal((await space.who.get(space.path)).body.revision, first, 'nothing had changed')

  await repository.move('docs/api.md', 'docs/reference/calls.md')
  await repository.commit({
    'docs/guide/plain.md': 'Other text.\n',
    'docs/guide/setup.md': null,
    'docs/install.md': `${book['docs/guide/setup.md']}\n## More\n\nAnd this.\n`,
    'docs/SUMMARY.md':
      '* [Welcome](README.md)\n* [Guide](guide/README.md)\n  * [No title](guide/plain.md)\n* [Install](install.md)\n* [API](reference/calls.md)\n',
  })
  const { result } = await space.import()
  assert.equal(result.changeRequest, undefined)
  assert.equal(await space.outline(), 'Welcome/welcome, Guide/guide (No title/plain), Setup/install, API/calls')
  const after = await space.pages()
  for (const [now, was] of [
    ['docs/README.md', 'docs/README.md'],
    ['docs/guide/plain.md', 'docs/guide/plain.md'],
    ['docs/install.md', 'docs/guide/setup.md'],
    ['docs/reference/calls.md', 'docs/api.md'],
  ] as const)
    assert.equal(after.get(now).id, before.get(was).id, now)
  assert.equal(after.get('docs/README.md').updatedAt, before.get('docs/README.md').updatedAt)
})

test('an export leaves unedited files byte for byte, and changes only what was edited', async () => {
  const repository = await server.repository('bytes', {
    ...book,
    'docs/guide/latin.md': Buffer.from([0x23, 0x20, 0xe9, 0x0a]),
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await repository.commit({ 'docs/SUMMARY.md': `${book['docs/SUMMARY.md']}* [Latin](guide/latin.md)\n` })
  await space.import()
  const before = await repository.files()
  const { state, result } = await space.export()
  assert.deepEqual([state, result.written, result.removed], ['success', 0, 0])
  assert.equal((await repository.log()).length, 2, 'there was nothing to commit')

  const pages = await space.pages()
  const setup = pages.get('docs/guide/setup.md')
  const edit = (changes: object[]) => space.who.post(`${space.path}/content`, { changes })
  const { status, text } = await edit([
    { operation: 'update_page', page: setup.id, metadata: { title: 'Installation' } },
    {
      operation: 'insert_page',
      document: { markdown: `# New one\n\n[setup](/pages/${setup.id}#x) and [api](/api)\n` },
      into: pages.get('docs/guide/README.md').id,
    },
  ])
  assert.equal(status, 200, text)
  const exported = await space.export()
  assert.deepEqual([exported.state, exported.error, exported.result?.written], ['success', undefined, 3])
  const after = await repository.files()
  const changed = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path])
  assert.deepEqual(changed, ['docs/SUMMARY.md', 'docs/guide/setup.md', 'docs/guide/new-one.md'])
  assert.equal(after['docs/guide/setup.md'], String(before['docs/guide/setup.md']).replace('# Setup', '# Installation'))
  assert.equal(after['docs/guide/new-one.md'], '# New one\n\n[setup](setup.md#x) and [api](/api)\n')
  const contents = '* [Installation](guide/setup.md)\n  * [No title](guide/plain.md)\n  * [New one](guide/new-one.md)\n'
  assert.ok(String(after['docs/SUMMARY.md']).includes(contents), String(after['docs/SUMMARY.md']))
  assert.deepEqual(await repository.log(), [
    `${space.org.admin.user.display_name}: From Lectern`,
    'Jo: Change',
    'Jo: First',
  ])

  assert.equal((await space.import()).result.changes, 0, 'what was written is what is here')
  assert.equal((await space.export()).result.written, 0)
})

test('an export removes deleted pages from the table of contents, and leaves it as it is if pages are only edited', async () => {
  const summary = '# Contents\n\n- [One](README.md)\n- [Planned](planned.md)\n- [Two](two.md)\n- [Three](a%20b/)\n'
  const repository = await server.repository('deleted', {
    'SUMMARY.md': summary,
    'README.md': '# One\n',
    'two.md': '# Two\n',
    'a b/README.md': '# Three\n',
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  const pages = await space.pages()
  const change = (changes: object[]) => space.who.post(`${space.path}/content`, { changes })
  await change([{ operation: 'update_page', page: pages.get('two.md').id, document: { markdown: '# Two\n\nMore\n' } }])
  assert.equal((await space.export()).result.written, 1)
  assert.equal((await repository.files())['SUMMARY.md'], summary)

  for (const path of ['two.md', 'a b/README.md']) {
    await change([{ operation: 'delete_page', page: pages.get(path).id }])
    const { result } = await space.export()
    assert.deepEqual([result.written, result.removed], [1, 1])
  }
  assert.deepEqual(await repository.files(), {
    'README.md': '# One\n',
    'SUMMARY.md': '# Contents\n\n- [One](README.md)\n',
  })
  assert.deepEqual((await space.import()).result.problems, [])
})

test('a page listed by one of its headings is removed from the table of contents when it is deleted', async () => {
  const repository = await server.repository('deleted-by-heading', {
    'SUMMARY.md': '# Contents\n\n- [One](README.md)\n- [In short](two.md#top)\n- [Three](three.md)\n',
    'README.md': '# One\n',
    'two.md': '# Two\n\n## Top\n',
    'three.md': '# Three\n',
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  assert.equal((await space.export()).result.written, 0)
  const remove = async (path: string) => {
    const changes = [{ operation: 'delete_page', page: (await space.pages()).get(path).id }]
    await space.who.post(`${space.path}/content`, { changes })
    await space.export()
    return (await repository.files())['SUMMARY.md']
  }
  assert.equal(await remove('three.md'), '# Contents\n\n- [One](README.md)\n- [In short](two.md)\n')
  await repository.commit({ 'SUMMARY.md': '# Contents\n\n- [One](README.md)\n- [In short](two.md#top)\n' })
  await space.import()
  assert.equal(await remove('two.md'), '# Contents\n\n- [One](README.md)\n')
})

test('a page with a new address is written once, and a link in it that was broken elsewhere stays', async () => {
  const repository = await server.repository('readdressed', {
    'README.md': '# One\n',
    'two.md': '# Two\n\n[three](three.md)\n',
    'three.md': '# Three\n\nText\n',
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  await repository.move('three.md', 'moved.md')
  await space.import()
  const { id } = (await space.pages()).get('two.md')
  await space.who.post(`${space.path}/content`, { changes: [{ operation: 'update_page', page: id, slug: 'second' }] })
  for (const written of [1, 0]) assert.equal((await space.export()).result.written, written)
  assert.equal((await repository.files())['two.md'], '---\nslug: second\n---\n\n# Two\n\n[three](three.md)\n')
})

test('an exported space is imported into another space unchanged', async () => {
  const repository = await server.repository('copy')
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', empty: true } })
  const add = async (...changes: object[]) => {
    const { status, body, text } = await space.who.post(`${space.path}/content`, { changes })
    assert.equal(status, 200, text)
    return body.changes.map((change: any) => change.page?.id ?? change.reusableContent?.id)
  }
  const [group] = await add(
    { operation: 'insert_page', type: 'group', metadata: { title: 'Before all', icon: 'star' }, document: {} },
    { operation: 'update_variables', variables: { version: '3', name: 'Acme: "x"' } },
    { operation: 'insert_reusable_content', title: 'Shared part', document: { markdown: '# A heading\n\nShared\n' } },
  )
  const contents = (await space.who.get(`${space.path}/content`)).body.reusableContents
  const [first, second] = await add(
    { operation: 'insert_page', document: { markdown: '# First\n\nOne\n' }, metadata: { slug: 'chosen' } },
    { operation: 'insert_page', document: { markdown: '# First\n\nTwo\n' }, into: group, metadata: { hidden: true } },
  )
  await add(
    {
      operation: 'insert_page',
      document: { markdown: `# Third\n\n{% include "/reusable-contents/${contents[0].id}" %}\n` },
      into: first,
    },
    { operation: 'insert_page', type: 'link', metadata: { title: 'To two' }, target: { kind: 'page', page: second } },
    {
      operation: 'insert_page',
      type: 'link',
      metadata: { title: 'Away' },
      target: { kind: 'url', url: 'https://example.com/?a=(b)' },
    },
    { operation: 'insert_page', type: 'group', metadata: { title: 'Last' }, document: {} },
  )
  const out = await space.export()
  assert.deepEqual([out.state, out.error], ['success', undefined])
  const copy = await aSyncedSpace(app, repository, { org: space.org })
  assert.equal((await copy.import()).state, 'success')

  const essence = async (path: string) => {
    const { body } = await space.who.get(`${path}/content?metadata=false`)
    const bare = (page: any): any => ({
      title: page.title,
      type: page.type,
      slug: page.slug,
      icon: page.icon,
      hidden: page.hidden,
      target: page.target?.url ?? page.target?.kind,
      pages: page.pages?.map(bare),
    })
    return [body.pages.map(bare), body.variables, body.reusableContents.map(({ title }: any) => title)]
  }
  assert.deepEqual(await essence(copy.path), await essence(space.path))
  assert.equal(outlineOf((await space.who.get(`${copy.path}/content`)).body.pages), await space.outline())
  const links = async (path: string) =>
    (await space.who.get(`${path}/links`)).body.items.map(({ status }: any) => status)
  assert.deepEqual(await links(copy.path), await links(space.path))
  assert.deepEqual(
    (await links(copy.path)).filter((status: string) => status !== 'ok'),
    [],
  )
})

test('links to items of the same batch and to signed addresses are exported as file paths', async () => {
  const repository = await server.repository('batch')
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', empty: true } })
  const { status, text } = await space.who.post(`${space.path}/content`, {
    changes: [
      { operation: 'insert_files', files: [{ name: 'shot.png', base64: png, ...shot }] },
      { operation: 'insert_page', ref: 'home', document: { markdown: '# Home\n\n[two](./two.md#part)\n' } },
      { operation: 'insert_page', ref: 'guide', document: { markdown: '# Guide\n' } },
      {
        operation: 'insert_page',
        ref: 'two',
        into: 'guide',
        document: { markdown: '# Two\n\n[home](./home.md) ![](./shot)\n\n{% include "./note" %}\n' },
      },
      {
        operation: 'insert_reusable_content',
        ref: 'note',
        title: 'Note',
        document: { markdown: '[two](./two) ![](./shot)\n' },
      },
    ],
  })
  assert.equal(status, 200, text)
  const { pages, files: uploaded } = (await space.who.get(`${space.path}/content`)).body
  const signed = { markdown: `# Guide\n\n![](${uploaded[0].downloadURL})\n` }
  const edited = await space.who.post(`${space.path}/content`, {
    changes: [{ operation: 'update_page', page: pages[1].id, document: signed }],
  })
  assert.equal(edited.status, 200, edited.text)
  assert.equal((await space.export()).state, 'success')

  const files = await repository.files()
  assert.equal(String(files['guide/README.md']), '# Guide\n\n![](../.gitbook/assets/shot.png)\n')
  assert.equal(String(files['README.md']), '# Home\n\n[two](guide/two.md#part)\n')
  assert.equal(
    String(files['guide/two.md']),
    '# Two\n\n[home](../README.md) ![](../.gitbook/assets/shot.png)\n\n{% include "../.gitbook/includes/note.md" %}\n',
  )
  assert.match(
    String(files['.gitbook/includes/note.md']),
    /\[two\]\(\.\.\/\.\.\/guide\/two\.md\) !\[\]\(\.\.\/assets\/shot\.png\)/,
  )
})

test('the text of a card to a page is exported as a file path, like its address', async () => {
  const repository = await server.repository('cards')
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', empty: true } })
  const change = async (...changes: object[]) => {
    const { status, text } = await space.who.post(`${space.path}/content`, { changes })
    assert.equal(status, 200, text)
  }
  const card = (to: string) => `{% content-ref url="${to}" %}\n[Two](${to})\n{% endcontent-ref %}\n`
  await change(
    { operation: 'insert_page', ref: 'two', document: { markdown: '# Two\n' } },
    { operation: 'insert_page', document: { markdown: `# Home\n\n${card('./two')}` } },
  )
  assert.equal((await space.export()).state, 'success')
  assert.equal(String((await repository.files())['home.md']), `# Home\n\n${card('README.md')}`)
})

test('the light and the dark image of a cover may each be a file or an address, and changes of either are exported', async () => {
  const repository = await server.repository('covers')
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', empty: true } })
  const edit = async (...changes: object[]) => {
    const { status, text } = await space.who.post(`${space.path}/content`, { changes })
    assert.equal(status, 200, text)
  }
  const file = { kind: 'file', file: 'shot' }
  const url = (name: string) => ({ kind: 'url', url: `https://example.com/${name}.png` })
  const page = (title: string, cover: object) => ({
    operation: 'insert_page',
    document: { markdown: `# ${title}\n` },
    metadata: { cover },
  })
  await edit(
    { operation: 'insert_files', files: [{ name: 'shot.png', base64: png, ...shot }] },
    page('Home', { ref: file, refDark: url('dark'), yPos: 10 }),
    page('Other', { ref: url('light'), refDark: file }),
  )
  assert.equal((await space.export()).state, 'success')
  const covers = async (path: string) =>
    (await space.who.get(`${path}/content`)).body.pages.map(({ cover }: any) => [
      cover?.ref.url ?? cover?.ref.kind,
      cover?.refDark?.url ?? cover?.refDark?.kind,
    ])
  const copy = await aSyncedSpace(app, repository, { org: space.org, space: { empty: true } })
  assert.equal((await copy.import()).state, 'success')
  const written = [
    ['file', 'https://example.com/dark.png'],
    ['https://example.com/light.png', 'file'],
  ]
  assert.deepEqual([await covers(space.path), await covers(copy.path)], [written, written])

  const { pages, files } = (await space.who.get(`${space.path}/content`)).body
  const kept = { kind: 'file', file: files[0].id }
  const change = (page: any, cover: object) => ({ operation: 'update_page', page: page.id, metadata: { cover } })
  await edit(
    change(pages[0], { ref: kept, refDark: url('night'), yPos: 10 }),
    change(pages[1], { ref: url('day'), refDark: kept }),
  )
  assert.equal((await space.export()).state, 'success')
  const changed = await repository.files()
  assert.match(String(changed['README.md']), /coverDark: https:\/\/example\.com\/night\.png/)
  assert.match(String(changed['other.md']), /cover: https:\/\/example\.com\/day\.png/)
})

test('syncing is refused for strangers, members without the right to it, and deleted spaces', async () => {
  const repository = await server.repository('rights', book)
  const space = await aSyncedSpace(app, repository)
  const body = { url: repository.url, ref: 'refs/heads/main', commitMessage: 'x' }
  const [editor, reviewer, creator] = await Promise.all(
    ['edit', 'review', 'create'].map((role) => space.org.member(role as never)),
  )
  const stranger = (await aSyncedSpace(app, repository)).who
  for (const operation of ['import', 'export']) {
    const ask = async (who: typeof stranger) => (await who.post(`${space.path}/git/${operation}`, body)).status
    assert.deepEqual([await ask(stranger), await ask(editor!.client), await ask(reviewer!.client)], [404, 403, 403])
  }
  assert.equal((await stranger.get(`${space.path}/git/info`)).status, 404)
  assert.equal((await creator!.client.post(`${space.path}/git/import`, body)).status, 204)
  const deleted = await aSpace(space.who, space.org.id)
  await space.who.delete(`/v1/spaces/${deleted.id}`)
  assert.equal((await space.who.post(`/v1/spaces/${deleted.id}/git/import`, body)).status, 404)
})
