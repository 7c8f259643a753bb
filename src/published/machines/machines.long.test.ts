// What a site offers to machines and to readers who search it, and what stays hidden there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { until } from '../../../test/until.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { searchSite } from '../search/search.ts'
import { partOf, writePart, writeSitemap } from './sitemap.ts'

const app = await startApp()

const updates =
  '{% updates %}\n{% update date="2026-01-02" tags="New" %}\n## Second & last\n\nMore of it.\n{% endupdate %}\n{% update date="2026-01-01" %}\n## First\n\nText.\n{% endupdate %}\n{% endupdates %}\n'

async function aLibrary() {
  const hidden = { metadata: { hidden: true } }
  const site = await aSite(app, {
    pages: [
      newPage('Welcome'),
      {
        operation: 'insert_page',
        document: { markdown: '# Guide\n\nHow to **install** a teapot.\n\n## Boiling\n\nWater gets hot.\n' },
      },
      { operation: 'insert_page', document: { markdown: `# News\n\n${updates}` } },
      { ...newPage('Attic'), ...hidden },
      { ...newPage('Vault'), metadata: { condition: 'visitor.claims.isRich == true' } },
    ],
  })
  const read = async (path: string, headers: Record<string, string> = {}) =>
    site.browser().get(`${site.address}${path}`, { headers })
  const pageAt = async (path: string) => expect(await site.who.get(`${site.space.path}/content/path/${path}`), 200)
  return { site, read, pageAt }
}

test('sitemap.xml, llms.txt and llms-full.txt list public pages, and no hidden or conditional ones', async () => {
  const { site, read } = await aLibrary()
  for (const path of ['sitemap.xml', 'llms.txt', 'llms-full.txt']) {
    const { status, text } = await read(path)
    assert.equal(status, 200, path)
    assert.match(text, /guide/i, path)
    for (const word of [/attic/i, /vault/i]) assert.doesNotMatch(text, word, path)
  }
  const map = await read('sitemap.xml')
  assert.match(map.text, new RegExp(`<loc>http://lectern\\.test${site.address}guide</loc><lastmod>20`))
  assert.match(String(map.headers['content-type']), /xml/)
  assert.match(
    (await read('llms.txt')).text,
    new RegExp(`- \\[Guide\\]\\(http://lectern\\.test${site.address}guide\\.md\\)`),
  )
  assert.ok((await read('llms.txt')).text.includes(`by MCP: http://lectern.test${site.address}~/mcp\n`))
  assert.match((await read('llms-full.txt')).text, /How to \*\*install\*\* a teapot\./)
  assert.match((await read('robots.txt')).text, /Allow: \/\n\nSitemap: http:\/\/lectern\.test.*sitemap\.xml/)

  await site.change({ visibility: 'unlisted' })
  assert.equal((await read('robots.txt')).text, 'User-agent: *\nDisallow: /\n')
  assert.doesNotMatch((await read('sitemap.xml')).text, /<loc>/)
})

test('a page with the slug of a machine file like robots.txt is readable by its link, and so is that file', async () => {
  const { site, read } = await aLibrary()
  const names = ['robots.txt', 'sitemap.xml', 'sitemap-1.xml', 'llms.txt', 'llms-full.txt']
  await site.space.edit(...names.map((slug) => ({ ...newPage(`About ${slug}`), slug })))
  const { text } = await read('guide')
  for (const name of names) {
    const link = [...text.matchAll(/href="([^"]*)"/g)]
      .map(([, href]) => href!)
      .find((href) => href.endsWith(`/${name}`))
    const page = await site.browser().get(link!)
    assert.equal(page.status, 200, name)
    assert.match(page.text, new RegExp(`<h1[^>]*>\\s*About ${name}`), name)
    assert.doesNotMatch((await read(name)).text, /<h1/, name)
  }
})

test('pages, llms.txt, MCP, search and PDFs use the title from the look, in the language of the space', async () => {
  const { site, read } = await aLibrary()
  const look = { title: 'Teapots & Co', localizedTitle: { de: 'Kannen & Co' }, internationalization: { locale: 'en' } }
  const names = async () => {
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } }
    const agents = await fetch(`${app.url}${site.address}~/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(initialize),
    })
    return {
      page: /og:site_name" content="([^"]*)"/.exec((await read('guide')).text)?.[1]?.replace('&amp;', '&'),
      models: /^# (.*)$/m.exec((await read('llms.txt')).text)?.[1],
      assistants: /"title":"([^"]*)"/.exec(await agents.text())?.[1],
      found: JSON.parse((await read('~/search.json?q=install')).text).hits[0]?.place,
      suggested: /<b>Guide<\/b><small>([^<]*)/.exec((await read('old/guide')).text)?.[1]?.replace('&amp;', '&'),
    }
  }
  const everywhere = (name: string) => ({ page: name, models: name, assistants: name, found: name, suggested: name })
  const books = async () =>
    Promise.all(
      ['~/pdf', '~/pdf?all=true'].map(async (path) => String((await read(path)).headers['content-disposition'])),
    )
  await until('it is found', async () => (await names()).found !== undefined)
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  assert.deepEqual(await names(), everywhere('Teapots & Co'))
  for (const book of await books()) assert.match(book, /filename="teapots--co\.pdf"/)

  expect(await site.who.patch(site.space.path, { language: 'de' }), 200)
  assert.deepEqual(await names(), everywhere('Kannen & Co'))
  for (const book of await books()) assert.match(book, /filename="kannen--co\.pdf"/)
})

test('llms.txt names each section once, and adds the version if a section has several', async () => {
  const { site, read } = await aLibrary()
  const headings = async () => [...(await read('llms.txt')).text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
  const { title } = expect(await site.who.get(site.space.path), 200)
  assert.deepEqual(await headings(), [title])
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(newPage('Pots')), 200)
  const made = expect(await site.who.post(`${site.path}/sections`, { spaceId: other.id }), 201)
  expect(await site.who.patch(`${site.path}/sections/${made.id}`, { title: 'Pots and pans' }), 200)
  assert.deepEqual(await headings(), [title, 'Pots and pans'])
  const older = await aLiveSpace(app, site.org)
  expect(await older.edit(newPage('Old pots')), 200)
  const added = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: older.id, sectionId: made.id }), 201)
  expect(await site.who.patch(`${site.path}/site-spaces/${added.id}`, { title: 'Old' }), 200)
  assert.equal((await headings()).at(-1), 'Pots and pans – Old')
})

test('a page below a hidden page is not indexed, suggested or listed, like the hidden page itself', async () => {
  const { site, read, pageAt } = await aLibrary()
  const { id } = await pageAt('attic')
  expect(await site.space.edit(newPage('Chest', { into: id }), newPage('Porch')), 200)
  assert.match((await read('attic/chest')).text, /<h1>Chest/)
  for (const path of ['attic', 'attic/chest']) assert.match((await read(path)).text, /content="noindex/, path)
  assert.doesNotMatch((await read('porch')).text, /content="noindex/)
  for (const path of ['the-chest', '~/search.json?q=', 'sitemap.xml', 'llms.txt']) {
    assert.doesNotMatch((await read(path)).text, /attic/i, path)
  }
  assert.match((await read('the-porch')).text, new RegExp(`href="${site.address}porch"`))
})

test('a 404 page shows the requested path decoded, and suggests similar pages or the start of the section', async () => {
  const { site, read } = await aLibrary()
  expect(await site.space.edit(newPage('安裝'), newPage('About teas')), 200)
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(newPage('Teas of the world'), newPage('Green')), 200)
  const made = expect(await site.who.post(`${site.path}/sections`, { spaceId: other.id }), 201)
  expect(await site.who.patch(`${site.path}/sections/${made.id}`, { title: 'Teas', path: 'teas' }), 200)
  const asked = async (path: string) => {
    const { text, status } = await read(path)
    assert.equal(status, 404, path)
    const main = text.slice(text.indexOf('<main'))
    const title = /<h2>([^<]*)</.exec(main)?.[1]
    return {
      shown: /<code dir="ltr">([^<]*)</.exec(main)?.[1],
      words: /name="q" value="([^"]*)"/.exec(main)?.[1],
      [title === 'Perhaps you meant' ? 'close' : title!]: [...main.matchAll(/class="ref" href="([^"]*)"/g)].map(
        ([, href]) => decodeURI(href!).slice(site.address.length),
      ),
    }
  }
  const other404 = await asked(`${encodeURIComponent('安裝')}-x`)
  assert.deepEqual(other404, { shown: '/安裝-x', words: '安裝 x', close: ['安裝'] })
  assert.deepEqual(await asked('teas/green-x'), { shown: '/teas/green-x', words: 'green x', close: ['teas/green'] })
  // If nothing comes close, the start of that section is suggested.
  const begins = ['teas/', 'teas/green']
  assert.deepEqual(await asked('teas/nothing'), { shown: '/teas/nothing', words: 'nothing', Suggested: begins })
  const places = [...(await read('teas/nothing')).text.matchAll(/<small>([^<]*)/g)].map(([, place]) => place)
  assert.deepEqual(places, ['Teas', 'Teas'])
})

test('feeds and texts of a share-link site are readable with the key in the address, without cookies', async () => {
  const { site } = await aLibrary()
  await site.change({ visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Feed' }), 201)
  const { pathname } = new URL(link.urls.published)
  const asked = async (path: string) => site.browser().get(path)
  for (const [path, text] of [
    ['news/rss.xml', /<title>Second &amp; last<\/title>/],
    ['guide.md', /^# Guide/],
    ['llms.txt', /- \[Guide\]/],
    ['llms-full.txt', /How to \*\*install\*\* a teapot/],
  ] as const) {
    const behind = await asked(pathname + path)
    assert.deepEqual([behind.status, behind.headers['cache-control']], [200, 'private, no-store'], path)
    assert.match(behind.text, text)
    assert.equal((await asked(site.address + path)).status, 404, path)
    assert.equal((await asked(`${site.address}${'x'.repeat(43)}/${path}`)).status, 404, path)
  }
  assert.equal((await asked(`${pathname}vault.md`)).status, 404)
  assert.deepEqual([(await asked(`${pathname}guide`)).location], [`${site.address}guide`])

  // Everything that these texts link to can be read with nothing but the key.
  const listed = (await asked(`${pathname}llms.txt`)).text.matchAll(/http:\/\/lectern\.test([^\s)]+)/g)
  const named = [...listed].map(([, path]) => path!)
  assert.ok(named.length > 2)
  for (const path of named) assert.equal((await asked(path)).status, 200, path)
  const feed = (await asked(`${pathname}news/rss.xml`)).text
  assert.ok(feed.includes(`<link>http://lectern.test${pathname}news</link>`))
  assert.ok(feed.includes(`href="http://lectern.test${pathname}news/rss.xml"`))
  // Updates that were already read are not new to readers who get the feed another way.
  assert.ok(feed.includes(`<guid isPermaLink="false">http://lectern.test${site.address}news#`))

  expect(await site.who.patch(`${site.path}/share-links/${link.id}`, { active: false }), 200)
  assert.equal((await asked(`${pathname}news/rss.xml`)).status, 404)
})

test('a page is available as Markdown by its .md address or the accept header, unless the site excludes agents', async () => {
  const { site, read } = await aLibrary()
  const twin = await read('guide.md')
  assert.deepEqual([twin.status, twin.headers['content-type']], [200, 'text/markdown; charset=utf-8'])
  assert.equal(twin.text, '# Guide\n\nHow to **install** a teapot.\n\n## Boiling\n\nWater gets hot.\n')
  assert.match((await read('index.md')).text, /^# Welcome/)
  assert.equal((await read('guide', { accept: 'text/markdown' })).text, twin.text)
  for (const accept of ['text/markdown, */*;q=0.8', 'Text/Markdown, */*', 'text/markdown, text/html;q=0.9'])
    assert.equal((await read('guide', { accept })).text, twin.text, accept)
  const pages = ['text/html, text/markdown', 'text/markdown;q=0.1, text/html', 'text/markdown;q=0.1, */*']
  for (const accept of [
    ...pages,
    'text/markdown;q=0',
    'text/markdown;q=0, */*;q=0.1',
    'text/*;q=1, text/markdown;q=0.5',
  ])
    assert.match((await read('guide', { accept })).text, /^<!doctype html>/, accept)
  for (const path of ['vault.md', 'nothing.md', '.md']) assert.equal((await read(path)).status, 404, path)

  assert.match((await read('guide')).text, /guide\.md"/)
  await site.change({ agentsContext: 'excluded' })
  for (const path of ['guide.md', 'llms.txt', 'llms-full.txt']) assert.equal((await read(path)).status, 404, path)
  assert.doesNotMatch((await read('guide')).text, /guide\.md"/)
  assert.match((await read('guide', { accept: 'text/markdown' })).text, /^<!doctype html>/)
})

test('the Markdown address of a moved page redirects as the page does', async () => {
  const { site, read, pageAt } = await aLibrary()
  const twin = await read('welcome.md')
  assert.deepEqual([twin.status, twin.location], [308, `${site.address}index.md`])
  const guide = await pageAt('guide')
  expect(await site.space.edit({ operation: 'update_page', page: guide.id, metadata: { slug: 'manual' } }), 200)
  const moved = await read('guide.md')
  assert.deepEqual([moved.status, moved.location], [307, `${site.address}manual.md`])
  assert.equal((await read('vault.md')).status, 404)
})

test('a page with the slug index has its own Markdown address, and so has the first page of a variant', async () => {
  const { site, read, pageAt } = await aLibrary()
  const { id } = await pageAt('guide')
  expect(await site.space.edit(newPage('Index', { into: id }), newPage('Index')), 200)
  assert.match((await read('guide/index')).text, /href="[^"]*\/guide\/index\.md"/)
  assert.match((await read('guide/index.md')).text, /^# Index/)
  assert.match((await read('guide.md')).text, /^# Guide/)
  assert.match((await read('index.md')).text, /^# Welcome/)
})

test('links in the Markdown of a page lead to Markdown pages, and never to hidden ones', async () => {
  const { site, read, pageAt } = await aLibrary()
  const [guide, vault] = [await pageAt('guide'), await pageAt('vault')]
  const text = [
    `[a](/pages/guide#boiling) [b](/pages/${guide.id}) [c](/pages/vault) [d](/pages/${vault.id})`,
    '[e](https://example.org/x_(y)) [f](#here) <mail@example.org> [g](/pages/welcome)',
    '{% content-ref url="/pages/guide" %}\n[guide](/pages/guide)\n{% endcontent-ref %}',
    '{% if visitor.claims.isRich %}\n[h](/pages/vault)\n{% endif %}',
    '<a href="/pages/guide">i</a>',
  ].join('\n\n')
  expect(await site.space.edit({ operation: 'insert_page', document: { markdown: `# Links\n\n${text}\n` } }), 200)
  const expected = (base: string) =>
    [
      `[a](${base}guide.md#boiling) [b](${base}guide.md) [c](#) [d](#)`,
      `[e](https://example.org/x_(y)) [f](#here) <mail@example.org> [g](${base}index.md)`,
      `{% content-ref url="${base}guide.md" %}\n[guide](${base}guide.md)\n{% endcontent-ref %}`,
      `<a href="${base}guide.md">i</a>`,
    ].join('\n\n')
  assert.equal((await read('links.md')).text, `# Links\n\n${expected(site.address)}\n`)
  const whole = (await read('llms-full.txt')).text
  assert.ok(whole.includes(expected(`http://lectern.test${site.address}`)), whole)
})

test('no sitemap is larger than 50 MB, however long its addresses are, and all pages are listed', () => {
  const url = (page: number) => `http://lectern.test/${'x'.repeat(2_000)}${page}`
  const updatedAt = '2026-01-01T00:00:00.000Z'
  for (const languages of [0, 12]) {
    const alternates = (page: number) =>
      Array.from({ length: languages }, (_, at) => ({ language: `l${at}`, href: url(page) }))
    const mapped = Array.from({ length: languages === 0 ? 50_000 : 5_000 }, (_, page) => ({
      url: url(page),
      updatedAt,
      alternates: alternates(page),
    }))
    const index = writeSitemap(mapped, (part) => `http://lectern.test/sitemap-${part}.xml`)
    assert.match(index, /<sitemapindex /)
    const parts = [...index.matchAll(/sitemap-(\d+)\.xml/g)].map(([, part]) => writePart(partOf(mapped, Number(part))))
    for (const part of parts) assert.ok(Buffer.byteLength(part) <= 50 * 1024 * 1024)
    assert.equal(parts.join('').match(/<loc>/g)!.length, mapped.length)
  }
})

test('a page with updates has an RSS feed of them, newest first', async () => {
  const { read } = await aLibrary()
  const feed = await read('news/rss.xml')
  assert.equal(feed.status, 200)
  assert.match(String(feed.headers['content-type']), /rss/)
  assert.match(
    feed.text,
    /<title>Second &amp; last<\/title>.*#second--last<\/link>.*Fri, 02 Jan 2026.*<title>First<\/title>/s,
  )
  assert.match(
    (await read('news')).text,
    /<link rel="alternate" type="application\/rss\+xml" href="[^"]*news\/rss\.xml"/,
  )
  assert.equal((await read('guide/rss.xml')).status, 404)
})

test('a feed entry keeps its id when newer updates are added', async () => {
  const update = (date: string, text: string) => `{% update date="${date}" %}\n${text}\n{% endupdate %}\n`
  const old = [
    update('2026-01-02', '## Fixes\n\nTwo'),
    update('2026-01-01', 'No heading'),
    update('2026-01-01', 'Nor here'),
  ]
  const news = (updates: string[]) => `# Tea\n\n{% updates %}\n${updates.join('')}{% endupdates %}\n`
  const site = await aSite(app, {
    pages: [{ operation: 'insert_page', document: { markdown: news(old) }, ref: 'news' }],
  })
  const known = async () => {
    const { text } = await site.browser().get(`${site.address}rss.xml`)
    const items = [...text.matchAll(/<guid[^>]*>([^<]*)<\/guid>.*?<description>([^<]*)</g)]
    return new Map(items.map(([, name, about]) => [about, name]))
  }
  const before = await known()
  assert.deepEqual([before.size, new Set(before.values()).size], [3, 3])

  const { body: content } = await site.who.get(`${site.space.path}/content`)
  const markdown = news([update('2026-02-01', 'Third'), update('2026-02-01', '## Fixes\n\nOne'), ...old])
  const change = { operation: 'update_page', page: content.pages[0].id, document: { markdown } }
  expect(await site.space.edit(change), 200)
  const after = await known()
  assert.deepEqual([after.size, new Set(after.values()).size], [5, 5])
  for (const [about, name] of before) assert.equal(after.get(about), name, about)
})

test('every feed entry has its own id, and feed addresses are percent-encoded', async () => {
  const update = (date: string, text: string) => `{% update date="${date}" %}\n${text}\n{% endupdate %}\n`
  const all = [
    update('2026-01-03', '## Grüne Tees\n\nText.'),
    update('2026-01-02', 'Without a heading.'),
    update('2026-01-02', 'Twice a day.'),
    update('2026-01-01', 'The first one.'),
  ]
  const markdown = `# News\n\n{% updates %}\n${all.join('')}{% endupdates %}\n`
  const site = await aSite(app, { pages: [{ operation: 'insert_page', document: { markdown } }] })
  const { text } = await site.browser().get(`${site.address}rss.xml`)
  const page = `http://lectern.test${site.address}`
  const found = (name: string) =>
    [...text.matchAll(new RegExp(`<${name}([^>]*)>([^<]*)</${name}>`, 'g'))].map(([, how, what]) => [how, what])
  assert.deepEqual(found('guid'), [
    [' isPermaLink="false"', `${page}#gr%C3%BCne-tees`],
    [' isPermaLink="false"', `${page}#2026-01-02-2`],
    [' isPermaLink="false"', `${page}#2026-01-02`],
    [' isPermaLink="false"', `${page}#2026-01-01`],
  ])
  assert.deepEqual(
    found('link').map(([, what]) => what),
    [page, `${page}#gr%C3%BCne-tees`, page, page, page],
  )
})

test('a feed replaces characters that XML does not allow', async () => {
  const odd = 'a\u0001b\u0008c\u001fd\ufffee\u{1f600}<&'
  const text = `{% updates %}\n{% update date="2026-01-02" %}\n## Hot ${odd}\n\nTea ${odd}\n{% endupdate %}\n{% endupdates %}\n`
  const site = await aSite(app, { pages: [{ operation: 'insert_page', document: { markdown: `# Tea\n\n${text}` } }] })
  const feed = await site.browser().get(`${site.address}rss.xml`)
  const shown = 'a\ufffdb\ufffdc\ufffdd\ufffde\u{1f600}&lt;&amp;'
  assert.ok(feed.text.includes(`<title>Hot ${shown}</title>`), feed.text)
  assert.ok(feed.text.includes(`<description>Tea ${shown}</description>`), feed.text)
})

test('readers search while typing and on a results page, and hidden pages are neither found nor counted', async () => {
  const { site, read } = await aLibrary()
  const ask = async (words: string) => JSON.parse((await read(`~/search.json?q=${encodeURIComponent(words)}`)).text)
  const found = await ask('teapot')
  assert.equal(found.count, 1)
  assert.deepEqual([found.hits[0].title, found.hits[0].href], ['Guide', `${site.address}guide`])
  const part = (await ask('boiling')).hits.find(({ heading }: { heading?: boolean }) => heading)
  assert.deepEqual([part.title, part.href], ['Boiling', `${site.address}guide#boiling`])
  assert.deepEqual(await ask('vault'), { count: 0, hits: [] })
  assert.ok((await ask('')).hits.length > 0)
  assert.equal((await read(`~/search.json?q=${'%F0%9F%A6%84'.repeat(600)}`)).status, 200)

  const page = await read('~/search?q=teapot')
  assert.equal(page.status, 200)
  assert.match(page.text, /<h2>1 page<\/h2>.*<b>Guide<\/b>/s)
  assert.match((await read('~/search?q=%3Cscript%3Ealert(1)')).text, /value="&lt;script&gt;alert\(1\)"/)
})

test('text put behind a condition after a reader was admitted is not found by that reader', async () => {
  const { site, read, pageAt } = await aLibrary()
  const guide = await pageAt('guide')
  const snapshot = (await app.app.audience.snapshots.get(site.id))!
  const markdown = '# Guide\n\n## Vintage\n\n{% if visitor.claims.isRich %}\nThe cellar has oolong.\n{% endif %}\n'
  expect(await site.space.edit({ operation: 'update_page', page: guide.id, document: { markdown } }), 200)

  const reader = { snapshot, visitor: { scope: undefined, isKnown: false }, base: site.address }
  assert.deepEqual(await searchSite(app.app, reader, { text: 'oolong' }), { count: 0, hits: [] })
  assert.deepEqual(JSON.parse((await read('~/search.json?q=oolong')).text), { count: 0, hits: [] })
  const { hits } = await searchSite(app.app, reader, { text: 'welcome' })
  assert.ok(hits.length > 0, 'what everybody may read is found all the same')
})

test('an unknown address suggests similar pages or the start page, and never hidden pages', async () => {
  const { read } = await aLibrary()
  const missing = await read('docs/guide-to-tea')
  assert.equal(missing.status, 404)
  assert.match(missing.text, /Perhaps you meant.*<b>Guide<\/b>/s)
  assert.doesNotMatch((await read('vault')).text, /<b>Vault<\/b>/)
  // If nothing comes close, it leads to where the site begins.
  const strange = (await read('xyzzy')).text
  assert.doesNotMatch(strange, /Perhaps you meant/)
  assert.match(strange, /<h2>Suggested<\/h2>.*<b>Welcome<\/b>/s)
  assert.doesNotMatch(strange, /<b>Vault<\/b>/)
})

test('the configured look is on the page and in its style sheet', async () => {
  const { site, read } = await aLibrary()
  const look = {
    styling: { primaryColor: { light: '#b4400f', dark: '#ff9b6b' }, corners: 'circular' },
    header: {
      preset: 'bold',
      links: [{ title: 'Support', to: { kind: 'url', url: 'https://example.org/' }, links: [] }],
    },
    footer: { groups: [{ title: 'More', links: [] }], copyright: '© Teapots' },
    themes: { default: 'dark', toggeable: false },
    announcement: { enabled: true, message: 'Tea is ready', style: 'info' },
  }
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  const { text } = await read('guide')
  assert.match(text, /data-theme="dark" data-theme-fixed data-header="bold"/)
  for (const words of ['https://example.org/', 'Support', '© Teapots', 'Tea is ready'])
    assert.ok(text.includes(words), words)
  const sheet = /href="([^"]+\/site\.[0-9a-f]+\.css)"/.exec(text)![1]!
  const style = await site.browser().get(sheet)
  assert.equal(style.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(style.text, /--accent-solid: #b4400f; --on-accent: #fff.*--corner: 1\.75; --r-control: 99px/s)
})

test('a public page keeps its ETag until its content changes, and then shows the change at once', async () => {
  const { site, read } = await aLibrary()
  const first = await read('guide')
  assert.equal((await read('guide')).headers.etag, first.headers.etag)
  assert.equal((await read('guide', { 'if-none-match': String(first.headers.etag) })).status, 304)
  const [, guide] = (await site.who.get(`${site.space.path}/content/pages`)).body.pages
  const changed = { operation: 'update_page', page: guide.id, document: { markdown: '# Guide\n\nCoffee instead.\n' } }
  expect(await site.space.edit(changed), 200)
  assert.match((await read('guide')).text, /Coffee instead/)
})

test('each request of a site is answered once, without warnings in the log', async (t) => {
  const talkative = await startApp({ LECTERN_LOG: 'warn' })
  const lines: string[] = []
  const { streamSym } = pino.symbols as unknown as { streamSym: symbol }
  const stream = (talkative.app.log as unknown as Record<symbol, object>)[streamSym] as { write(line: string): void }
  t.mock.method(stream, 'write', (line: string) => lines.push(line))
  const site = await aSite(talkative, { pages: [newPage('Welcome')] })

  const statuses = []
  for (const path of ['sitemap.xml', 'llms.txt', 'index.md', '~/search', '~/search.json?q=a', 'nowhere', '~/files/no'])
    statuses.push((await site.browser().get(site.address + path)).status)
  await talkative.stop()
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 404, 404])
  assert.deepEqual(lines, [])
})

test('a reader who requests computed content too often gets 429 and not 404, and other pages still work', async () => {
  const strict = await startApp({ LECTERN_RATE_LIMIT: '6000' })
  const site = await aSite(strict, { pages: [newPage('Welcome')] })
  const search = () => site.browser().get(`${site.address}~/search.json?q=welcome`)
  assert.equal((await search()).status, 200)
  const left = async () =>
    Number((await site.browser().get(`${site.address}llms-full.txt`)).headers['x-ratelimit-remaining'])
  const before = await left()
  assert.equal(await left(), before - 1, 'also where it is at hand')
  // Many at once, because the allowance recovers over time.
  const searches = () => Promise.all(Array.from({ length: 100 }, search))
  let last = await search()
  for (let tries = 0; tries < 10 && last.status === 200; tries++) last = (await searches()).at(-1)!
  assert.equal(last.status, 429)
  assert.match(String(last.headers['retry-after']), /^\d+$/)
  assert.match(last.text, /Try again in a minute/)
  assert.equal((await site.browser().get(`${site.address}llms-full.txt`)).status, 429)
  for (const path of ['', 'llms.txt']) assert.equal((await site.browser().get(site.address + path)).status, 200)
})
