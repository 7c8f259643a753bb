// Archives of documentation in the formats of other tools.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { projectImporter } from './testing/project.ts'
import { pixel } from './testing/site.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

const importProject = projectImporter(app)

test('a Docusaurus project is imported in its order, with included parts and without drafts', async () => {
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
    'site-main/docs/guides/_part.mdx is part of other pages, not a page itself',
    'site-main/docs/later.md is a draft: take that out of its front matter, and it comes along',
  ])
  assert.deepEqual(await links(), Array(6).fill('ok'))
  assert.match(await markdown('intro'), /# Intro\n\nA \*part\*\n\n\{% hint style="success" %\}\nSo\n\{% endhint %\}/)
  const { body } = await space.who.get(`${space.path}/content`)
  assert.deepEqual([body.pages[0].path, body.pages[0].pages[0].hidden], ['guides', true])
})

test('a Docusaurus page is MDX whatever its extension, and elsewhere a .md file is not', async () => {
  const text =
    'import logo from \'./logo.png\';\n\nexport const Mark = ({ children }) => (\n  <mark>{children}</mark>\n);\n\n# Page\n\n<img src={logo} alt="Logo" />\n\n{/* for us */}\n\nRead\n'
  const files = { 'docs/page.md': text, 'docs/logo.png': pixel }
  const { markdown, links } = await importProject({ ...files, 'docusaurus.config.js': 'export default {}\n' })
  assert.match(await markdown('page'), /^# Page\n\n<img src="\/files\/[\w-]+" alt="Logo" \/>\n+Read\n$/)
  assert.deepEqual(await links(), ['ok'])
  assert.match(await (await importProject(files)).markdown('page'), /export const Mark.*\{\/\* for us \*\/\}/s)
})

test('a Docusaurus project with versions and translations is imported as its current docs, and the others are reported', async () => {
  const page = '# Tea\n\n[Milk](milk.md)\n'
  const versions = ['versioned_docs/version-1.0', 'versioned_docs/version-2.0', 'api_versioned_docs/version-1.0']
  const files = ['docs', ...versions, 'i18n/fr/docusaurus-plugin-content-docs/current'].flatMap((folder) => [
    [`site-main/${folder}/tea.md`, page],
    [`site-main/${folder}/milk.md`, '# Milk\n'],
  ])
  const { outline, told, links } = await importProject({
    ...Object.fromEntries(files),
    'site-main/docusaurus.config.ts': 'export default {}\n',
    'site-main/versions.json': '["2.0", "1.0"]',
  })
  assert.equal(outline, 'Milk Tea')
  assert.deepEqual(await links(), ['ok'])
  const alone = 'pack it separately, and import it into its own space'
  assert.deepEqual(told.toSorted(), [
    `site-main/api_versioned_docs/version-1.0/ is another version of the documentation: ${alone}`,
    `site-main/i18n/fr/ is the documentation in another language: ${alone}`,
    `site-main/versioned_docs/version-1.0/ is another version of the documentation: ${alone}`,
    `site-main/versioned_docs/version-2.0/ is another version of the documentation: ${alone}`,
  ])
  const packedAlone = await importProject({ 'version-1.0/tea.md': page, 'version-1.0/milk.md': '# Milk\n' })
  assert.equal(packedAlone.outline, 'Milk Tea')
})

test('a Docusaurus project can be in a subfolder of its repository, and a folder without pages is no edition', async () => {
  const version = 'code-main/website/versioned_docs/version-1.0/'
  for (const docs of ['code-main/docs/', 'code-main/website/docs/']) {
    const { outline, told } = await importProject({
      [`${docs}tea.md`]: '# Tea\n',
      [`${version}tea.md`]: '# Tea\n',
      'code-main/website/docusaurus.config.js': 'module.exports = {}\n',
      'code-main/website/versions.json': '["1.0"]',
      'code-main/website/i18n/en/code.json': '{}',
      'code-main/website/i18n/fr/docusaurus-theme-classic/navbar.json': '{}',
    })
    assert.equal(outline, 'Tea', docs)
    assert.deepEqual(
      told.map((each: string) => each.split(' is ')[0]),
      [version],
    )
  }
})

test('a Docusaurus project that does not publish its current docs is imported as the version that it shows', async () => {
  const page = '# Tea\n\n[Milk](milk.md) [Sugar](/docs/sugar)\n'
  const config = (more: string) =>
    `export default { url: 'https://x.example', // includeCurrentVersion: true\n  presets: [['classic', { docs: { include: ['**/*.md'], ${more} }, blog: {} }]],\n  plugins: [['docs', { id: 'api', path: 'api' }]] }\n`
  const aProject = (settings: string, folders: string[]) => ({
    ...Object.fromEntries(
      folders.flatMap((folder) => [
        [`site-main/${folder}/tea.md`, page],
        [`site-main/${folder}/milk.md`, '# Milk\n'],
        [`site-main/${folder}/01-sugar.md`, `# Sugar ${folder.split('-').at(-1)}\n`],
      ]),
    ),
    'site-main/docusaurus.config.ts': settings,
    'site-main/versions.json': '["2.0", "1.0"]',
  })
  const folders = ['docs', 'versioned_docs/version-2.0', 'versioned_docs/version-1.0']
  const newest = await importProject(aProject(config('includeCurrentVersion: false'), folders))
  assert.equal(newest.outline, 'Sugar 2.0 Milk Tea')
  assert.deepEqual(await newest.links(), ['ok', 'ok'])
  const alone = 'pack it separately, and import it into its own space'
  assert.deepEqual(newest.told.toSorted(), [
    `site-main/docs/ is the next version, which the project does not publish: ${alone}`,
    `site-main/versioned_docs/version-1.0/ is another version of the documentation: ${alone}`,
  ])
  const last = await importProject(aProject(config("lastVersion: '1.0', includeCurrentVersion: false"), folders))
  assert.equal(last.outline, 'Sugar 1.0 Milk Tea')
  // Glob patterns in the settings look like comments, and another documentation of the project has versions as well.
  const patterns =
    "include: ['**/*.md', '**/*.mdx'], includeCurrentVersion: false, 'lastVersion': '1.0', exclude: ['**/_*/**']"
  const api = config(patterns)
    .replace('presets:', "themes: [['docs', { id: 'api', lastVersion: '2.0' }]], presets:")
    .replace("include: ['**/*.md'], ", '')
  assert.equal((await importProject(aProject(api, folders))).outline, 'Sugar 1.0 Milk Tea')
  // Documentation that is not published may be missing.
  const without = await importProject(aProject(config('includeCurrentVersion: false'), folders.slice(1)))
  assert.equal(without.outline, 'Sugar 2.0 Milk Tea')

  const all = await importProject(aProject(config(''), folders.slice(2)))
  assert.match(all.outline, /Sugar 1\.0 Milk Tea/)
  assert.deepEqual(all.told, [])

  // If the setting belongs to another documentation of the project or is in a comment, or if there is no version to
  // show, the current documentation is imported.
  const other = config('').replace("path: 'api'", "path: 'api', includeCurrentVersion: false")
  for (const settings of [other, config('/* includeCurrentVersion: false */'), config('includeCurrentVersion: true')])
    assert.equal((await importProject(aProject(settings, folders))).outline, 'Sugar docs Milk Tea', settings)
  const none = await importProject(aProject(config('includeCurrentVersion: false'), ['docs']))
  assert.equal(none.outline, 'Sugar docs Milk Tea')
})

test('an MkDocs project is imported in the order of its nav, with snippets from other files inserted', async () => {
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

test('content that pages include from other files is inserted in its place, as text or as code', async () => {
  const code = '---\nkind: A\n---\n# region one\n    x: 1\n# endregion one\n'
  const { markdown } = await importProject({
    'docs/a.md':
      '# A\n\n<!--@include: ./parts/basics.md-->\n\n<<< @/parts/code.yml#one{1 yaml} [Its name]\n\n``` yaml\n--8<-- "docs/parts/code.yml"\n```\n\n--8<-- "docs/parts/marked.md:part"\n\n--8<-- "docs/parts/lines.txt:2:3"\n\n<<< @/gone.js\n',
    'docs/b.mdx':
      '# B\n\nimport Source from \'!!raw-loader!./parts/code.js\';\nimport other from \'./parts/code.js?raw\';\n\n<CodeBlock language="js" title="Mine">{Source}</CodeBlock>\n\n<CodeBlock language="js">\n  {Source}\n</CodeBlock>\n\n<Code code={other} lang="ts" />\n\n```jsx\n<CodeBlock>{Source}</CodeBlock>\n```\n',
    'docs/parts/basics.md': '---\ntitle: Basics\n---\nText *here*\n',
    'docs/parts/code.yml': code,
    'docs/parts/code.js': '  f()\n',
    'docs/parts/marked.md': 'Not this\n<!-- --8<-- [start:part] -->\nThis\n<!-- --8<-- [end:part] -->\n',
    'docs/parts/lines.txt': 'one\ntwo\nthree\nfour\n',
  })
  assert.equal(
    await markdown('a'),
    `# A\n\nText *here*\n\n{% code title="Its name" %}\n\`\`\`yaml\nx: 1\n\`\`\`\n{% endcode %}\n\n\`\`\` yaml\n${code}\`\`\`\n\nThis\n\ntwo\nthree\n\n<<< @/gone.js\n`,
  )
  assert.equal(
    await markdown('b'),
    '# B\n\n{% code title="Mine" %}\n```js\n  f()\n```\n{% endcode %}\n\n```js\n  f()\n```\n\n```ts\n  f()\n```\n\n```jsx\n<CodeBlock>{Source}</CodeBlock>\n```\n',
  )
})

test('a Hugo project is ordered by weight, and its sections become their index pages', async () => {
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

test('Hugo front matter is read as TOML too, and a draft stays a draft', async () => {
  const { told, outline, markdown, space } = await importProject({
    'content/_index.md': '+++\ntitle = "Home"\n+++\n\nWelcome\n',
    'content/b.md':
      '+++\r\ntitle = "B \\"so\\""\r\nweight = 1\r\ntags = [\r\n  "x",\r\n]\r\n[menu.main]\r\ntitle = "Menu"\r\n+++\r\n\r\nText\r\n',
    'content/a.md':
      '+++\ntitle = "A \\u00e9" # said\ndescription = """Long\ntext"""\nweight = 2\ndate = 2020-01-01\n+++\n\nText\n',
    'content/later.md': '+++\ntitle = "Later"\ndraft = true\n+++\n\nText\n',
    'content/none.md': '+++ is no mark\n\nText\n',
  })
  assert.equal(outline, 'Home B "so" A é None')
  assert.deepEqual(told, ['content/later.md is a draft: take that out of its front matter, and it comes along'])
  assert.match(await markdown('b'), /Text\r?\n$/)
  assert.match(await markdown('none'), /\+\+\+ is no mark/)
  const { pages } = (await space.who.get(`${space.path}/content`)).body
  assert.equal(pages[2].description, 'Long\ntext')
})

test('a VitePress home page made of front matter says what readers saw', async () => {
  const { outline, markdown, links } = await importProject({
    'docs/index.md':
      '---\nlayout: home\nhero:\n  name: Acme\n  text: The *tool*\n  tagline: So good\n  actions:\n    - text: Start\n      link: /a\nfeatures:\n  - title: Fast\n    details: Very\n  - title: Small\n    link: ./a.md\n---\n\nMore\n',
    'docs/a.md': '# A {#top}\n',
  })
  assert.equal(outline, 'Acme A')
  assert.match(
    await markdown('acme'),
    /# Acme\n\n\*\*The \\\*tool\\\*\*\*\n\nSo good\n\n\[Start\]\(<?\/pages\/[\w-]+>?\)\n\n- \*\*Fast\*\*\n\n {2}Very\n- \*\*\[Small\]\(<?\/pages\/[\w-]+>?\)\*\*\n\nMore\n$/,
  )
  assert.deepEqual(await links(), ['ok', 'ok'])
})

test('in an archive of a single folder, addresses from the project root are found', async () => {
  const { links } = await importProject({
    'docs/a.md': '# A\n\n[1](/docs/b/c) [2](/docs/b/c.md#x) [3](/b/c) ![](/docs/img/d.png) [4](/docs/gone)\n',
    'docs/b/c.md': '# C\n\n## X\n',
    'docs/img/d.png': pixel,
  })
  assert.deepEqual((await links()).toSorted(), ['broken', 'ok', 'ok', 'ok', 'ok'])
})

test('links resolve to the addresses pages had on their site, without the number prefixes of Docusaurus', async () => {
  const { links, outline, markdown } = await importProject({
    'docusaurus.config.ts': '',
    'docs/02-guides/01-intro.md': 'Text\n',
    'docs/02-guides/10_deep-dive.md': '---\nslug: /dive\n---\n\nText\n',
    'docs/01-start.md':
      '[1](/docs/guides/intro) [2](/docs/dive) [3](/perma/) [4](/docs/2020-10-plan) [5](guides/intro)\n',
    'docs/2020-10-plan.md': 'Text\n',
    'docs/p.md': '---\npermalink: /perma\n---\n\nText\n',
  })
  assert.equal(outline, 'Start Guides (Intro Deep dive) 2020 10 plan P')
  assert.deepEqual(await links(), Array(5).fill('ok'), await markdown('01-start'))
})

test('anchors lead to their headings in the anchor styles of different tools', async () => {
  const { links, markdown } = await importProject({
    'a.md':
      '# A\n\n[6](b.md#b-and-c) [7](#a) [8](b.md#sect--dot-net-and-http-slash-3) [1](#install-run) [2](b.md#_2-steps_1) [3](b.md#own) [4](b.md#nowhere) [5](#user-s-guide)\n\n## Install & run\n\n## User’s guide\n',
    'b.md': '# B and C\n\n## 2. Steps\n\n## 2. Steps\n\n## Its own {#own}\n\n## .NET & HTTP/3\n',
  })
  assert.match(
    await markdown('a'),
    /\[6\]\(\/pages\/[\w-]+\) \[7\]\(\/pages\/[\w-]+\) \[8\]\(\/pages\/[\w-]+#net--http3\) \[1\]\(#install--run\) \[2\]\(\/pages\/[\w-]+#2-steps-1\) .*\[4\]\(\/pages\/[\w-]+#nowhere\)/,
  )
  assert.deepEqual((await links()).toSorted(), ['broken', ...Array(7).fill('ok')])
})

test('a Mintlify project is imported in its navigation order, with snippets in the pages that show them', async () => {
  const { told, outline, markdown, links } = await importProject({
    'docs.json': JSON.stringify({
      name: 'X',
      navigation: {
        tabs: [
          { tab: 'Guides', groups: [{ group: 'Start', pages: ['quick', { group: 'Deeper', pages: ['a/z', 'a/b'] }] }] },
          { tab: 'Reference', pages: ['/ref', 'GET /pets', 'gone', 'later'] },
          { tab: 'Blog', href: 'https://blog.test/' },
        ],
      },
    }),
    'a/b.mdx': '---\ntitle: B\n---\n',
    'a/z.mdx': '---\ntitle: Z\n---\n\n[b](/a/b)\n',
    'quick.mdx':
      '---\ntitle: Quick\n---\n\nimport Part from \'/snippets/part.mdx\'\n\n<Part />\n\n<img className="dark:hidden" src="/img/a.png" />\n<img className="hidden dark:block" src="/img/b.png" />\n',
    'img/a.png': pixel,
    'img/b.png': Buffer.concat([pixel, Buffer.from(' ')]),
    'later.mdx': '---\ntitle: Later\ndraft: true\n---\n',
    'ref.mdx': '---\ntitle: Ref\n---\n',
    'snippets/part.mdx': 'Taken\n',
  })
  assert.equal(outline, 'Guides (Start (Quick Deeper (Z B))) Reference (Ref) Blog')
  assert.deepEqual(told, [
    'snippets/part.mdx is part of other pages, not a page itself',
    'later.mdx is a draft: take that out of its front matter, and it comes along',
    'docs.json lists gone, which is not in the archive',
  ])
  assert.match(
    await markdown('guides/start/quick'),
    /Taken\n\n<picture><source srcset="\/files\/.*><img src="\/files\//,
  )
  assert.deepEqual(await links(), ['ok', 'ok', 'ok', 'ok'])
})

test('Jekyll pages that name a parent are placed below it, whatever folder they are in', async () => {
  const page = (title: string, said: string) => `---\ntitle: ${title}\n${said}\n---\n`
  const { outline } = await importProject({
    '_config.yml': 'theme: just-the-docs\n',
    'index.md': page('Home', 'nav_order: 1'),
    'docs/a.md': page('A', 'has_children: true\nnav_order: 2'),
    'docs/b.md': page('B', 'has_children: true\nnav_order: 3'),
    'docs/a-one.md': page('One', 'parent: A\nnav_order: 2'),
    'docs/b-one.md': page('One', 'parent: B'),
    'docs/a-two.md': page('Two', 'parent: A\nnav_order: 1'),
    'docs/deep.md': page('Deep', 'parent: One\ngrand_parent: B'),
    'docs/lost.md': page('Lost', 'parent: Nobody'),
    'docs/x.md': page('X', 'parent: Y'),
    'docs/y.md': page('Y', 'parent: X'),
  })
  assert.equal(outline, 'Home Docs (A (Two One) B (One (Deep)) Lost Y (X))')
})

test('layouts, themes and other build files of a project are not imported', async () => {
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

test('a wiki is imported in the order of its sidebar', async () => {
  const { told, outline } = await importProject({
    'Home.md': 'Welcome\n',
    '_Sidebar.md': '* [Home](Home)\n* [Set up](Set-up)\n  * [Again](Again.md)\n',
    '_Footer.md': 'End\n',
    'Again.md': 'x\n',
    'Set-up.md': 'x\n',
  })
  assert.equal(outline, 'Home Set up (Again)')
  assert.deepEqual(told, ['_Footer.md is part of other pages, not a page itself'])
})

test('an archived book repository is imported from the root folder that its settings name', async () => {
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

test('an archive whose book root does not exist is imported as a whole', async () => {
  const { told, outline } = await importProject({ '.gitbook.yaml': 'root: ./doc/\n', 'docs/a.md': '# A\n' })
  assert.equal(outline, 'A')
  assert.deepEqual(told, ['.gitbook.yaml names doc as its root, which is not in the archive: all of it is read'])
})

test('a symbolic link in an archive is skipped, reported and never followed, and the rest is imported', async () => {
  const { told, outline, links, markdown } = await importProject(
    { 'p-main/docs/a.md': '# A\n\n[b](b.md) ![](logo.png)\n', 'p-main/img/logo.png': pixel },
    { 'p-main/docs/b.md': 'a.md', 'p-main/docs/logo.png': '../img/logo.png', 'p-main/docs/passwd.md': '/etc/passwd' },
  )
  assert.equal(outline, 'A')
  const reason = 'is a symbolic link, which is not followed'
  assert.deepEqual(told, [
    `p-main/docs/b.md ${reason}`,
    `p-main/docs/logo.png ${reason}`,
    `p-main/docs/passwd.md ${reason}`,
    'p-main/docs/logo.png is missing in the upload',
  ])
  assert.deepEqual([await markdown('a'), await links()], ['# A\n\n[b](b.md) ![](logo.png)\n', ['broken', 'broken']])
})

test('a page that a summary lists again, or by an anchor, becomes a link there', async () => {
  const { told, outline, space } = await importProject({
    'README.md': '# Book\n',
    'a.md': '# A\n',
    'b.md': '# B\n\n## Über uns\n',
    'c.md': '# C\n',
    'SUMMARY.md':
      '# Summary\n\n* [Book](README.md)\n* [About](b.md#über-uns)\n* [A](a.md)\n  * [B](b.md)\n\n## Again\n\n* [The A](a.md)\n  * [C](c.md)\n* [The B](b.md)\n',
  })
  assert.deepEqual(told, [])
  assert.equal(outline, 'Book About A (B) Again (The A (The A C) The B)')
  const { pages } = (await space.who.get(`${space.path}/content`)).body
  const [, about, a, { pages: [again, last] }] = pages // prettier-ignore
  assert.deepEqual(about.target, { kind: 'anchor', page: a.pages[0].id, anchor: 'über-uns' })
  assert.deepEqual([again.pages[0].type, again.pages[0].target], ['link', { kind: 'page', page: a.id }])
  assert.deepEqual(last.target, { kind: 'page', page: a.pages[0].id })
})

test('an mdBook is imported with the parts it includes from other files, and code keeps its language', async () => {
  const { outline, markdown, told } = await importProject({
    'book.toml': '[book]\ntitle = "B"\n',
    'src/SUMMARY.md': '# Summary\n\n[Preface](preface.md)\n\n# Part\n\n- [One](one.md)\n',
    'src/preface.md': '{{#title The book}}\n# Preface\n\n{{#include ../NOTICE.txt}}\n\n{{#include gone.txt}}\n',
    'src/one.md':
      '# One\n\n```rust,ignore\n{{#rustdoc_include ../code/a.rs:part}}\n```\n\n```rust\n{{#include ../code/a.rs:4}}\n```\n\n{{#playground ../code/b.rs editable}}\n\n```\n{{#include ../code/b.rs::1}}\n```\n',
    'NOTICE.txt': 'Ours\n',
    'code/a.rs': '// ANCHOR: part\nfn a() {}\n// ANCHOR_END: part\nfn b() {}\n',
    'code/b.rs': 'fn c() {}\nfn d() {}\n',
  })
  assert.deepEqual([outline, told], ['Preface Part (One)', []])
  assert.equal(await markdown('preface'), '# Preface\n\nOurs\n\n{{#include gone.txt}}\n')
  assert.equal(
    await markdown('part/one'),
    '# One\n\n```rust\nfn a() {}\n```\n\n```rust\nfn b() {}\n```\n\n```rust\nfn c() {}\nfn d() {}\n```\n\n```\nfn c() {}\n```\n',
  )
})

test('an index page can be named without its extension in menus, in links, and at the top level', async () => {
  const navigation = { groups: [{ group: 'Start', pages: ['index', 'guide/index', 'guide/a'] }] }
  const { outline, told, links } = await importProject({
    'docs.json': JSON.stringify({ navigation }),
    'index.mdx': '---\ntitle: Home\n---\n\n[g](/guide/index) [a](guide/a)\n',
    'guide/index.mdx': '---\ntitle: Guide\n---\n\n[h](../index) [a](./a)\n',
    'guide/a.mdx': '---\ntitle: A\n---\n',
  })
  assert.deepEqual([outline, told, await links()], ['Start (Home Guide A)', [], ['ok', 'ok', 'ok', 'ok']])
})

test('a page without a title is titled as the table of contents calls it', async () => {
  const pages = { 'README.md': 'Text\n', 'a1.md': 'Text\n\n## Part\n', 'b.md': '# Own title\n', 'c-d.md': 'Text\n' }
  const book = { ...pages, 'SUMMARY.md': '* [Welcome](README.md)\n* [Set *it* up](a1.md)\n* [B](b.md)\n' }
  const { outline, space } = await importProject(book)
  assert.equal(outline, 'Welcome Set it up Own title C d')
  const { body } = await space.who.get(`${space.path}/content`)
  assert.deepEqual([body.pages[0].slug, body.pages[1].slug], ['welcome', 'a1'])
  const nav = 'nav:\n  - Welcome: README.md\n  - Set it up: a1.md\n  - b.md\n  - c-d.md\n'
  assert.equal((await importProject({ ...inFolder('docs', pages), 'mkdocs.yml': nav })).outline, outline)
})

test("an address from the site root is found in the site's source folder, even beside a repository README", async () => {
  const page = '# A\n\n[b](/sub/b) [b](/sub/b/#part) ![](/img/logo.png)\n'
  const site = { 'a.md': page, 'sub/b.md': '# B\n\n## Part\n\n![](/img/logo.png) [a](/a.html)\n' }
  const layouts = [
    { ...inFolder('p-main/docs', site), 'p-main/docs/public/img/logo.png': pixel }, // VitePress
    { ...inFolder('p-main/docs', site), 'p-main/docs/img/logo.png': pixel }, // MkDocs
    { ...inFolder('p-main/src/content/docs', site), 'p-main/public/img/logo.png': pixel }, // Starlight
    { ...inFolder('p-main/content', site), 'p-main/static/img/logo.png': pixel }, // Hugo
  ]
  for (const files of layouts) {
    const { told, links } = await importProject({ ...files, 'p-main/README.md': '# Repository\n' })
    assert.deepEqual([told, await links()], [[], Array(5).fill('ok')], Object.keys(files).join(' '))
  }
})

const inFolder = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))

test('a folder page whose parent is in its own folder is not lost, nor are the pages below it', async () => {
  const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}\n---\n\nText\n`
  const { outline } = await importProject({
    '_config.yml': 'title: X\n',
    'index.md': page('Home'),
    'docs/index.md': page('A', 'parent: B'),
    'docs/b.md': page('B'),
    'docs/c.md': page('C'),
  })
  assert.deepEqual(outline.match(/\w+/g)?.toSorted(), ['A', 'B', 'C', 'Home'])

  const chain = Array.from({ length: 150 }, (_, n) => [`p${n}.md`, page(`P${n}`, `parent: P${n + 1}`)])
  const long = await importProject({
    '_config.yml': 'title: X\n',
    'index.md': page('Home'),
    ...Object.fromEntries(chain),
  })
  assert.equal(long.outline.match(/\w+/g)?.length, 151)
})
