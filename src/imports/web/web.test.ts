import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertLinear } from '../../../test/growth.ts'
import { limits as contentLimits } from '../../content/limits.ts'
import { Fetcher } from '../../fetch/fetcher.ts'
import { aSite } from '../testing/site.ts'
import { treeOf } from '../tree.ts'
import type { FoundPage, Progress } from '../collected.ts'
import type { MenuItem } from '../html/navigation.ts'
import { inRun, limits } from '../limits.ts'
import { PageReader } from '../reader/reading.ts'
import { Scope, keyOf } from './addresses.ts'
import { crawl } from './crawl.ts'
import { readRobots } from './robots.ts'
import { Site } from './site.ts'
import { readSitemap } from './sitemap.ts'

test('robots.txt: the group that names our agent wins, then the longest rule, with wildcards and end marks', () => {
  const text = `User-agent: *\nDisallow: /\n\nUser-agent: Other\nUser-agent: Lectern # us\nCrawl-delay: 1
Disallow: /private\nAllow: /private/open\nDisallow: /*.pdf$\nDisallow: /a*b*c\n\nSitemap: https://x.test/map.xml`
  const robots = readRobots(text, 'lectern')
  const may = (path: string) => robots.mayFetch(`https://x.test${path}`)
  assert.deepEqual(['/', '/private/x', '/private/open/x', '/f.pdf', '/f.pdf?x', '/axbxc/d', '/axb'].map(may), [
    true,
    false,
    true,
    false,
    true,
    false,
    true,
  ])
  assert.deepEqual([robots.sitemaps, robots.delayMs], [['https://x.test/map.xml'], 1_000])
  assert.equal(readRobots(text, 'somebody').mayFetch('https://x.test/'), false)
  assert.equal(readRobots('<html>not found</html>', 'lectern').mayFetch('https://x.test/'), true)
})

test('robots.txt: the time to read a line is linear in its blanks', () =>
  assertLinear((length) => readRobots(`User-agent: a${' '.repeat(length)}b`, 'lectern'), 40_000))

test('robots.txt: the time to match a rule with many wildcards is linear in the address', () => {
  const robots = readRobots(`User-agent: *\nDisallow: /${'a*'.repeat(400)}$`, 'lectern')
  assertLinear((length) => robots.mayFetch(`https://x.test/${'a'.repeat(length)}b`), 16_000)
})

test('a sitemap lists pages or sitemaps, compressed or not, and a decompression bomb lists nothing', () => {
  const pages = '<urlset><url><loc> https://x.test/a?b=1&amp;c=2 </loc></url></urlset>'
  assert.deepEqual(readSitemap(Buffer.from(pages)).pages, ['https://x.test/a?b=1&c=2'])
  assert.deepEqual(readSitemap(gzipSync(pages)).pages, ['https://x.test/a?b=1&c=2'])
  const index = '<sitemapindex><sitemap><loc>https://x.test/1.xml</loc></sitemap></sitemapindex>'
  assert.deepEqual(readSitemap(Buffer.from(index)), { pages: [], sitemaps: ['https://x.test/1.xml'] })
  assert.deepEqual(readSitemap(gzipSync(Buffer.alloc(30 * 1024 ** 2, '<loc>x'))).pages, [])
  assert.deepEqual(readSitemap(Buffer.from('<!ENTITY a "b"><urlset><loc>&a;</loc>')).pages, ['&a;'])
})

test('the time to read a sitemap is linear in its blanks', () => {
  for (const text of ['<loc>', '<loc><![CDATA['])
    assertLinear((length) => readSitemap(Buffer.from(`${text}${' '.repeat(length)}]`)), 16_000)
})

/** Crawls a site that lists these pages besides its first one. */
async function crawled(count: number, site: Partial<Site>, page = '# Hi', reader = new PageReader(null)) {
  const start = 'https://x.test/'
  const fetched = (url: string) => ({ status: 200, url, contentType: 'text/markdown', bytes: Buffer.from(page) })
  const whole = {
    isOver: false,
    readRobots: async () => {},
    mayFetch: () => true,
    fetch: async (url: string) => fetched(url),
    listPages: async () => Array.from({ length: count }, (_, at) => `${start}${at}`),
    ...site,
  } as unknown as Site
  const pending = new Set<string>()
  const progress: Progress = {
    found: ({ id }) => void pending.add(id),
    done: (id) => void pending.delete(id),
    dropped: (id) => void pending.delete(id),
  }
  const until = performance.now() + 60_000
  const crawling = { site: whole, progress, limits: inRun(1_000), maxFileBytes: 1_000, until }
  const found = await crawl(start, { ...crawling, reader })
  return { ...found, pending }
}

test('other work gets its turn while many addresses are compared with many rules of robots.txt', async () => {
  let [turns, asked] = [0, 0]
  const mayFetch = () => {
    for (const from = performance.now(); performance.now() - from < 2;);
    return asked++ === 0
  }
  const counting = setInterval(() => (turns += 1), 1)
  const found = await crawled(100, { mayFetch })
  clearInterval(counting)
  assert.equal(found.skipped.length, 100)
  assert.ok(turns >= 5, `${turns} turns`)
})

test('a site with more text than fits into memory is read in part, and pages that are too long are left out', async () => {
  const long = 900_000
  const found = await crawled(200, {}, 'x'.repeat(long))
  const most = limits.textLength / long + limits.atOnce + 1
  assert.ok(found.pages.length > most - limits.atOnce - 2 && found.pages.length <= most, `${found.pages.length} pages`)
  assert.deepEqual([found.total, found.pending.size], [201, 0])

  const left = await crawled(3, {}, 'x'.repeat(2_000_000))
  assert.equal(left.pages.length, 0)
  assert.match(left.skipped[0]!.reason, /longer than a page may be/)
})

test('a menu that each page of a site shows is kept once, and of different ones as many as fit into memory', async () => {
  const item = (title: string) => ({ title, items: [] })
  const page = { title: 'A', links: [], markdown: 'Text', embedded: [] }
  const html = async (url: string) => ({ status: 200, url, contentType: 'text/html', bytes: Buffer.alloc(0) })
  let read = 0
  const menusOf = async (menu: () => MenuItem[]) => {
    const reader = { read: async () => ({ ...page, menu: menu() }) } as unknown as PageReader
    return (await crawled(40, { fetch: html }, '', reader)).menus.length
  }
  assert.equal(await menusOf(() => [item('Same')]), 1)
  const length = 1024 ** 2
  assert.equal(await menusOf(() => [item(`${read++}${'x'.repeat(length)}`)]), limits.menuLength / length)
})

test('the pages of an import are those at an address and below it, and each page has one key', () => {
  const scope = new Scope('https://x.test/docs/intro.html')
  assert.deepEqual(
    ['/docs/a', '/docs', '/docsy', '/', `/docs${'/a'.repeat(5)}`, `/docs${'/ab'.repeat(30)}`].map((path) =>
      scope.has(`https://x.test${path}`),
    ),
    [true, true, false, false, false, false],
  )
  assert.equal(scope.has('https://other.test/docs/a'), false)
  const keys = ['/a', '/a/', '/a.html', '/a/index.html', '/a?x=1', '/a#b', '/%61'].map((path) =>
    keyOf(`https://x.test${path}`),
  )
  assert.deepEqual(new Set(keys).size, 1)
})

test('the time to find the key of an address is linear in its slashes', () => {
  const address = (length: number) => `https://x.test/a${'/'.repeat(length)}b/`
  assert.equal(keyOf(address(3)), 'x.test/a///b')
  assertLinear((length) => keyOf(address(length)), 100_000)
})

test('the time to read a menu is linear in its length, however many headings are beside each other', () => {
  const around = { pages: [], aliases: new Map(), root: '', skipped: [], total: 0, isOwnFile: () => false }
  const load = () => assert.fail('nothing is asked for')
  assertLinear((length) => {
    const menu = Array.from({ length }, (_, n) => ({ title: `Heading ${n}`, items: [] }))
    return treeOf({ ...around, menus: [menu, menu], load })
  }, 8_000)
})

test('folders that are nested too deeply become only as many levels as it takes to refuse them', () => {
  const at = `archive:///${'a/'.repeat(480)}b`
  const page: FoundPage = { id: 'b', key: at, source: 'b', base: at, title: 'B', fields: {}, body: '' }
  const around = { aliases: new Map(), menus: [], root: 'archive://', skipped: [], total: 1, isOwnFile: () => false }
  let levels = 0
  const load = () => assert.fail('nothing is asked for')
  for (let nodes = treeOf({ ...around, pages: [page], load }); nodes[0]; nodes = nodes[0].nodes) levels += 1
  assert.equal(levels, contentLimits.pageLevels + 2)
})

test('pages are fetched until the time for them is over, whatever is left of it, and one that takes longer is given up', async (t) => {
  const fetcher = new Fetcher({ allow: ['127.0.0.1'] })
  t.after(() => fetcher.close())
  const { url } = await aSite({ '/a': 'Text', '/slow': () => {} })
  const site = new Site(fetcher, { until: performance.now() + 2_000.5, stopping: new AbortController().signal })
  assert.equal((await site.fetch(url('/a'), 1_000)).bytes.toString(), 'Text')
  await assert.rejects(site.fetch(url('/slow'), 1_000), { reason: 'timeout' })
  assert.ok(site.isOver)
})
