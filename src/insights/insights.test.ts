// What an administrator of a site sees about its readers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { grantOnSite } from '../../test/sites.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { addMember } from '../organizations/members.actions.ts'
import { clearInsights } from './clear.task.ts'
import { readersOf } from './testing/readers.ts'

const app = await startApp()
const { context } = app

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

interface Counted {
  org: { id: string }
  id: string
}

const addViews = (site: Counted, day: string, spaceId: string, pageId: string, views: number) =>
  app.db.run(sql`
    insert into site_page_views (organization_id, site_id, day, space_id, page_id, views)
    values (${site.org.id}, ${site.id}, ${day}, ${spaceId}, ${pageId}, ${views})`)

const addSearches = (site: Counted, day: string, words: string, searches: number, unfound: number) =>
  app.db.run(sql`
    insert into site_searches (organization_id, site_id, day, words, searches, unfound)
    values (${site.org.id}, ${site.id}, ${day}, ${words}, ${searches}, ${unfound})`)

const addMissing = (site: Counted, day: string, path: string, requests: number) =>
  app.db.run(sql`
    insert into site_missing_paths (organization_id, site_id, day, path, requests)
    values (${site.org.id}, ${site.id}, ${day}, ${path}, ${requests})`)

test('a page is listed with its current title and address, and a deleted page only with its number of views', async () => {
  const site = await aSite(app)
  const { get, told } = readersOf(app, site)
  for (const path of ['', '', 'guide']) await get(path)
  const [welcome, guide] = (await told('pages')).items
  assert.deepEqual(welcome, {
    object: 'site-insights-page',
    pageId: welcome.pageId,
    spaceId: site.space.id,
    siteSpaceId: site.siteSpaceId,
    title: 'Welcome',
    path: '',
    deleted: false,
    views: 2,
  })
  assert.deepEqual([guide.title, guide.path, guide.views], ['Guide', 'guide', 1])
  const metadata = { title: 'Handbook', slug: 'handbook' }
  expect(await site.space.edit({ operation: 'update_page', page: guide.pageId, metadata }), 200)
  const named = (await told('pages')).items[1]
  assert.deepEqual([named.pageId, named.title, named.path], [guide.pageId, 'Handbook', 'handbook'])

  expect(await site.space.edit({ operation: 'delete_page', page: guide.pageId }), 200)
  const gone = (await told('pages')).items[1]
  assert.deepEqual(gone, { ...guide, title: null, path: null, deleted: true })
})

test('pages of a space that the site no longer shows are listed, and pages of a space in the trash are not', async () => {
  const site = await aSite(app)
  const { get, told, today } = readersOf(app, site)
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(newPage('Old')), 200)
  const placed = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  await get(`${placed.path}/`)
  assert.deepEqual(
    (await told('pages')).items.map((item: any) => [item.title, item.path, item.siteSpaceId]),
    [['Old', `${placed.path}/`, placed.id]],
  )
  expect(await site.who.delete(`${site.path}/site-spaces/${placed.id}`), 205)
  assert.deepEqual(
    (await told('pages')).items.map((item: any) => [item.title, item.path, item.siteSpaceId, item.deleted]),
    [['Old', null, null, false]],
  )
  expect(await site.who.delete(other.path), 205)
  assert.deepEqual((await told('pages')).items, [])
  assert.equal((await today()).views, 0)
  expect(await site.who.post(`${other.path}/restore`), 200)
  assert.equal((await today()).views, 1)
})

test('a page in a draft variant has no address, unless another variant shows it', async () => {
  const site = await aSite(app)
  const { get, told } = readersOf(app, site)
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(newPage('Old')), 200)
  const place = async () => expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  const first = await place()
  await get(`${first.path}/`)
  expect(await site.who.patch(`${site.path}/site-spaces/${first.id}`, { draft: true }), 200)
  const now = async () => (await told('pages')).items.map((item: any) => [item.title, item.path, item.siteSpaceId])
  assert.deepEqual(await now(), [['Old', null, first.id]])
  const second = await place()
  assert.deepEqual(await now(), [['Old', `${second.path}/`, second.id]])
})

test('a site administrator who may not read a space sees neither its pages nor their views', async () => {
  const site = await aSite(app)
  const { get, told } = readersOf(app, site)
  const hidden = await aLiveSpace(app, site.org)
  expect(await hidden.edit(newPage('Merger')), 200)
  expect(await site.who.patch(hidden.path, { defaultLevel: null }), 200)
  const placed = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: hidden.id }), 201)
  await get(`${placed.path}/`)
  await get('')
  assert.equal((await told('pages')).count, 2)

  const keeper = await site.org.member('create')
  const pages = expect(await keeper.client.get(`${site.path}/insights/pages`), 200)
  assert.deepEqual([pages.count, pages.items.map((item: any) => item.title)], [1, ['Welcome']])
  assert.equal(expect(await keeper.client.get(`${site.path}/insights/days`), 200).items.at(-1).views, 1)
  // A guest who administers the site but cannot read any of its spaces.
  const guest = await site.org.member(null)
  await grantOnSite(site, { users: [guest.id] }, 'create')
  assert.deepEqual(expect(await guest.client.get(`${site.path}/insights/pages`), 200), { count: 0, items: [] })
  assert.equal(expect(await guest.client.get(`${site.path}/insights/days`), 200).items.at(-1).views, 0)
  const reader = await site.org.member('review')
  for (const what of ['days', 'pages', 'searches', 'missing'])
    assert.equal((await reader.client.get(`${site.path}/insights/${what}`)).status, 403)
})

test('the last thirty days are reported by default, and every day is included', async () => {
  const site = await aSite(app)
  const { told } = readersOf(app, site)
  const page = newId()
  for (const days of [0, 29, 30, 60]) {
    await addViews(site, daysAgo(days), site.space.id, page, 1)
    await addSearches(site, daysAgo(days), 'tea', 2, 1)
    await addMissing(site, daysAgo(days), '/old', 3)
  }
  const { items, count } = await told('days')
  assert.deepEqual([count, items.length, items[0].day, items.at(-1).day], [30, 30, daysAgo(29), daysAgo(0)])
  const busy = { views: 1, searches: 2, searchesWithoutResults: 1, missing: 3 }
  assert.deepEqual(items[0], { object: 'site-insights-day', day: daysAgo(29), ...busy })
  assert.equal(items[1].views, 0)
  const totals = async (query: string) => [
    (await told('pages', query)).items[0]?.views,
    (await told('searches', query)).items[0]?.searches,
    (await told('missing', query)).items[0]?.requests,
  ]
  assert.deepEqual(await totals(''), [2, 4, 6])
  assert.deepEqual(await totals(`?from=${daysAgo(60)}`), [4, 8, 12])
  assert.deepEqual(await totals(`?from=${daysAgo(60)}&to=${daysAgo(30)}`), [2, 4, 6])
  assert.deepEqual(await totals(`?to=${daysAgo(59)}`), [1, 2, 3])
  assert.deepEqual(await totals(`?from=${daysAgo(28)}&to=${daysAgo(1)}`), [undefined, undefined, undefined])
  const refused = async (query: string, path: string) => {
    const answer = await site.who.get(`${site.path}/insights/days?${query}`)
    assert.deepEqual([answer.status, answer.body.error.details[0].path], [400, path], query)
  }
  await refused(`from=${daysAgo(0)}&to=${daysAgo(1)}`, 'query.from')
  await refused(`from=${daysAgo(400)}`, 'query.from')
  await refused('from=2026-02-30', 'query.from')
  await refused('to=yesterday', 'query.to')
  await refused('to=0000-12-31', 'query.to')
  // The earliest day that is accepted.
  for (const what of ['days', 'pages', 'searches', 'missing'])
    expect(await site.who.get(`${site.path}/insights/${what}?to=0001-01-05`), 200)
  assert.equal((await told('days', '?to=0001-01-05')).items.length, 5)
  await refused('to=2026-11-17T00:00:00Z', 'query.to')
})

test('lists are paged, with each item once', async () => {
  const site = await aSite(app)
  const today = daysAgo(0)
  const pages = Array.from({ length: 7 }, () => newId())
  for (const [at, page] of pages.entries()) await addViews(site, today, site.space.id, page, at < 4 ? 5 : at)
  for (const words of ['a', 'b', 'c', 'd', 'e']) await addSearches(site, today, words, 3, words === 'c' ? 2 : 1)
  for (const path of ['/a', '/b', '/c', '']) await addMissing(site, today, path, 2)
  const walk = async (what: string, query: string, name: string) => {
    const seen: (string | null)[] = []
    let page = ''
    do {
      const answer = expect(await site.who.get(`${site.path}/insights/${what}?limit=2${query}&page=${page}`), 200)
      seen.push(...answer.items.map((item: any) => item[name]))
      page = answer.next?.page ?? ''
    } while (page !== '')
    return seen
  }
  const walked = await walk('pages', '', 'pageId')
  assert.equal(walked.length, 7)
  assert.deepEqual(new Set(walked), new Set(pages))
  assert.equal(walked[0], pages[6])
  assert.deepEqual(await walk('searches', '', 'words'), ['a', 'b', 'c', 'd', 'e'])
  assert.deepEqual(await walk('searches', '&found=none', 'words'), ['c', 'a', 'b', 'd', 'e'])
  assert.deepEqual(await walk('missing', '', 'path'), [null, '/a', '/b', '/c'])
  const days = await walk('days', `&from=${daysAgo(4)}`, 'day')
  assert.deepEqual(days, [4, 3, 2, 1, 0].map(daysAgo))
})

test('counts older than 400 days and all counts of a deleted site are removed', async () => {
  const [site, deleted] = [await aSite(app), await aSite(app)]
  for (const each of [site, deleted]) {
    for (const day of [daysAgo(0), daysAgo(399), daysAgo(401)]) {
      await addViews(each, day, each.space.id, newId(), 1)
      await addSearches(each, day, 'tea', 1, 0)
      await addMissing(each, day, '/old', 1)
    }
  }
  expect(await deleted.who.delete(deleted.path), 205)
  await clearInsights.run(context)
  const left = await app.db.one(sql<Record<string, number>>`
    select (select count(*) from site_page_views where site_id = ${site.id}) as views,
      (select count(*) from site_searches where site_id = ${site.id}) as searches,
      (select count(*) from site_missing_paths where site_id = ${site.id}) as missing,
      (select count(*) from site_page_views where site_id = ${deleted.id}) as gone,
      (select count(*) from site_searches where site_id = ${deleted.id}) as gone_searches,
      (select count(*) from site_missing_paths where site_id = ${deleted.id}) as gone_missing`)
  assert.deepEqual(left, { views: 2, searches: 2, missing: 2, gone: 0, gone_searches: 0, gone_missing: 0 })
})

test('a site no longer lists the pages of a space that was transferred to another organization', async () => {
  const site = await aSite(app)
  const { get, told } = readersOf(app, site)
  const other = await aLiveSpace(app, site.org)
  const [pageId] = idsOf(await other.edit(newPage('Old')))
  const placed = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  await get(`${placed.path}/`)
  assert.equal((await told('pages')).items[0].pageId, pageId)
  expect(await site.who.delete(`${site.path}/site-spaces/${placed.id}`), 205)
  const elsewhere = await anOrganization(app)
  const joining = { organizationId: elsewhere.id, userId: site.org.admin.id, role: 'create', sso: false } as const
  await transaction(app.db, nobody, (tx) => addMember(tx, joining))
  assert.ok((await site.who.post(`${other.path}/transfer`, { organization: elsewhere.id })).status < 300)
  assert.deepEqual((await told('pages')).items, [])
})
