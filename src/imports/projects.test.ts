// Documentation as other tools keep it, in an archive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { aSite, pixel } from './testing/site.ts'
import { zipOf } from './testing/zip.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

async function importProject(files: Record<string, string | Buffer>) {
  const space = await aLiveSpace(app)
  const zip = zipOf(Object.entries(files).map(([name, bytes]) => ({ name, bytes })))
  const site = await aSite({ '/x.zip': zip })
  const made = await space.who.post(`${space.path}/content/import`, { url: site.url('/x.zip'), source: 'zip' })
  assert.equal(made.status, 201, made.text)
  const links = async () =>
    (await space.who.get(`${space.path}/links`)).body.items.map(({ status }: any) => status as string)
  const markdown = async (path: string) =>
    (await space.who.get(`${space.path}/content/path/${encodeURIComponent(path)}?format=markdown`)).body.markdown
  const told = made.body.skipped.map(({ source, reason }: any) => `${source} ${reason}`)
  return { space, told, links, markdown, outline: await space.outline() }
}

test('a project of Docusaurus comes in its order, with what its pages show, and without drafts', async () => {
  const { told, links, markdown, outline, space } = await importProject({
    'site-main/docs/intro.mdx':
      "---\nsidebar_position: 2\n---\n\nimport X from '@theme/X';\nimport Part from './guides/_part.mdx';\n\n# Intro\n\n<Part />\n\n:::tip\nSo\n:::\n\n[a](./guides/install.mdx) [b](/docs/guides/install) [c](@site/docs/guides/zeta.md) [d](/guides/zeta) ![](/img/logo.png) ![](@site/static/img/logo.png)\n",
    'site-main/docs/guides/_category_.json': '{"label": "How-to guides", "position": 1}',
    'site-main/docs/guides/install.mdx': '---\nsidebar_position: 10\n---\n\n# Install\n',
    'site-main/docs/guides/zeta.md': '---\nsidebar_position: 9\nunlisted: true\n---\n\n# Zeta\n',
    'site-main/docs/guides/_part.mdx': 'A *part*\n',
    'site-main/docs/later.md': '---\ndraft: true\n---\n\n# Later\n',
    'site-main/docs/about.md': '---\nsidebar_label: About us\n---\n\nText\n',
    'site-main/static/img/logo.png': pixel,
  })
  assert.equal(outline, 'How-to guides (Zeta Install) Intro About us')
  assert.deepEqual(told, [
    'site-main/docs/guides/_part.mdx is a part of other pages, and no page itself',
    'site-main/docs/later.md is a draft: take that out of its front matter, and it comes along',
  ])
  assert.deepEqual(await links(), Array(6).fill('ok'))
  assert.match(await markdown('intro'), /# Intro\n\nA \*part\*\n\n\{% hint style="success" %\}\nSo\n\{% endhint %\}/)
  const { body } = await space.who.get(`${space.path}/content`)
  assert.deepEqual([body.pages[0].path, body.pages[0].pages[0].hidden], ['guides', true])
})

test('a project of MkDocs comes in the order of its menu, its pages with what they take from other files', async () => {
  const { told, links, outline, markdown } = await importProject({
    'mkdocs.yml':
      'site_name: X\nnav:\n  - Home: index.md\n  - Guide:\n      - guide/writing.md\n      - Styling: guide/styling.md\n  - Code: https://example.com/code\n  - Gone: gone.md\nmarkdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n',
    'docs/index.md': '# Home\n\n[a](guide/writing.md)\n',
    'docs/guide/styling.md':
      '# Styling\n\n--8<-- "snippets/note.md"\n\n!!! tip\n    --8<-- "docs/parts/tip.txt"\n\n--8<-- "gone.md"\n',
    'snippets/note.md': '---\nx: 1\n---\nTaken\n',
    'docs/parts/tip.txt': 'One\n\nTwo\n',
    'docs/guide/writing.md': '# Writing\n\n![](../img/a.png){ width="3" }\n',
    'docs/img/a.png': pixel,
  })
  assert.equal(outline, 'Home Guide (Writing Styling) Code Note')
  assert.equal(
    await markdown('guide/styling'),
    '# Styling\n\nTaken\n\n{% hint style="success" %}\nOne\n\nTwo\n{% endhint %}\n\n--8<-- "gone.md"\n',
  )
  assert.deepEqual(told, ['mkdocs.yml lists docs/gone.md, which is not in the archive'])
  assert.deepEqual(await links(), ['ok', 'ok', 'ok'])
})

test('a project of Hugo comes by its weights, its sections being the pages that they have', async () => {
  const { links, outline } = await importProject({
    'content/docs/_index.md': '---\ntitle: Docs\n---\n\n[a]({{< ref "b/a.md" >}}) [b](/b/z)\n',
    'content/docs/b/_index.md': '---\ntitle: Part B\nweight: 1\n---\n',
    'content/docs/b/a.md': '---\ntitle: A\nweight: 20\n---\n\n{{< figure src="/images/a.png" >}}\n',
    'content/docs/b/z.md': '---\ntitle: Z\nweight: 10\n---\n',
    'content/docs/a.md': '---\ntitle: First\nweight: 2\n---\n',
    'static/images/a.png': pixel,
  })
  assert.equal(outline, 'Docs Part B (Z A) First')
  assert.deepEqual(await links(), ['ok', 'ok', 'ok'])
})

test('anchors lead to their headings, in whichever way a tool makes them', async () => {
  const { links, markdown } = await importProject({
    'a.md':
      '# A\n\n[1](#install-run) [2](b.md#_2-steps_1) [3](b.md#own) [4](b.md#nowhere) [5](#user-s-guide)\n\n## Install & run\n\n## User’s guide\n',
    'b.md': '# B\n\n## 2. Steps\n\n## 2. Steps\n\n## Its own {#own}\n',
  })
  assert.match(
    await markdown('a'),
    /\[1\]\(#install--run\) \[2\]\(\/pages\/[\w-]+#2-steps-1\) .*\[4\]\(\/pages\/[\w-]+#nowhere\)/,
  )
  assert.deepEqual((await links()).toSorted(), ['broken', 'ok', 'ok', 'ok', 'ok'])
})

test('what a project is built with is no content of it', async () => {
  const template = '<html><body><main><h1>{{ page.title }}</h1><p>{{ content }}</p></main></body></html>'
  const jekyll = await importProject({
    '_layouts/default.html': template,
    '_includes/head.html': template,
    'node_modules/x/README.md': '# X\n',
    'docs/a.md': '---\ntitle: A\nnav_order: 2\n---\n',
    'docs/b.md': '---\ntitle: B\nnav_order: 1\n---\n',
  })
  assert.deepEqual([jekyll.outline, jekyll.told], ['B A', []])
  const hugo = await importProject({
    'hugo.toml': 'title = "X"\n',
    'layouts/single.html': template,
    'themes/x/README.md': '# Theme\n',
    'archetypes/default.md': '---\ndraft: true\n---\n',
    'content/themes/a.md': '---\ntitle: A\n---\n',
    'content/b.md': '---\ntitle: B\n---\n',
  })
  assert.deepEqual([hugo.outline, hugo.told], ['B Themes (A)', []])
})

test('a wiki comes in the order of its sidebar', async () => {
  const { told, outline } = await importProject({
    'Home.md': 'Welcome\n',
    '_Sidebar.md': '* [Home](Home)\n* [Set up](Set-up)\n  * [Again](Again.md)\n',
    '_Footer.md': 'End\n',
    'Again.md': 'x\n',
    'Set-up.md': 'x\n',
  })
  assert.equal(outline, 'Home Set up (Again)')
  assert.deepEqual(told, ['_Footer.md is a part of other pages, and no page itself'])
})

test('a repository of a book that is packed up comes from the folder that it names', async () => {
  const { told, links, outline } = await importProject({
    'book-main/.gitbook.yaml':
      'root: ./docs/\nstructure:\n  summary: TOC.md\nredirects:\n  old: setup.md\n  older: setup.md\n',
    'book-main/README.md': '# About the repository\n',
    'book-main/src/notes.md': '# Notes\n',
    'book-main/docs/README.md': '# Welcome\n\n[a](/setup.md) ![](../pictures/a.png)\n',
    'book-main/docs/TOC.md': '* [Setup](setup.md)\n* [Welcome](README.md)\n',
    'book-main/docs/setup.md': '# Setup\n',
    'book-main/pictures/a.png': pixel,
  })
  assert.equal(outline, 'Setup Welcome')
  assert.deepEqual(await links(), ['ok', 'ok'])
  assert.deepEqual(told, [
    'book-main/.gitbook.yaml has redirects, which come with a repository or a folder and not with an archive',
  ])
})

test('an archive whose book is not where it says comes all the same', async () => {
  const { told, outline } = await importProject({ '.gitbook.yaml': 'root: ./doc/\n', 'docs/a.md': '# A\n' })
  assert.equal(outline, 'A')
  assert.deepEqual(told, ['.gitbook.yaml names doc as its root, which is not in the archive: all of it is read'])
})

test('a database of Notion comes as a table, whose rows lead to their pages', async () => {
  const id = 'd'.repeat(32)
  const { told, links, outline, markdown } = await importProject({
    [`Home ${id}.md`]: `# Home\n\n[Tasks](Home%20${id}/Tasks%20${id}.csv) [Raw](Home%20${id}/raw.csv)\n`,
    [`Home ${id}/Tasks ${id}.csv`]: '\uFEFFName,Note\r\nFix: it,"a | b, ""so""\nmore"\r\nNo page,*x*\r\n',
    [`Home ${id}/Tasks ${id}_all.csv`]: 'Name,Note,More\n',
    [`Home ${id}/Tasks ${id}/Fix it ${id}.md`]: '# Fix: it\n',
    [`Home ${id}/raw.csv`]: 'a,b\n',
  })
  assert.equal(outline, 'Home (Tasks (Fix: it))')
  assert.deepEqual([told, await links()], [[], ['ok', 'ok', 'ok']])
  assert.match(
    await markdown('home/tasks'),
    /^# Tasks\n\n\| Name \| Note \|\n\| --- \| --- \|\n\| \[Fix: it\]\(<?\/pages\/[\w-]+>?\) \| a \\\| b, "so"<br>more \|\n\| No page \| \\\*x\\\* \|\n$/,
  )
})
