import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'

const app = await startApp()

test('pages move among siblings and below others, `at` beyond the end means last, and a move to the same place is none', async () => {
  const space = await aLiveSpace(app)
  const [a, b, c] = idsOf(await space.edit(newPage('A'), newPage('B'), newPage('C')))
  const move = (page: string | undefined, to: object) => space.edit({ operation: 'update_page', page, ...to })
  await move(c, { at: 0 })
  assert.equal(await space.outline(), 'C A B')
  await move(c, { into: b })
  await move(a, { into: b, at: 0 })
  assert.equal(await space.outline(), 'B (A C)')
  await move(a, { into: null, at: 99 })
  assert.equal(await space.outline(), 'B (C) A')
  const before = (await space.who.get(space.path)).body.revision
  assert.equal((await move(a, { at: 1, into: null })).body.revision, before)
})

test('derived slugs that are taken get a number, also when a page is moved', async () => {
  const space = await aLiveSpace(app)
  const many = idsOf(
    await space.edit(
      ...Array.from({ length: 40 }, () => newPage('Same  Name!')),
      newPage('Folder', { ref: 'f' }),
      newPage('Same name', { into: 'f' }),
    ),
  )
  const slugOf = async (id: string | undefined) => (await space.who.get(`${space.path}/content/page/${id}`)).body.slug
  assert.equal(await slugOf(many[0]), 'same-name')
  assert.equal(await slugOf(many[1]), 'same-name-1')
  assert.equal(await slugOf(many[39]), 'same-name-39')
  assert.equal(await slugOf(many[41]), 'same-name')
  await space.edit({ operation: 'update_page', page: many[41], into: null })
  assert.equal(await slugOf(many[41]), 'same-name-40')
  await space.edit(
    { operation: 'update_page', page: many[0], metadata: { slug: 'chosen' } },
    { operation: 'update_page', page: many[1], metadata: { slug: 'same-name' } },
  )
  assert.deepEqual([await slugOf(many[0]), await slugOf(many[1])], ['chosen', 'same-name'])
})

test('a derived slug drops accents, and keeps the letters and vowels of every script', async () => {
  const space = await aLiveSpace(app)
  const slugs = {
    'Ünïcode Dócs': 'unicode-docs',
    'Άλφα βήτα': 'αλφα-βητα',
    ページ: 'ページ',
    'ｶﾞｲﾄﾞ 2': 'ガイド-2',
    'हिन्दी में': 'हिन्दी-में',
    'คู่มือ ที่': 'คู่มือ-ที่',
    คำถาม: 'คำถาม',
    'น้ำ ລຳ': 'น้ำ-ລຳ',
    'Йод и ёлка': 'йод-и-ёлка',
    한국어: '한국어',
    '❤️ Love 1️⃣': 'love-1',
    '!!!': 'page',
  }
  const ids = idsOf(await space.edit(...Object.keys(slugs).map((title) => newPage(title))))
  const { pages } = (await space.who.get(`${space.path}/content/pages`)).body
  const found = new Map(pages.map(({ id, slug }: any) => [id, slug]))
  assert.deepEqual(
    ids.map((id) => found.get(id)),
    Object.values(slugs),
  )
})

test('two siblings can swap their slugs in one batch by way of a third slug', async () => {
  const space = await aLiveSpace(app)
  const [a, b] = idsOf(await space.edit(newPage('A'), newPage('B')))
  const rename = (page: string | undefined, slug: string) => ({ operation: 'update_page', page, metadata: { slug } })
  assert.equal((await space.edit(rename(a, 'x'), rename(b, 'a'), rename(a, 'b'))).status, 200)
  assert.equal((await space.who.get(`${space.path}/content/path/a`)).body.id, b)
})

test('a page can go last in a batch that deletes or moves the pages that were last', async () => {
  const space = await aLiveSpace(app)
  const ids = idsOf(await space.edit(...Array.from({ length: 12 }, (_, n) => newPage(`P${n}`))))
  const request = await space.changeRequest()
  const gone = ids.slice(3).map((page) => ({ operation: 'delete_page', page }))
  await request.edit(...gone, { operation: 'update_page', page: ids[2], at: 0 }, newPage('Last'), newPage('Very last'))
  assert.equal(await request.outline(), 'P2 P0 P1 Last Very last')
  await request.edit({ operation: 'update_page', page: ids[2], at: 99 })
  assert.equal(await request.outline(), 'P0 P1 Last Very last P2')
})

test('deleting a page deletes all pages below it', async () => {
  const space = await aLiveSpace(app)
  const [a, b, c] = idsOf(
    await space.edit(newPage('A', { ref: 'a' }), newPage('B', { into: 'a', ref: 'b' }), newPage('C', { into: 'b' })),
  )
  const moved = await space.edit({ operation: 'update_page', page: c, into: null }, newPage('D', { into: b }), {
    operation: 'delete_page',
    page: a,
  })
  assert.equal(moved.status, 200)
  assert.equal(await space.outline(), 'C')
  assert.deepEqual(
    moved.body.changes.map(({ object }: any) => object),
    ['updated_page', 'deleted_page', 'deleted_page'],
  )
})
