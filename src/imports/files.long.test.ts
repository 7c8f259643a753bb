import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace } from '../../test/editing.ts'
import { docx } from './testing/docx.ts'
import { aSite, pixel } from './testing/site.ts'
import { type Packed, zipOf } from './testing/zip.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

async function importFile(space: EditedSpace, name: string, bytes: Buffer | string, source: string) {
  const site = await aSite({ [`/${name}`]: bytes, '/a.png': pixel })
  return space.who.post(`${space.path}/content/import`, { url: site.url(`/${name}`), source })
}

async function markdownOf(space: EditedSpace, path: string): Promise<string> {
  const { status, body, text } = await space.who.get(
    `${space.path}/content/path/${encodeURIComponent(path)}?format=markdown`,
  )
  assert.equal(status, 200, text)
  return body.markdown
}

test('a Markdown file is imported unchanged, with the pictures that it shows', async () => {
  const space = await aLiveSpace(app)
  const text =
    '---\ndescription: Says what\n---\n\n# A file\n\n{% hint style="info" %}\nKept\n{% endhint %}\n\n![](a.png)\n'
  const made = await importFile(space, 'my-file.md', text, 'markdown')
  assert.equal(made.status, 201, made.text)
  const { body } = await space.who.get(`${space.path}/content`)
  assert.deepEqual(
    [body.pages[0].title, body.pages[0].description, body.pages[0].slug],
    ['A file', 'Says what', 'my-file'],
  )
  assert.match(
    await markdownOf(space, 'my-file'),
    /\{% hint style="info" %\}\nKept\n\{% endhint %\}\n\n!\[\]\([^)]*\.png\)|files/,
  )
  assert.equal((await space.who.get(`${space.path}/content/files`)).body.count, 1)
})

test('a word processor document is imported as a page, and a broken one is refused', async () => {
  const space = await aLiveSpace(app)
  const words = (text: string, style = '') =>
    `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const made = await importFile(space, 'letter.docx', docx(words('Report', 'Heading1') + words('All is well.')), 'docx')
  assert.equal(made.status, 201, made.text)
  assert.equal(await markdownOf(space, 'letter'), '# Report\n\nAll is well.\n')

  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'
    .split('')
    .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghij'[index]};`.repeat(10)}">`)
    .join('')}]>`
  for (const bytes of [
    Buffer.from('PK broken'),
    zipOf([{ name: 'x.xml', bytes: 'x' }]),
    docx(`${bomb}<w:p>&j;</w:p>`),
  ]) {
    const refused = await importFile(space, 'broken.docx', bytes, 'docx')
    assert.equal(refused.status, 400, refused.text)
  }
  assert.equal(await space.outline(), 'Report')
})

test('a Notion export keeps its page tree, without the ids that Notion adds to names', async () => {
  const space = await aLiveSpace(app)
  const id = 'd'.repeat(32)
  const made = await importFile(
    space,
    'export.zip',
    zipOf([
      { name: `Home ${id}.md`, bytes: `# Home\n\n[Sub](Home%20${id}/Sub%20page%20${id}.md) ![](Home%20${id}/a.png)\n` },
      { name: `Home ${id}/Sub page ${id}.md`, bytes: '# Sub page\n\nText\n' },
      { name: `Home ${id}/a.png`, bytes: pixel },
      { name: '__MACOSX/._Home.md', bytes: 'litter' },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'Home (Sub page)')
  const { body } = await space.who.get(`${space.path}/content`)
  assert.equal(body.pages[0].pages[0].path, 'home/sub-page')
  const { body: links } = await space.who.get(`${space.path}/content/page/${body.pages[0].id}/links`)
  assert.deepEqual([made.body.importedResources, made.body.skipped, links.items.length > 0], [2, [], true])
})

test('a Notion export zipped twice and in parts is imported as one, and a third level of archives is not', async () => {
  const space = await aLiveSpace(app)
  const id = 'd'.repeat(32)
  const part = (files: Packed[]) => zipOf(files)
  const made = await importFile(
    space,
    'export.zip',
    zipOf([
      {
        name: 'Export-Part-2.zip',
        bytes: part([
          { name: `Home ${id}/Sub ${id}.md`, bytes: '# Sub\n' },
          { name: `Home ${id}/a.png`, bytes: pixel },
          { name: 'third.zip', bytes: part([{ name: 'x.md', bytes: '# X' }]) },
        ]),
      },
      {
        name: 'Export-Part-1.zip',
        bytes: part([
          { name: `Home ${id}.md`, bytes: `# Home\n\n[S](Home%20${id}/Sub%20${id}.md) ![](Home%20${id}/a.png)\n` },
        ]),
      },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'Home (Sub)')
  assert.match(await markdownOf(space, 'home'), /\[S\]\(\/pages\/.*!\[\]\(\/files\//)
  assert.deepEqual(
    made.body.skipped.map(({ source }: any) => source),
    ['third.zip'],
  )

  const packed = zipOf([{ name: 'b.zip', bytes: zipOf([{ name: 'c.md', bytes: '# C' }]) }])
  const refused = await importFile(space, 'thrice.zip', zipOf([{ name: 'a.zip', bytes: packed }]), 'zip')
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /contains another archive, b\.zip/)
})

test('Notion callouts in Markdown become hints, and other asides stay unchanged', async () => {
  const space = await aLiveSpace(app)
  const text = [
    '<aside>\n💡 **Mind** [this](b.md)\n\n- too\n\n</aside>',
    '<aside>\n⚠️\n\nHot\n\n</aside>',
    '<aside>\nPlain\n</aside>',
    '```html\n<aside>\n💡 Code\n\n</aside>\n```',
    '<aside>\n💡 Never ends',
  ]
  const made = await importFile(
    space,
    'export.zip',
    zipOf([
      { name: 'a.md', bytes: `# A\n\n${text.join('\n\n')}\n` },
      { name: 'b.md', bytes: '# B\n' },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  const { body } = await space.who.get(`${space.path}/content`)
  const hints = [
    `{% hint style="info" %}\n**Mind** [this](/pages/${body.pages[1].id})\n\n- too\n{% endhint %}`,
    '{% hint style="warning" %}\nHot\n{% endhint %}',
  ]
  assert.equal((await markdownOf(space, 'a')).trim(), ['# A', ...hints, ...text.slice(2)].join('\n\n'))
})

test('files of an archive are found by any form of link, and no file takes the place of another', async () => {
  const space = await aLiveSpace(app)
  const shown = ['big.png?width=300', 'logo@2x.png', 'R&D.png', 'u\u0308ber.png'.normalize(), 'big.png']
  const made = await importFile(
    space,
    'book.zip',
    zipOf([
      { name: 'start.md', bytes: `# Start\n\n${shown.map((each) => `![](${each})`).join('\n\n')}\n` },
      ...['big.png', 'logo@2x.png', 'R&D.png', 'u\u0308ber.png'].map((name) => ({ name, bytes: pixel })),
      { name: 'guide.md', bytes: '# Guide\n\n[one](guide/README.md) [two](guide/index.md) [three](guide.md#a)\n' },
      { name: 'guide/README.md', bytes: '# Readme\n' },
      { name: 'guide/index.md', bytes: '# Index\n' },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.skipped, [])
  assert.equal((await space.who.get(`${space.path}/content/files`)).body.count, 4)
  assert.equal((await markdownOf(space, 'start')).match(/\(\/files\//g)?.length, 5)
  assert.equal(await space.outline(), 'Guide (Readme Index) Start')
  const { body } = await space.who.get(`${space.path}/content`)
  const [{ id, pages }] = body.pages
  const text = await markdownOf(space, 'guide')
  for (const [word, title] of Object.entries({ one: 'Readme', two: 'Index' })) {
    assert.ok(text.includes(`[${word}](/pages/${pages.find((each: any) => each.title === title).id})`), text)
  }
  assert.ok(text.includes('[three](#a)') || text.includes(`[three](/pages/${id}#a)`), text)
})

test('a missing picture is reported, whatever characters its name has', async () => {
  const space = await aLiveSpace(app)
  const zip = zipOf([{ name: 'sale.md', bytes: '# Sale\n\n![](50%.png) ![](caf%C3%A9.png)\n' }])
  const made = await importFile(space, 'sale.zip', zip, 'zip')
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.skipped, [
    { source: '50%.png', reason: 'is missing in the upload' },
    { source: 'café.png', reason: 'is missing in the upload' },
  ])
})

test('a picture embedded as a data URL is imported, whether plain, percent-encoded or base64', async () => {
  const space = await aLiveSpace(app)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 9 9"><title>ü</title></svg>'
  const asText = {
    plain: `data:image/svg+xml;utf8,${svg}`,
    escaped: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    base64: `data:image/svg+xml;base64,${encodeURIComponent(Buffer.from(svg).toString('base64'))}`,
  }
  for (const [name, url] of Object.entries(asText)) {
    const html = `<h1>Page ${name}</h1><p>Shows <img alt="it" src="${url.replaceAll('"', '&quot;')}"> here.</p>`
    const made = await importFile(space, `${name}.html`, html, 'html')
    assert.equal(made.status, 201, made.text)
    assert.match(await markdownOf(space, name), /Shows !\[it\]\([^)]+\) here\./, name)
  }
  const { items } = (await space.who.get(`${space.path}/content/files`)).body
  const bytes = items.map(({ size }: { size: number }) => size)
  assert.deepEqual(bytes, Array(3).fill(Buffer.byteLength(svg)))
})

test('a text file is read in its own encoding', async () => {
  const space = await aLiveSpace(app)
  const text = '# Größe\n\nCafé\n'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  const made = await importFile(
    space,
    'old.zip',
    zipOf([
      { name: 'a.md', bytes: Buffer.from(text, 'latin1') },
      { name: 'b.md', bytes: utf16 },
      { name: 'c.md', bytes: Buffer.from(utf16).swap16() },
      { name: 'd.md', bytes: `\ufeff${text}` },
      { name: 'e.html', bytes: Buffer.from('<h1>Größe</h1><p>Café</p>', 'latin1') },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  for (const path of ['a', 'b', 'c', 'd', 'e']) assert.equal(await markdownOf(space, path), text)
})

test('file names in a macOS archive are read as UTF-8, although they are not marked as such', async () => {
  const space = await aLiveSpace(app)
  const named = (name: string, bytes: Buffer | string) => ({
    name,
    bytes,
    unmarked: Buffer.from(name.normalize('NFD')),
  })
  const made = await importFile(
    space,
    'mac.zip',
    zipOf([
      named('README.md', '# Start\n\n[one](Übersicht.md) [two](手引き/ガイド.md) ![](Größe.png)\n'),
      named('Übersicht.md', 'Text\n'),
      named('手引き/ガイド.md', 'Text\n'),
      named('Größe.png', pixel),
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.skipped, [])
  assert.match(await markdownOf(space, 'start'), /\[one\]\(\/pages\/.*\[two\]\(\/pages\/.*!\[\]\(\/files\//)
  assert.match(await space.outline(), /Übersicht .*ガイド/)
})

test('file names and texts in old Windows encodings are decoded by the language of the space', async () => {
  const cases = [
    ['ja', '834b834383682f82cd82b682df82c92e6d64', '967b95b681422e', 'はじめに', '本文。.'],
    ['zh', 'd6b8c4cf2fb0b2d7b0cbb5c3f72e6d64', 'd5fdcec4a1a3', '安装说明', '正文。'],
    ['ko', 'bec8b3bb2fbcb3c4a12e6d64', 'baBBb9ae2e', '설치', '본문.'],
    ['ru', '90e3aaa2aee1e2a2ae2f93e1e2a0adaea2aaa02e6d64', 'd2e5eaf1f22e', 'Установка', 'Текст.'],
  ] as const
  for (const [language, name, text, title, words] of cases) {
    const space = await aLiveSpace(app)
    assert.equal((await space.who.patch(space.path, { language })).status, 200)
    const packed = { name: '', unmarked: Buffer.from(name, 'hex'), bytes: Buffer.from(text, 'hex') }
    const made = await importFile(space, 'windows.zip', zipOf([packed, { name: 'a.md', bytes: '# A\n' }]), 'zip')
    assert.equal(made.status, 201, made.text)
    assert.match(await space.outline(), new RegExp(title))
    const { body } = await space.who.get(`${space.path}/search?query=${encodeURIComponent(words)}`)
    assert.deepEqual(
      body.items.map((each: any) => each.title),
      [title],
      language,
    )
  }
})

test('a Confluence export is imported in the order of its index', async () => {
  const space = await aLiveSpace(app)
  const page = (title: string) =>
    `<html><body><h1 id="title-heading"><span id="title-text">Team : ${title}</span></h1><div id="content" class="view"><div class="page-metadata">Created by Ada</div><div id="main-content" class="wiki-content group">About ${title}</div><div class="pageSection group"><h2>Attachments:</h2></div></div></body></html>`
  const item = (path: string, title: string, below = '') => `<li><a href="${path}">${title}</a>${below}</li>`
  const list = `<ul>${item('Zebra_65601.html', 'Zebra', `<ul>${item('65602.html', 'Over & out')}</ul><ul>${item('Apple-pie_65603.html', 'Apple pie')}</ul>`)}</ul>`
  const details =
    '<div id="main-content" class="pageSection"><table class="confluenceTable"><tr><th>Key</th><td>TEAM</td></tr></table></div>'
  const made = await importFile(
    space,
    'space.zip',
    zipOf([
      { name: 'TEAM/Apple-pie_65603.html', bytes: page('Apple pie') },
      { name: 'TEAM/Zebra_65601.html', bytes: page('Zebra') },
      { name: 'TEAM/65602.html', bytes: page('Over &amp; out') },
      {
        name: 'TEAM/index.html',
        bytes: `<html><body><h1 id="title-heading"><span id="title-text">Space Details:</span></h1><div id="content">${details}<div class="pageSection"><h2 class="pageSectionTitle">Available Pages:</h2>${list}</div></div></body></html>`,
      },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'Zebra (Over & out Apple pie)')
  const { body } = await space.who.get(`${space.path}/content`)
  assert.deepEqual(
    [body.pages[0].path, ...body.pages[0].pages.map(({ path }: any) => path)],
    ['zebra', 'zebra/over-out', 'zebra/apple-pie'],
  )
  assert.equal((await markdownOf(space, 'zebra')).trim(), '# Zebra\n\nAbout Zebra')
})

test('a book is imported in the order of its summary, with groups and a first page', async () => {
  const space = await aLiveSpace(app)
  const made = await importFile(
    space,
    'book.zip',
    zipOf([
      { name: 'book/README.md', bytes: '# Book\n\n[b](part/b.md#x)\n' },
      { name: 'book/part/a.md', bytes: '# A\n' },
      { name: 'book/part/b.md', bytes: '# B\n' },
      {
        name: 'book/SUMMARY.md',
        bytes: '# Summary\n\n* [Book](README.md)\n\n## Part\n\n* [B](part/b.md)\n  * [A](part/a.md)\n',
      },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'Book Part (B (A))')
  assert.equal((await space.who.get(`${space.path}/content`)).body.pages[1].type, 'group')
})

test('a summary is read with parts, chapters in front, groups and links written as YAML', async () => {
  const space = await aLiveSpace(app)
  const summary = [
    '# Summary',
    '[Preface](preface.md)',
    '- [Start](start here.md)\n- [Draft]()\n  - [Below](below.md)',
    '# Reference',
    '- ```yaml\n  type: link\n  title: Web\n  icon: link\n  target: https://example.com/a\n  ```\n- [API](api.md)',
  ]
  const made = await importFile(
    space,
    'book.zip',
    zipOf([
      { name: 'SUMMARY.md', bytes: `${summary.join('\n\n')}\n` },
      ...['preface', 'start here', 'below', 'api'].map((name) => ({ name: `${name}.md`, bytes: `# ${name}\n` })),
    ]),
    'zip',
  )
  assert.deepEqual([made.status, made.body.skipped], [201, []], made.text)
  assert.equal(await space.outline(), 'preface start here Draft (below) Reference (Web api)')
})

test('includes and variables of a book are imported as such, and not as pages', async () => {
  const space = await aLiveSpace(app)
  await space.edit({ operation: 'update_variables', variables: { old: 'stays' } })
  const made = await importFile(
    space,
    'book.zip',
    zipOf([
      { name: 'book/README.md', bytes: '# Book\n\n{% include ".gitbook/includes/note.md" %}\n' },
      { name: 'book/part/a.md', bytes: '# A\n\n{% include "../.gitbook/includes/note.md" %}\n' },
      {
        name: 'book/.gitbook/includes/note.md',
        bytes: '---\ntitle: A note\n---\n\n## Mind\n\n{{ space.vars.product }}, see [A](../../part/a.md)\n',
      },
      { name: 'book/.gitbook/vars.yaml', bytes: 'product: Acme\nold: new\nlist: [1]\n' },
      { name: 'book/SUMMARY.md', bytes: '* [Book](README.md)\n* [A](part/a.md)\n' },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'Book A')
  assert.deepEqual([made.body.pages.length, made.body.importedResources, made.body.totalResources], [2, 2, 3])
  assert.deepEqual(
    made.body.skipped.map(({ source }: any) => source),
    ['book/.gitbook/vars.yaml'],
  )
  const { pages, reusableContents, variables } = (await space.who.get(`${space.path}/content`)).body
  assert.deepEqual(variables, { old: 'stays', product: 'Acme' })
  assert.deepEqual(
    reusableContents.map(({ title }: any) => title),
    ['A note'],
  )
  const [{ id }] = reusableContents
  for (const path of ['book', 'a'])
    assert.ok((await markdownOf(space, path)).includes(`{% include "/reusable-contents/${id}" %}`))
  const note = await space.who.get(`${space.path}/content/reusable-contents/${id}?format=markdown`)
  assert.match(JSON.stringify(note.body), new RegExp(`## Mind.*see \\[A\\]\\(/pages/${pages[1].id}\\)`))
})

test('links in a summary are imported as links, and entries that cannot be imported are reported', async () => {
  const space = await aLiveSpace(app)
  const made = await importFile(
    space,
    'book.zip',
    zipOf([
      { name: 'README.md', bytes: '# Book\n' },
      { name: 'a.md', bytes: '# A\n' },
      { name: 'm.pdf', bytes: '%PDF' },
      {
        name: 'SUMMARY.md',
        bytes:
          '* [Book](README.md)\n* [Home](https://example.com/?a=1)\n\n## More\n\n* [Shop](https://shop.test)\n  * [A](a.md)\n* [Lost](lost.md)\n* [Manual](m.pdf)\n* [Bad](javascript:alert)\n',
      },
    ]),
    'zip',
  )
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'Book Home More (Shop (Shop A))')
  const { pages } = (await space.who.get(`${space.path}/content`)).body
  const [home, shop] = [pages[1], pages[2].pages[0].pages[0]]
  assert.deepEqual(
    [home.type, home.href, shop.type, shop.target],
    ['link', 'https://example.com/?a=1', 'link', { kind: 'url', url: 'https://shop.test/' }],
  )
  assert.deepEqual(
    made.body.skipped.map(({ source, reason }: any) => `${source} ${reason}`),
    [
      'SUMMARY.md lists javascript:alert, which leads nowhere',
      'SUMMARY.md lists lost.md, which is not in the archive',
      'SUMMARY.md lists m.pdf, which is not a page',
    ],
  )
})

test('links of a summary that lists too few of the pages come after the pages', async () => {
  const space = await aLiveSpace(app)
  const files = ['a', 'b', 'c'].map((name) => ({ name: `${name}.md`, bytes: `# ${name}\n` }))
  const summary = { name: 'SUMMARY.md', bytes: '* [c](c.md)\n* [Shop](https://shop.test)\n' }
  const made = await importFile(space, 'book.zip', zipOf([...files, summary]), 'zip')
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'a b c Shop')
})

test('an iframe in a file becomes an embed or a link, and is not fetched as a file', async () => {
  const space = await aLiveSpace(app)
  const text =
    '# F\n\n<div><iframe src="https://example.com/"></iframe></div>\n\nSee <iframe src="//b.test/"></iframe>.\n'
  const made = await importFile(space, 'f.md', text, 'markdown')
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.skipped, [])
  const markdown = await markdownOf(space, 'f')
  assert.match(markdown, /\{% embed url="https:\/\/example\.com\/" %\}/)
  assert.match(markdown, /See .*\/\/b\.test\/.*\./)
  assert.doesNotMatch(markdown, /iframe/)
})

test('an archive that is not safe to unpack is refused as a whole, and nothing of it is imported', async () => {
  const space = await aLiveSpace(app)
  const page: Packed = { name: 'a.md', bytes: '# A\n' }
  const zeros = Buffer.alloc(8 * 1024 ** 2)
  const bad: Record<string, Packed[]> = {
    'leads out of it': [page, { name: '../b.md', bytes: 'x' }],
    'leads out of it, too': [page, { name: '/etc/b.md', bytes: 'x' }],
    'times its size': [page, { name: 'b.md', bytes: zeros }],
    'more than 10000 entries': Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}.txt`, bytes: '' })),
    'another archive': [{ name: 'inner.zip', bytes: 'PK' }],
    'no Markdown': [{ name: 'a.exe', bytes: 'x' }],
    'cannot be unpacked': [{ name: 'only.md', bytes: 'x'.repeat(500), claims: { size: 10 } }],
  }
  for (const [words, files] of Object.entries(bad)) {
    const { status, body, text } = await importFile(space, 'bad.zip', zipOf(files), 'zip')
    assert.equal(status, 400, `${words}: ${text}`)
    assert.match(body.error.message, new RegExp(words.split(',')[0]!), words)
  }
  assert.equal(await space.outline(), '')
})
