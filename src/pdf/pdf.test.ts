// Printed files: who can get them, what they contain, and what they must never contain.
import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { aStranger } from '../../test/factories.ts'
import { aSite, expect } from '../../test/visitor.ts'

const app = await startApp()

/** The contents of a file: its bookmarks, the number of sheets, and its links. */
interface Read {
  titles: string[]
  sheets: number
  urls: string[]
  inner: number
  /** The named targets of links. */
  places: string[]
  pictures: number
  widths: number[]
  /** The number of vector graphics. */
  drawings: number
  /** The distance from the left edge at which each external link begins. */
  from: Record<string, number>
}

function readPdf(bytes: Buffer): Read {
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  const raw = bytes.toString('latin1')
  let text = raw
  for (const { index } of raw.matchAll(/\/ObjStm/g)) {
    const start = raw.indexOf('stream\n', index) + 7
    text += inflateSync(bytes.subarray(start)).toString('latin1')
  }
  const decode = (value: string) =>
    value.startsWith('\u00fe\u00ff') ? Buffer.from(value.slice(2), 'latin1').swap16().toString('utf16le') : value
  return {
    titles: [...text.matchAll(/\/Title ?\(((?:\\.|[^\\)])*)\)/g)].map(([, title]) => decode(title!)),
    sheets: [...text.matchAll(/\/Type ?\/Page\b/g)].length,
    urls: [...text.matchAll(/\/URI ?\(([^)]*)\)/g)].map(([, url]) => url!),
    inner: [...text.matchAll(/\/S ?\/GoTo|\/Subtype ?\/Link(?=[^>]*\/Dest)/g)].length,
    places: [...text.matchAll(/\/S ?\/GoTo\s*\/D ?(?:<([0-9A-F]*)>|\(([^)]*)\))/g)].map(([, hex, plain]) =>
      hex === undefined ? plain! : Buffer.from(hex, 'hex').toString(),
    ),
    pictures: [...text.matchAll(/\/Subtype ?\/Image/g)].length,
    widths: [...text.matchAll(/\/Width (\d+)/g)].map(([, width]) => Number(width)),
    drawings: [...text.matchAll(/\/Subtype ?\/Form/g)].length,
    from: Object.fromEntries(
      [...text.matchAll(/\/Rect ?\[([\d.]+)[^\]]*\](?:(?!\/Rect)[^])*?\/URI ?\(([^)]*)\)/g)].map(([, left, url]) => [
        url!,
        Number(left),
      ]),
    ),
  }
}

async function fetchPdf(url: string, method = 'GET') {
  const { pathname, search } = new URL(url)
  const response = await fetch(app.url + pathname + search, { method })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=='

/** 200 pixels wide. */
const webp =
  'UklGRmYAAABXRUJQVlA4TFoAAAAvx8AdAAmgQATy525G9D+tL4CE8H+9GNH/tA6GbSMpiu7675oZ/0dAUKIYqDDatk2LNlTmH5AQwtw/y5vAhrfPALPoexXLNA7575b8d0v+uyX/3ZL/bn273AI='

const everything = `# Everything

See [the guide](/pages/GUIDE), [below](#the-end), [nowhere](missing.md), [out](https://example.org/a?b=c) and
[a trap](javascript:alert(1)). **Bold** *it* ~~gone~~ \`code\` a[^1] $$x^2$$ 日本語 🚀 #eval("x") \\#import

{% hint style="warning" %}
Careful: **hot**.
{% endhint %}

1. one
2. two
   - three
     - [x] four

- [ ] open
- [x] done

> Quote

\`\`\`js
const a = "${'x'.repeat(300)}"
\`\`\`

\`\`\`mermaid
graph TD; A-->B
\`\`\`

| A | B |
| --- | ---: |
| 1 | ${'word '.repeat(50)} |

{% tabs %}
{% tab title="One" %}
First
{% endtab %}
{% endtabs %}

<details><summary>More</summary>

Inside

</details>

{% stepper %}
{% step %}
## Do it
Now.
{% endstep %}
{% endstepper %}

$$
\\frac{1}{2}
$$

${Array.from({ length: 30 }, (_, depth) => `${'  '.repeat(depth)}- deep`).join('\n')}

${'> '.repeat(40)}deep

## The end

[^1]: A note with [a link](https://example.com/note).
`

test('a PDF of a space has cover, contents and working inner links, and only readers of the space get its address', async () => {
  const space = await aLiveSpace(app)
  const [guide] = idsOf(await space.edit(newPage('Guide')))
  const [page] = idsOf(
    await space.edit({ operation: 'insert_page', document: { markdown: everything.replace('GUIDE', guide!) } }),
  )
  const vault = { ...newPage('Vault'), metadata: { condition: 'visitor.claims.isRich == true' } }
  const attic = { ...newPage('Attic'), metadata: { hidden: true } }
  expect(await space.edit(newPage('Below', { into: page }), attic, vault), 200)

  const { url } = expect(await space.who.get(`${space.path}/pdf`), 200)
  assert.equal((await space.who.get(`${space.path}/pdf`)).body.url, url)
  const first = await fetchPdf(url)
  assert.equal(first.status, 200, first.bytes.toString())
  assert.equal(first.headers.get('content-type'), 'application/pdf')
  const read = readPdf(first.bytes)
  for (const title of ['Guide', 'Everything', 'Below']) assert.ok(read.titles.includes(title), title)
  for (const title of ['Attic', 'Vault']) assert.ok(!read.titles.includes(title), title)
  assert.ok(read.sheets >= 5, `${read.sheets} sheets`)
  assert.ok(read.inner >= 5, `${read.inner} links inside`)
  assert.ok(read.urls.includes('https://example.org/a?b=c'))
  assert.ok(!read.urls.some((each) => each.startsWith('javascript')))

  const again = await fetchPdf(url)
  assert.equal(again.headers.get('etag'), first.headers.get('etag'))
  assert.deepEqual(again.bytes, first.bytes)
  assert.equal((await fetchPdf(url, 'HEAD')).headers.get('content-length'), String(first.bytes.length))

  const stranger = (await aStranger(app)).client
  assert.equal((await stranger.get(`${space.path}/pdf`)).status, 404)
  assert.equal((await app.client().get(`${space.path}/pdf`)).status, 401)
})

test('a PDF can have a page with its subpages or the page alone, and an unknown page gets 404', async () => {
  const space = await aLiveSpace(app)
  const [parent, other] = idsOf(await space.edit(newPage('Parent'), newPage('Other')))
  await space.edit(newPage('Child', { into: parent }))
  const print = async (query: string) =>
    readPdf((await fetchPdf((await space.who.get(`${space.path}/pdf?${query}`)).body.url)).bytes).titles
  const below = await print(`page=${parent}`)
  assert.deepEqual([below.includes('Parent'), below.includes('Child'), below.includes('Other')], [true, true, false])
  const alone = await print(`page=${parent}&only=true`)
  assert.deepEqual([alone.includes('Parent'), alone.includes('Child')], [true, false])
  assert.equal((await space.who.get(`${space.path}/pdf?page=${other}x`)).status, 404)
  assert.equal((await space.who.get(`${space.path}/pdf?only=perhaps`)).status, 400)
})

test('the PDF address is signed: an altered one gets 404, and so does one of a deleted space', async () => {
  const space = await aLiveSpace(app)
  const [page] = idsOf(await space.edit(newPage('Secret')))
  const { url } = (await space.who.get(`${space.path}/pdf?page=${page}&only=true`)).body
  const with_ = (change: (url: URL) => void) => {
    const changed = new URL(url)
    change(changed)
    return fetchPdf(changed.href)
  }
  for (const change of [
    (to: URL) => to.searchParams.delete('page'),
    (to: URL) => to.searchParams.delete('only'),
    (to: URL) => to.searchParams.set('expires', '9999999999'),
    (to: URL) => to.searchParams.set('signature', 'x'),
    (to: URL) => to.searchParams.delete('signature'),
    (to: URL) => void (to.pathname = to.pathname.replace(/[^/]+$/, 'other.pdf')),
    (to: URL) => void (to.pathname = to.pathname.replace(space.id, 'nothing')),
  ])
    assert.equal((await with_(change)).status, 404, String(change))
  assert.equal((await fetchPdf(url)).status, 200)
  expect(await space.who.delete(space.path), 205)
  assert.equal((await fetchPdf(url)).status, 404)
})

test('with "prefer: respond-async" a PDF request returns 202 with the progress until the PDF is ready', async () => {
  const space = await aLiveSpace(app)
  await space.edit(...Array.from({ length: 20 }, (_, index) => newPage(`Page ${index}`)))
  const { url, status } = expect(await space.who.get(`${space.path}/pdf`), 200)
  assert.equal(status, 'absent')
  const ask = async () => {
    const { pathname, search } = new URL(url)
    return fetch(app.url + pathname + search, { headers: { prefer: 'respond-async' } })
  }
  const first = await ask()
  assert.equal(first.status, 202)
  assert.equal(first.headers.get('retry-after'), '1')
  const { status: stage, progress } = (await first.json()) as { status: string; progress: { pages: number } }
  assert.ok(['reading', 'waiting', 'typesetting'].includes(stage), stage)
  assert.ok(progress.pages <= 21)
  let answer = await ask()
  for (const until = Date.now() + 60_000; answer.status === 202 && Date.now() < until; answer = await ask()) {
    const watched = expect(await space.who.get(`${space.path}/pdf`), 200)
    if (watched.progress?.totalPages !== undefined) assert.ok(watched.progress.pages <= watched.progress.totalPages)
    await sleep(50)
  }
  assert.equal(answer.status, 200)
  assert.ok(readPdf(Buffer.from(await answer.arrayBuffer())).titles.includes('Page 19'))
  assert.equal((await space.who.get(`${space.path}/pdf`)).body.status, 'ready')
})

test('a server that stops answers waiting and new PDF requests with 503', async () => {
  const ending = await startApp()
  const space = await aLiveSpace(ending)
  const markdown = `# Long\n\n${'| a | b |\n|---|---|\n| 1 | 2 |\n\n'.repeat(3_000)}`
  expect(await space.edit({ operation: 'insert_page', document: { markdown } }), 200)
  const { url } = expect(await space.who.get(`${space.path}/pdf`), 200)
  const { pathname, search } = new URL(url)
  const waiting = fetch(ending.url + pathname + search)
  const stage = async () => expect(await space.who.get(`${space.path}/pdf`), 200).status
  while ((await stage()) !== 'typesetting') await sleep(10)
  ending.app.pdfs.close()
  const answer = await waiting
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
  assert.equal((await fetch(ending.url + pathname + search)).status, 503)
})

test('the PDF of a change request shows its pages, and two simultaneous requests get the same file', async () => {
  const space = await aLiveSpace(app)
  await space.edit(newPage('Main'))
  const request = await space.changeRequest()
  await request.edit(newPage('Proposed'))
  const { url } = expect(await space.who.get(`${request.path}/pdf`), 200)
  const [one, two] = await Promise.all([fetchPdf(url), fetchPdf(url)])
  assert.deepEqual(one.bytes, two.bytes)
  assert.ok(readPdf(one.bytes).titles.includes('Proposed'))
  const main = readPdf((await fetchPdf((await space.who.get(`${space.path}/pdf`)).body.url)).bytes)
  assert.ok(!main.titles.includes('Proposed'))
  assert.equal((await space.who.get(`${space.path}/change-requests/99/pdf`)).status, 404)
})

test('a code block whose language is named like an Object property is printed in the PDF', async () => {
  const space = await aLiveSpace(app)
  const code = ['constructor', 'toString', '__proto__', 'mermaid'].map((name) => `\`\`\`${name}\nlet x\n\`\`\``)
  await space.edit(newPage('Code', { document: { markdown: `# Code\n\n${code.join('\n\n')}\n` } }))
  const { url } = expect(await space.who.get(`${space.path}/pdf`), 200)
  const { status, bytes } = await fetchPdf(url)
  assert.equal(status, 200, bytes.toString())
  assert.ok(readPdf(bytes).titles.includes('Code'))
})

test('a PDF with JavaScript that would stall the typesetter is made, in every language that contains it', async () => {
  const space = await aLiveSpace(app)
  const script = 'function x() {\n  return 1\n  /*\n  a comment\n  */\n}\n'
  const page = `<script>\n${script}</script>\n`
  const code = ['js', 'JavaScript', 'mjs', 'html', 'vue', 'php', 'md'].map((name, at) => {
    const text = name === 'md' ? `\`\`\`js\n${script}\`\`\`\n` : at < 3 ? script : page
    return `\`\`\`\`${name}\n${text}\`\`\`\``
  })
  await space.edit(newPage('Code', { document: { markdown: `# Code\n\n${code.join('\n\n')}\n` } }))
  const { url } = expect(await space.who.get(`${space.path}/pdf`), 200)
  const { status, bytes } = await fetchPdf(url)
  assert.equal(status, 200, bytes.toString())
  assert.ok(readPdf(bytes).titles.includes('Code'))
})

test('a PDF has its images, and a broken one does not prevent the PDF', async () => {
  const space = await aLiveSpace(app)
  const made = await space.who.post(`${space.path}/content`, {
    changes: [
      {
        operation: 'insert_files',
        files: [
          { name: 'dot.png', contentType: 'image/png', base64: dot },
          {
            name: 'broken.png',
            contentType: 'image/png',
            base64: Buffer.from(Buffer.from(dot, 'base64').subarray(0, 40)).toString('base64'),
          },
          { name: 'photo.webp', contentType: 'image/webp', base64: webp },
          {
            name: 'broken.webp',
            contentType: 'image/webp',
            base64: Buffer.from(Buffer.from(webp, 'base64').subarray(0, 60)).toString('base64'),
          },
          {
            // Only when the file is written does it turn out that its content cannot be drawn.
            name: 'photo.svg',
            contentType: 'image/svg+xml',
            base64: Buffer.from(
              `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image width="9" height="9" href="data:image/webp;base64,${webp}"/></svg>`,
            ).toString('base64'),
          },
          {
            name: 'line.svg',
            contentType: 'image/svg+xml',
            base64: Buffer.from(
              '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/hostname" width="5" height="5"/></svg>',
            ).toString('base64'),
          },
        ],
      },
    ],
  })
  const ids = expect(made, 200).insertedFiles.map(({ id }: { id: string }) => id)
  const markdown = `# Pictures\n\n${ids.map((id: string) => `![A picture](/files/${id})`).join('\n\n')}\n`
  expect(await space.edit({ operation: 'insert_page', document: { markdown } }), 200)
  const { status, bytes } = await fetchPdf((await space.who.get(`${space.path}/pdf`)).body.url)
  assert.equal(status, 200)
  // The dot, the photo, and a dot in place of each broken picture.
  assert.ok(readPdf(bytes).pictures >= 2)
  assert.ok(readPdf(bytes).widths.includes(200))
})

test('readers get a PDF of what the site shows them, without hidden pages', async () => {
  const site = await aSite(app, {
    pages: [
      newPage('Welcome'),
      newPage('Guide'),
      { ...newPage('Vault'), metadata: { condition: 'visitor.claims.isRich == true' } },
    ],
  })
  const [, guide, vault] = (await site.who.get(`${site.space.path}/content/pages`)).body.pages
  const read = async (path: string) => {
    const response = await fetch(app.url + site.address + path, { headers: { host: 'lectern.test' } })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const whole = await read('~/pdf')
  assert.equal(whole.status, 200, whole.bytes.toString())
  assert.equal(whole.headers.get('cache-control'), 'public, no-cache')
  const { titles } = readPdf(whole.bytes)
  assert.deepEqual([titles.includes('Guide'), titles.includes('Vault')], [true, false])
  assert.ok(!readPdf((await read(`~/pdf?page=${guide.id}&only=true`)).bytes).titles.includes('Welcome'))
  assert.ok(readPdf((await read('~/pdf?all=true')).bytes).titles.includes('Guide'))
  const old = await read(`~gitbook/pdf?page=${guide.id}&only=yes&limit=100`)
  assert.deepEqual([old.status, readPdf(old.bytes).titles.includes('Welcome')], [200, false])
  assert.equal((await read('~gitbook/pdf')).status, 200)
  for (const query of [`page=${vault.id}`, 'page=nothing']) assert.equal((await read(`~/pdf?${query}`)).status, 404)
  expect(await site.who.put(`${site.path}/customization`, { pdf: { enabled: false } }), 200)
  assert.equal((await read('~/pdf')).status, 404)
  // In the language of the site, as on its pages, if the space has no language of its own.
  expect(await site.who.put(`${site.path}/customization`, { internationalization: { locale: 'de' } }), 200)
  assert.match((await read('~/pdf')).bytes.toString('latin1'), /\/Lang ?\(de\)/)
  await site.change({ visibility: 'share-link' })
  assert.equal((await read('~/pdf')).status, 404)
})

test('versions of a site with the same space have separate PDFs, with links into their own version', async () => {
  const site = await aSite(app)
  const [welcome, guide] = (await site.who.get(`${site.space.path}/content/pages`)).body.pages
  const document = { markdown: `See [the welcome](/pages/${welcome.id}).` }
  expect(await site.space.edit({ operation: 'update_page', page: guide.id, document }), 200)
  const { id } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: site.space.id }), 201)
  expect(await site.who.patch(`${site.path}/site-spaces/${id}`, { title: 'Version 2', path: 'v2' }), 200)
  const urlsIn = async (version: string) => {
    const url = `${app.url}${site.address}${version}~/pdf?page=${guide.id}&only=true`
    const { status, bytes } = await fetchPdf(url)
    assert.equal(status, 200, bytes.toString())
    return readPdf(bytes).urls.map((each) => new URL(each).pathname)
  }
  assert.deepEqual(await urlsIn(''), [site.address])
  assert.deepEqual(await urlsIn('v2/'), [`${site.address}v2/`])
  assert.deepEqual(await urlsIn(''), [site.address])
})

test('PDF links to headings work in any script, encoded or not, from the same page and from others', async () => {
  const space = await aLiveSpace(app)
  const heading = '\n\nText\n\n## 目次 A\n\nText\n'
  const [first] = idsOf(await space.edit(newPage('One', { document: { markdown: `# One${heading}` } })))
  const links = (page: string) =>
    ['目次-a', encodeURIComponent('目次-a')].map((place) => `[x](${page}#${place})`).join(' ')
  const markdown = `# Two\n\n${links('')} ${links(`/pages/${first}`)} [y](#100%)${heading}`
  expect(await space.edit(newPage('Two', { document: { markdown } })), 200)
  const { url } = expect(await space.who.get(`${space.path}/pdf`), 200)
  const { places } = readPdf((await fetchPdf(url)).bytes)
  assert.deepEqual(
    places.filter((place) => place.includes('目次')),
    ['c1-目次-a', 'c1-目次-a', 'c0-目次-a', 'c0-目次-a'],
  )
})

test('the cover of a page is in the PDF, unless the page hides it or its image is external', async () => {
  const space = await aLiveSpace(app)
  const files = [{ name: 'cover.webp', contentType: 'image/webp', base64: webp }]
  const made = await space.who.post(`${space.path}/content`, { changes: [{ operation: 'insert_files', files }] })
  const [{ id: file }] = expect(made, 200).insertedFiles
  const widthsWith = async (metadata: object) => {
    const [page] = idsOf(await space.edit({ ...newPage('Covered'), metadata }))
    const { url } = expect(await space.who.get(`${space.path}/pdf?page=${page}&only=true`), 200)
    const { status, bytes } = await fetchPdf(url)
    assert.equal(status, 200, bytes.toString())
    return readPdf(bytes).widths
  }
  const cover = { ref: { kind: 'file', file }, yPos: -20 }
  assert.deepEqual(await widthsWith({ cover }), [200])
  assert.deepEqual(await widthsWith({ cover, layout: { cover: false } }), [])
  assert.deepEqual(await widthsWith({ cover: { ref: { kind: 'url', url: 'https://a.test/a.png' } } }), [])
})

test('icons are drawn in a PDF wherever authors can place them, and an unknown one is left out', async () => {
  const space = await aLiveSpace(app)
  const drawingsIn = async (markdown: string) => {
    const [page] = idsOf(await space.edit(newPage('Icons', { document: { markdown: `# Icons\n\n${markdown}\n` } })))
    const { url } = expect(await space.who.get(`${space.path}/pdf?page=${page}&only=true`), 200)
    const { status, bytes } = await fetchPdf(url)
    assert.equal(status, 200, bytes.toString())
    return readPdf(bytes).drawings
  }
  const named = (name: string) => `<i class="fa-${name}">:${name}:</i>`
  assert.equal(await drawingsIn(`Words ${named('no-such-icon')}.`), 0)
  for (const markdown of [
    `Words ${named('rocket')}.`,
    `| ${named('bolt')} | B |\n| --- | --- |\n| 1 | 2 |`,
    '<a href="https://a.test/" class="button" data-icon="bolt">Go</a>',
    '{% hint style="info" %}\nText\n{% endhint %}',
    '{% tabs %}\n{% tab title="One" icon="bolt" %}\nFirst\n{% endtab %}\n{% endtabs %}',
  ])
    assert.ok((await drawingsIn(markdown)) > 0, markdown)
})

test('a PDF in a right-to-left language starts at the right, including table cells, quotes and hints', async () => {
  const space = await aLiveSpace(app)
  const link = (name: string) => `[${name}](https://a.test/${name})`
  const long = 'word '.repeat(6)
  const text = (first: string) =>
    `# Title\n\n${first} ${link('par')}\n\n> ${link('quote')}\n\n- ${link('item')}\n\n` +
    `| ${link('cell')} | B |\n| --- | --- |\n| ${long} | 2 |\n\n{% hint style="info" %}\n${link('hint')}\n{% endhint %}\n`
  const placesIn = async (language: string, first: string) => {
    expect(await space.who.patch(space.path, { language }), 200)
    const [page] = idsOf(await space.edit(newPage('Any', { document: { markdown: text(first) } })))
    const { url } = expect(await space.who.get(`${space.path}/pdf?page=${page}&only=true`), 200)
    const { from } = readPdf((await fetchPdf(url)).bytes)
    return Object.entries(from).map(([url, left]) => [url.split('/').at(-1), sideOf(left)])
  }
  const sideOf = (left: number) => (left > 440 ? 'right' : left < 150 ? 'left' : left)
  const names = ['par', 'quote', 'item', 'cell', 'hint']
  const all = (side: string) => names.map((name) => [name, side])
  assert.deepEqual(await placesIn('en', 'Words'), all('left'))
  assert.deepEqual(await placesIn('ar', 'كلمة'), all('right'))
  assert.deepEqual(await placesIn('he', 'מילה'), all('right'))
  // A paragraph in a right-to-left language, in a book in another language.
  assert.deepEqual((await placesIn('en', 'כל')).slice(0, 2), [
    ['par', 'right'],
    ['quote', 'left'],
  ])
})

test('in right-to-left text, pieces of inline code follow each other from right to left', async () => {
  const space = await aLiveSpace(app)
  const code = (name: string) => `[\`${name}\`](https://a.test/${name})`
  const leftOf = async (language: string, first: string) => {
    expect(await space.who.patch(space.path, { language }), 200)
    const markdown = `# Title\n\n${first} ${code('one')} (${code('two')}, ${code('three')}).\n`
    const [page] = idsOf(await space.edit(newPage('Any', { document: { markdown } })))
    const { url } = expect(await space.who.get(`${space.path}/pdf?page=${page}&only=true`), 200)
    const { from } = readPdf((await fetchPdf(url)).bytes)
    const inOrder = Object.entries(from).toSorted(([, a], [, b]) => a - b)
    return inOrder.map(([url]) => url.split('/').at(-1))
  }
  assert.deepEqual(await leftOf('en', 'Words'), ['one', 'two', 'three'])
  assert.deepEqual(await leftOf('ar', 'كلمة'), ['three', 'two', 'one'])
})
