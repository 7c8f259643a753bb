// What an administrator of a site sees of the feedback that readers gave on pages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { grantOnSite } from '../../test/sites.ts'
import { type TestSite, aSite, expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { clearInsights } from './clear.task.ts'
import { Insights } from './insights.ts'
import { asReader } from './testing/readers.ts'

const app = await startApp()
const { context } = app

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

const addRatings = (site: TestSite, day: string, pageId: string, helpful: number, unhelpful: number) =>
  app.db.run(sql`
    insert into site_page_ratings (organization_id, site_id, day, space_id, page_id, helpful, unhelpful)
    values (${site.org.id}, ${site.id}, ${day}, ${site.space.id}, ${pageId}, ${helpful}, ${unhelpful})`)

const addRemark = (site: TestSite, day: string, text: string, spaceId = site.space.id) =>
  app.db.run(sql`
    insert into site_page_remarks (organization_id, site_id, day, id, space_id, page_id, text)
    values (${site.org.id}, ${site.id}, ${day}, ${newId()}, ${spaceId}, ${newId()}, ${text})`)

const pagesOf = async (site: TestSite): Promise<string[]> =>
  expect(await site.who.get(`${site.space.path}/content`), 200).pages.map(({ id }: { id: string }) => id)

/** Reads a whole list, two items at a time. */
async function walk(site: TestSite, what: string, query = '') {
  const items: any[] = []
  let page = ''
  do {
    const answer = expect(await site.who.get(`${site.path}/insights/${what}?limit=2${query}&page=${page}`), 200)
    items.push(...answer.items)
    page = answer.next?.page ?? ''
  } while (page !== '')
  return items
}

test('the least helpful pages come first, with the ratings of all days together', async () => {
  const site = await aSite(app, { pages: ['A', 'B', 'C', 'D', 'E'].map((title) => newPage(title)) })
  const [a, b, c, d, e] = (await pagesOf(site)) as [string, string, string, string, string]
  await addRatings(site, daysAgo(0), a, 9, 0)
  await addRatings(site, daysAgo(0), b, 1, 2)
  await addRatings(site, daysAgo(3), b, 1, 2)
  await addRatings(site, daysAgo(0), c, 7, 4)
  await addRatings(site, daysAgo(0), d, 0, 1)
  await addRatings(site, daysAgo(0), e, 3, 0)
  await addRatings(site, daysAgo(40), e, 0, 50)
  const told = await walk(site, 'ratings')
  assert.deepEqual(
    told.map(({ title, helpful, unhelpful }) => [title, helpful, unhelpful]),
    [
      ['B', 2, 4],
      ['C', 7, 4],
      ['D', 0, 1],
      ['E', 3, 0],
      ['A', 9, 0],
    ],
  )
  assert.deepEqual(told[0], {
    object: 'site-insights-rating',
    pageId: b,
    spaceId: site.space.id,
    siteSpaceId: site.siteSpaceId,
    title: 'B',
    path: 'b',
    deleted: false,
    helpful: 2,
    unhelpful: 4,
  })
  assert.equal((await walk(site, 'ratings', `&from=${daysAgo(60)}`))[0].unhelpful, 50)
})

test('remarks of readers are listed newest first, exactly as written', async () => {
  const site = await aSite(app)
  const texts = ['<script>alert(1)</script>', '"; drop table', '{{x}}', 'four', 'five']
  for (const [at, text] of texts.entries()) await addRemark(site, daysAgo(at === 4 ? 1 : 0), text)
  const told = await walk(site, 'remarks')
  assert.deepEqual(
    told.map(({ text }) => text),
    [...texts.slice(0, 4).toReversed(), 'five'],
  )
  assert.deepEqual([told[4].object, told[4].day, told[4].deleted], ['site-insights-remark', daysAgo(1), true])
})

test('feedback on unreadable spaces or spaces in the trash is hidden, and only site administrators see feedback', async () => {
  const site = await aSite(app)
  const hidden = await aLiveSpace(app, site.org)
  expect(await site.who.patch(hidden.path, { defaultLevel: null }), 200)
  await addRemark(site, daysAgo(0), 'About the merger', hidden.id)
  await app.db.run(sql`
    insert into site_page_ratings (organization_id, site_id, day, space_id, page_id, helpful, unhelpful)
    values (${site.org.id}, ${site.id}, ${daysAgo(0)}, ${hidden.id}, ${newId()}, 1, 1)`)
  const guest = await site.org.member(null)
  await grantOnSite(site, { users: [guest.id] }, 'create')
  const keeper = await site.org.member('create')
  const reader = await site.org.member('review')
  const counts = async (who: typeof site.who) =>
    Promise.all(
      ['ratings', 'remarks'].map(async (what) => expect(await who.get(`${site.path}/insights/${what}`), 200).count),
    )
  assert.deepEqual(await counts(site.who), [1, 1])
  assert.deepEqual(await counts(keeper.client), [0, 0])
  assert.deepEqual(await counts(guest.client), [0, 0])
  for (const what of ['ratings', 'remarks'])
    assert.equal((await reader.client.get(`${site.path}/insights/${what}`)).status, 403)
  expect(await site.who.delete(hidden.path), 205)
  assert.deepEqual(await counts(site.who), [0, 0])
})

test('ratings and remarks that could not be written are kept, and those of all nodes add up', async () => {
  const site = await aSite(app)
  const [pageId] = (await pagesOf(site)) as [string]
  const page = { key: pageId, organizationId: site.org.id, siteId: site.id, spaceId: site.space.id, pageId }
  const by = (n: number) => ({ ip: `192.0.2.${n}`, raw: { method: 'POST', headers: asReader().headers } }) as never
  const other = new Insights({ db: app.db, log: app.app.log, config: { insights: true } })
  const rename = (from: string, to: string) => app.db.pool.query(`alter table ${from} rename to ${to}`)
  const tables = ['site_page_ratings', 'site_page_remarks']
  for (const table of tables) await rename(table, `${table}_away`)
  app.app.insights.rated(by(1), page, true)
  app.app.insights.remarked(by(1), page, 'One')
  await app.app.insights.flush()
  for (const table of tables) await rename(`${table}_away`, table)
  app.app.insights.rated(by(2), page, false)
  for (const n of [1, 3]) other.rated(by(n), page, true)
  other.remarked(by(3), page, 'Two')
  await Promise.all([app.app.insights.flush(), other.flush()])
  const [told] = await walk(site, 'ratings')
  assert.deepEqual([told.helpful, told.unhelpful], [3, 1])
  assert.deepEqual(
    (await walk(site, 'remarks')).map(({ text }) => text),
    ['Two', 'One'],
  )
})

test('feedback older than 400 days is removed, and all feedback on a deleted site or space', async () => {
  const [site, deleted] = [await aSite(app), await aSite(app)]
  for (const each of [site, deleted])
    for (const day of [daysAgo(0), daysAgo(399), daysAgo(401)]) {
      await addRatings(each, day, newId(), 1, 0)
      await addRemark(each, day, 'Text')
    }
  await addRemark(site, daysAgo(0), 'Of a space that is gone', newId())
  expect(await deleted.who.delete(deleted.path), 205)
  await clearInsights.run(context)
  const left = await app.db.one(sql<Record<string, number>>`
    select (select count(*) from site_page_ratings where site_id = ${site.id}) as ratings,
      (select count(*) from site_page_remarks where site_id = ${site.id}) as remarks,
      (select count(*) from site_page_ratings where site_id = ${deleted.id}) as gone,
      (select count(*) from site_page_remarks where site_id = ${deleted.id}) as gone_remarks`)
  assert.deepEqual(left, { ratings: 2, remarks: 2, gone: 0, gone_remarks: 0 })
})

test('a remark can only be deleted by a site administrator who may read its page', async () => {
  const [site, other] = [await aSite(app), await aSite(app)]
  const hidden = await aLiveSpace(app, site.org)
  expect(await site.who.patch(hidden.path, { defaultLevel: null }), 200)
  await addRemark(site, daysAgo(0), 'About the merger', hidden.id)
  await addRemark(site, daysAgo(399), 'Old')
  const list = `${site.path}/insights/remarks`
  const all = `${list}?from=${daysAgo(399)}`
  const [secret, old] = expect(await site.who.get(all), 200).items
  const [keeper, reader] = [await site.org.member('create'), await site.org.member('review')]
  assert.equal((await keeper.client.delete(`${list}/${secret.id}`)).status, 404)
  assert.equal((await reader.client.delete(`${list}/${old.id}`)).status, 403)
  assert.equal((await other.who.delete(`${other.path}/insights/remarks/${old.id}`)).status, 404)
  for (const id of [newId(), 'x']) assert.equal((await keeper.client.delete(`${list}/${id}`)).status, 404)
  assert.equal((await keeper.client.delete(`${list}/${old.id}`, { 'if-match': '"x"' })).status, 412)
  assert.equal(expect(await site.who.get(all), 200).count, 2)
  expect(await keeper.client.delete(`${list}/${old.id}`), 204)
  assert.equal((await keeper.client.delete(`${list}/${old.id}`)).status, 404)
  assert.deepEqual(expect(await site.who.get(all), 200).items, [secret])
})
