// Which requests for a published site are counted, and which are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeTestApp, startApp } from '../../test/app.ts'
import { newPage, newReference } from '../../test/editing.ts'
import { aSite, expect, inSeconds, signToken } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { putSpec } from '../openapi/testing/specs.ts'
import { aSession } from '../sessions/testing/signed-in.ts'
import { Insights } from './insights.ts'
import { asReader, readersOf } from './testing/readers.ts'

const app = await startApp()

test('a page view is counted each time a reader gets the page: rendered, from the cache, or as 304', async () => {
  const site = await aSite(app)
  const { get, pages, today } = readersOf(app, site)
  const first = await get('')
  await get('')
  const again = await get('', { 'if-none-match': String(first.headers.etag) })
  assert.equal(again.status, 304)
  // A request with a cookie is not answered from the cache.
  const late = await get('', { cookie: 'x=y', 'if-none-match': String(first.headers.etag) })
  assert.equal(late.status, 304)
  await get('guide', { 'accept-encoding': 'gzip' })
  await get('guide', { 'accept-encoding': 'br' })
  assert.deepEqual(await pages(), { Welcome: 4, Guide: 2 })
  // These are redirects; the reader has not reached the page yet.
  await get('welcome')
  await get('guide/')
  assert.deepEqual(await pages(), { Welcome: 4, Guide: 2 })
  const { views, searches, missing } = await today()
  assert.deepEqual([views, searches, missing], [6, 0, 0])
})

test('programs, browser prefetches and machine-readable files are not counted', async () => {
  const site = await aSite(app)
  const { browser, get, pages, searches, missing } = readersOf(app, site)
  for (const path of ['', 'guide', 'nowhere', '~/search?q=welcome', '~/search.json?q=guide']) {
    const address = site.address + path
    for (const name of [
      'Mozilla/5.0 (compatible; Googlebot/2.1)',
      'curl/8.5.0',
      'GPTBot/1.2',
      'node',
      'Lectern/0.1.0',
      'HTTPie/3.2.2',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/x)',
      'Mozilla/5.0 (compatible; GoogleOther)',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 (+https://example.com/about)',
      'Claude-User (claude-code/2.0; +https://support.anthropic.com/)',
      'WhatsApp/2.23.20.0',
      'PostmanRuntime/7.43.0',
      'Deno/2.4.0',
      'Bun/1.2.0',
      '',
    ])
      for (const _ of [1, 2]) await browser.get(address, { headers: { 'user-agent': name } })
    await browser.get(address)
    await browser.get(address, { method: 'HEAD', ...asReader() })
    await get(path, { 'sec-purpose': 'prefetch;prerender' })
    await get(path, { purpose: 'prefetch' })
    await get(path, { 'x-moz': 'prefetch' })
  }
  for (const path of ['llms.txt', 'llms-full.txt', 'index.md', 'guide.md', 'gone.md', 'sitemap.xml', 'robots.txt'])
    await get(path)
  for (const path of ['rss.xml', '~/mcp', '~/pdf', '~/files/none', '~/none', 'favicon.ico', '.env', 'a/.git/config'])
    await get(path)
  await get('guide', { accept: 'text/markdown' })
  assert.deepEqual([await pages(), await searches(), await missing()], [{}, {}, {}])
  // A phone whose model name contains "BOT".
  await browser.get(site.address, { headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) Chrome/100' } })
  assert.deepEqual(await pages(), { Welcome: 1 })
})

test('previews of an unpublished site and of a change request are not counted', async () => {
  const site = await aSite(app, { published: false })
  const { browser, get, pages, searches, missing } = readersOf(app, site)
  const change = await site.space.changeRequest()
  expect(await change.edit(newPage('Draft')), 200)
  const address = await site.who.get(`${change.path}/preview`)
  for (const { url } of [expect(await site.who.get(`${site.path}/publishing/preview`), 200), expect(address, 200)]) {
    const { pathname, search } = new URL(url)
    assert.equal((await browser.get(pathname + search, asReader())).status, 307)
    for (const path of ['', 'guide', '~/search.json?q=guide', '~/search?q=guide']) {
      assert.equal((await get(path)).status, 200, path)
    }
    assert.equal((await get('nowhere')).status, 404)
  }
  assert.deepEqual([await pages(), await searches(), await missing()], [{}, {}, {}])
})

test('readers with a share link are counted, and requests with a key that opens nothing are not', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Friends' }), 201)
  const key = new URL(link.urls.published).pathname.split('/').at(-2)!
  const { get, pages, missing, search, searches, told } = readersOf(app, site)
  const asked = async () => {
    for (const path of ['', 'guide', 'nowhere', `${key}/guide`, `${key}/nowhere`]) await get(path, {}, site.browser())
    await get('~/search.json?q=tea', {}, site.browser())
  }
  await asked()
  assert.deepEqual([await pages(), await missing(), await searches()], [{}, {}, {}])
  await get(`${key}/`)
  for (const path of ['', 'guide', 'nowhere']) await get(path)
  await search('tea')
  const counted = [{ Welcome: 1, Guide: 1 }, { '/nowhere': 1 }, { tea: 1 }]
  assert.deepEqual([await pages(), await missing(), await searches()], counted)

  expect(await site.who.patch(`${site.path}/share-links/${link.id}`, { active: false }), 200)
  for (const path of ['', 'nowhere', `${key}/`]) assert.equal((await get(path)).status, 404)
  assert.equal((await search('tea')).status, 404)
  await asked()
  assert.deepEqual([await pages(), await missing(), await searches()], counted)
  // On a public site, an old key leads nowhere, and the list of missing paths must not reveal it.
  await site.change({ visibility: 'public' })
  assert.equal((await get(`${key}/guide`)).status, 404)
  assert.deepEqual(await missing(), { '/nowhere': 1 })
  assert.ok(!JSON.stringify(await told('missing')).includes(key))
})

test('signed-in visitors are counted, and visitors who did not sign in are not', async () => {
  const site = await aSite(app, { visibility: 'visitor-auth' })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const { get, pages, missing } = readersOf(app, site)
  for (const path of ['', 'guide', 'nowhere', '?jwt_token=nonsense']) await get(path)
  assert.deepEqual([await pages(), await missing()], [{}, {}])
  await get(`?jwt_token=${signToken(privateKey, { sub: 'u', exp: inSeconds(600) })}`)
  for (const path of ['', 'nowhere']) await get(path)
  assert.deepEqual([await pages(), await missing()], [{ Welcome: 1 }, { '/nowhere': 1 }])
})

test('members of the organization are counted like other readers', async () => {
  const site = await aSite(app)
  const { get, pages } = readersOf(app, site)
  const { secret } = await aSession(app, site.org.admin)
  await get('guide', { cookie: `lectern-session=${secret}` })
  assert.deepEqual(await pages(), { Guide: 1 })
})

test('searches made while typing count as one search, and other words count as another', async () => {
  const site = await aSite(app)
  const { get, search, searches, told, today } = readersOf(app, site)
  for (const words of ['', 'w', 'we', 'wel', 'welcom', 'welcome']) await search(words)
  // Opening the full results, or their next page, is not another search.
  await get('~/search?q=Welcome')
  await get('~/search?q=welcome&page=2')
  for (const words of ['o', 'oo', 'oolong', 'oolon', 'oolong tea']) await search(words)
  assert.deepEqual(await searches(), { welcome: 1, 'oolong tea': 1 })
  await search('  WelCome\u0007 ')
  await search(' Two \n words\t')
  assert.deepEqual(await searches(), { welcome: 2, 'oolong tea': 1, 'two words': 1 })
  const { items, count } = await told('searches', '?found=none')
  assert.deepEqual(
    items.map((item: any) => [item.words, item.searches, item.searchesWithoutResults]),
    [
      ['oolong tea', 1, 1],
      ['two words', 1, 1],
    ],
  )
  assert.equal(count, 2)
  const day = await today()
  assert.deepEqual([day.searches, day.searchesWithoutResults], [4, 2])
})

test('a search is not counted while its reader may still be typing', async () => {
  const site = await aSite(app)
  const { search } = readersOf(app, site)
  await search('wel')
  await app.app.insights.flush()
  const { items } = expect(await site.who.get(`${site.path}/insights/searches`), 200)
  assert.deepEqual(items, [])
})

test('long searches are cut, and a search with an e-mail address is counted without its words', async () => {
  const site = await aSite(app)
  const { search, searches } = readersOf(app, site)
  await search(`long ${'𝒘'.repeat(200)}`)
  await search('orders of jo@example.org')
  await search('anna@home')
  assert.deepEqual(await searches(), { [`long ${'𝒘'.repeat(95)}`]: 1, null: 2 })
  assert.deepEqual(await searches(), { [`long ${'𝒘'.repeat(95)}`]: 1, null: 2 })
})

test('an e-mail address is recognized whatever its host begins with, and a package version is not one', async () => {
  const site = await aSite(app)
  const { search, searches } = readersOf(app, site)
  const addresses = ['li@163.com', 'jo@1und1.de', 'of jo@3.mail.example.org please', 'jo@42.рф', 'ask li@126.com.']
  for (const words of addresses) await search(words)
  const versions = ['vue@3', 'react@18.2.0', 'vite@6.x', 'next@15.0.0-rc.1', 'left @ 5 pm']
  for (const words of versions) await search(words)
  assert.deepEqual(await searches(), {
    ...Object.fromEntries(versions.map((each) => [each, 1])),
    null: addresses.length,
  })
})

test('a missing path is counted as a redirect would name it, without its query', async () => {
  const site = await aSite(app)
  const { get, missing } = readersOf(app, site)
  for (const path of ['old/page', 'old/page/', 'old/page?token=secret', 'Gr%C3%BCner%20Tee*', 'gr%c3%bcn/%2A'])
    assert.equal((await get(path)).status, 404, path)
  // None of our addresses looks like these, and no redirect could.
  for (const path of ['a//b', 'a/%5Cb', `x/${'y'.repeat(600)}`]) await get(path)
  const counted = { '/old/page': 3, '/Gr%C3%BCner%20Tee%2A': 1, '/gr%C3%BCn/%2A': 1 }
  assert.deepEqual(await missing(), counted)
  const destination = { kind: 'external', url: 'https://example.org/' }
  for (const source of Object.keys(counted))
    expect(await site.who.post(`${site.path}/redirects`, { source, destination }), 201)
  for (const path of ['old/page', 'Gr%C3%BCner%20Tee*']) assert.equal((await get(path)).status, 307, path)
  assert.deepEqual(await missing(), counted)
})

test('a site counts a thousand different searches and paths a day, and the rest together', async () => {
  const site = await aSite(app)
  const { told, today } = readersOf(app, site)
  const { insights } = app.app
  const ofSite = { organizationId: site.org.id, siteId: site.id }
  const request = { ip: '192.0.2.1', raw: { method: 'GET', headers: asReader().headers } } as never
  const ask = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      insights.missed(request, ofSite, [`path-${n}`])
      insights.searched(request, ofSite, `${n}.`, n % 2)
    }
  }
  ask(0, 700)
  await insights.flush({ end: true })
  // Known texts are still counted, however many new ones arrive with them.
  ask(600, 1_900)
  await insights.flush({ end: true })
  ask(0, 1)
  for (const what of ['missing', 'searches']) {
    const { items, count } = await told(what, '?limit=1000')
    assert.equal(count, 1_001, what)
    const rest = items.find((item: any) => item.path === null || item.words === null)
    assert.equal(rest.requests ?? rest.searches, 900, what)
  }
  const day = await today()
  assert.deepEqual([day.missing, day.searches, day.searchesWithoutResults], [2_001, 2_001, 1_001])
})

test('counts that could not be written are kept, and the counts of nodes add up', async () => {
  const site = await aSite(app)
  const { get, search, pages, searches, missing } = readersOf(app, site)
  const rename = (from: string, to: string) => app.db.pool.query(`alter table ${from} rename to ${to}`)
  const tables = ['site_page_views', 'site_searches', 'site_missing_paths']
  for (const table of tables) await rename(table, `${table}_away`)
  await get('')
  await search('tea')
  await get('nowhere')
  await app.app.insights.flush({ end: true })
  await get('')
  await app.app.insights.flush({ end: true })
  for (const table of tables) await rename(`${table}_away`, table)
  await get('nowhere')
  const other = new Insights({ db: app.db, log: app.app.log, config: { insights: true } })
  const request = { ip: '192.0.2.1', raw: { method: 'GET', headers: asReader().headers } } as never
  other.missed(request, { organizationId: site.org.id, siteId: site.id }, ['nowhere'])
  await Promise.all([other.flush({ end: true }), app.app.insights.flush({ end: true })])
  assert.deepEqual([await pages(), await searches(), await missing()], [{ Welcome: 2 }, { tea: 1 }, { '/nowhere': 3 }])
})

test('a count that cannot be written does not block the others', async () => {
  const site = await aSite(app)
  const { get, missing } = readersOf(app, site)
  const allow = (change: string) => app.db.pool.query(`alter table site_missing_paths ${change}`)
  await allow(`add constraint cursed check (path <> '/cursed')`)
  for (const path of ['nowhere', 'cursed', 'old', 'nowhere']) await get(path)
  assert.deepEqual(await missing(), { '/nowhere': 2, '/old': 1 })
  await allow('drop constraint cursed')
  await get('old')
  // The refused count was given up instead of waiting for ever.
  assert.deepEqual(await missing(), { '/nowhere': 2, '/old': 2 })
})

test('counts are written in statements of limited size, however many there are', async () => {
  const sites = [await aSite(app), await aSite(app), await aSite(app)]
  await app.db.pool.query(`
    create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from written) > 2000 then raise 'too slow' using errcode = '57014'; end if;
      return null;
    end $$;
    create trigger refuse_many after insert on site_missing_paths referencing new table as written
      for each statement execute function refuse_many()`)
  const request = { ip: '192.0.2.1', raw: { method: 'GET', headers: asReader().headers } } as never
  for (const { org, id } of sites)
    for (let n = 0; n < 1_000; n++) {
      // The most requested path comes first, even though it is requested last.
      for (let times = 0; times < (n === 999 ? 3 : 1); times++)
        app.app.insights.missed(request, { organizationId: org.id, siteId: id }, [`path-${n}`])
    }
  for (const site of sites) {
    const { told } = readersOf(app, site)
    const { items, count } = await told('missing')
    assert.deepEqual([count, items[0].path, items[0].requests], [1_000, '/path-999', 3])
  }
  await app.db.pool.query('drop function refuse_many cascade')
})

test('counts made while the clock was wrong do not get a day of their own', async (t) => {
  const site = await aSite(app)
  const { get, today } = readersOf(app, site)
  const node = new Insights({ db: app.db, log: app.app.log, config: { insights: true } })
  const request = { ip: '192.0.2.1', raw: { method: 'GET', headers: asReader().headers } } as never
  const miss = () => node.missed(request, { organizationId: site.org.id, siteId: site.id }, ['nowhere'])
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3 * 24 * 60 * 60 * 1000 })
  miss()
  t.mock.timers.reset()
  miss()
  await node.flush({ end: true })
  await get('nowhere')
  assert.equal((await today()).missing, 2)
})

test('a clean stop writes the pending counts', async () => {
  const node = await makeTestApp()
  const site = await aSite(node)
  const { get, search } = readersOf(node, site)
  await get('guide')
  await search('tea')
  await node.app.close()
  const { rows } = await node.db.pool.query('select views, words from site_page_views, site_searches')
  assert.deepEqual(rows, [{ views: 1, words: 'tea' }])
  await node.stop()
})

test('with insights switched off, nothing is counted', async () => {
  const quiet = await startApp({ LECTERN_INSIGHTS: 'off' })
  const site = await aSite(quiet)
  const { get, search, pages, searches, missing } = readersOf(quiet, site)
  for (const path of ['', '', 'nowhere']) await get(path)
  await search('tea')
  assert.deepEqual([await pages(), await searches(), await missing()], [{}, {}, {}])
})

test('pages made from a specification are counted, and nothing is written for a deleted site', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const spec = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/a': { get: { tags: ['Cups'] } } } }
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(spec) })
  expect(await site.space.edit(newReference('API')), 200)
  const { get, pages } = readersOf(app, site)
  assert.equal((await get('cups')).status, 200)
  assert.deepEqual(await pages(), { Cups: 1 })

  await get('cups')
  expect(await site.who.delete(site.path), 205)
  await app.app.insights.flush({ end: true })
  const { views } = await app.db.one(
    sql<{ views: number }>`select views from site_page_views where site_id = ${site.id}`,
  )
  assert.equal(views, 1)
})

test('the stored counts have no column that identifies a reader', async () => {
  const { rows } = await app.db.pool.query<{ name: string }>(
    `select distinct column_name as name from information_schema.columns
     where table_name in ('site_page_views', 'site_searches', 'site_missing_paths') order by 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      'day',
      'organization_id',
      'page_id',
      'path',
      'requests',
      'searches',
      'site_id',
      'space_id',
      'unfound',
      'views',
      'words',
    ],
  )
})
