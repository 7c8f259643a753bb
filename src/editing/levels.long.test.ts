// Tests how deeply pages can be nested: code that shows them descends level by level.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { newId } from '../ids.ts'
import { aSpace } from '../../test/lines.ts'
import { aSite, expect } from '../../test/visitor.ts'

const app = await startApp()

/** Pages nested in each other. */
const tower = (levels: number, into?: string, slug = 'level') =>
  Array.from({ length: levels }, (_, at) => ({
    operation: 'insert_page',
    title: `Level ${at}`,
    document: {},
    slug,
    ref: `level-${at}`,
    into: at === 0 ? into : `level-${at - 1}`,
  }))

test('pages nest up to 100 levels, and no page is inserted or moved deeper, alone or with its subpages', async () => {
  const site = await aSite(app)
  const edit = (...changes: object[]) => site.space.edit(...changes)
  const upper = idsOf(await edit(...tower(50)))
  const lower = idsOf(await edit(...tower(50, upper.at(-1))))
  const [small] = idsOf(await edit(newPage('Small')))
  const [, child] = idsOf(await edit(...tower(2, undefined, 'other')))

  const refused = async (change: object) => {
    const { status, body } = await edit(change)
    assert.deepEqual(
      [status, body.error.details[0].path, body.error.details[0].rule],
      [400, 'body.changes.0.into', 'levels'],
    )
  }
  await refused(newPage('Below', { into: lower.at(-1) }))
  await refused({ operation: 'update_page', page: small, into: lower.at(-1) })
  await refused({ operation: 'update_page', page: upper[1], into: child })
  expect(await edit({ operation: 'update_page', page: small, into: lower.at(-2) }), 200)
  expect(await edit({ operation: 'update_page', page: upper[1], into: upper[0] }), 200)

  const path = Array<string>(100).fill('level').join('/')
  assert.equal((await site.browser().get(site.address + path)).status, 200)
  expect(await site.who.get(`${site.space.path}/content`), 200)
})

const move = (page: string | undefined, into: string | null | undefined) => ({ operation: 'update_page', page, into })

/** A space with pages on 99 levels, another page, and the change that moves it to the 100th level. */
async function aTower() {
  const space = await aLiveSpace(app)
  const upper = idsOf(await space.edit(...tower(50)))
  const levels = [...upper, ...idsOf(await space.edit(...tower(49, upper.at(-1))))]
  const [small] = idsOf(await space.edit(newPage('Small')))
  return { space, levels, small, down: move(small, levels.at(-1)) }
}

test('a merge that would nest pages deeper than 100 levels is refused', async () => {
  const { space, small, down } = await aTower()
  const request = await space.changeRequest()
  expect(await request.edit(down), 200)
  const [child] = idsOf(await space.edit(newPage('Child', { into: small })))
  for (const way of ['update', 'merge']) {
    const { status, body } = await space.who.post(`${request.path}/${way}`)
    assert.equal(status, 409)
    assert.match(body.error.message, /"Child" too deep: pages can be nested at most 100 levels deep/)
  }
  expect(await space.edit(move(child, null)), 200)
  expect(await space.who.post(`${request.path}/merge`), 200)

  const other = await space.changeRequest()
  expect(await other.edit(move(small, null)), 200)
  expect(await other.edit(newPage('New', { into: small })), 200)
  expect(await space.who.post(`${other.path}/merge`), 200)
})

test('a revert that would nest a page or its subpages deeper than 100 levels is refused', async () => {
  const { space, levels, small, down } = await aTower()
  const { revision } = expect(await space.edit(down), 200)
  const revert = async (status: number) => {
    const { body } = await space.edit({ operation: 'revert_page', page: small, revision })
    if (status === 400) assert.deepEqual(body.error.details[0].path, 'body.changes.0.page')
    assert.equal(body.error?.details[0].rule, status === 400 ? 'levels' : undefined)
  }
  expect(await space.edit(move(small, null)), 200)
  const [child] = idsOf(await space.edit(newPage('Child', { into: small })))
  await revert(400)
  expect(await space.edit({ operation: 'delete_page', page: child }), 200)
  await revert(200)

  expect(await space.edit({ operation: 'delete_page', page: small }), 200)
  const [above] = idsOf(await space.edit(newPage('Above')))
  expect(await space.edit(move(levels[0], above)), 200)
  await revert(400)
  expect(await space.edit(move(levels[0], null)), 200)
  await revert(200)
})

test('an import below a page of the last level is refused', async () => {
  const { space, small, down } = await aTower()
  expect(await space.edit(down), 200)
  const body = { url: 'https://docs.example.com/', source: 'website' }
  const refused = await space.who.post(`${space.path}/content/page/${small}/import`, body)
  assert.deepEqual([refused.status, refused.body.error.type], [409, 'conflict'])
  assert.match(refused.body.error.message, /too deep/)
})

test('pages nested deeper than the limit, from before it existed, can be read, changed, merged and moved up', async () => {
  const { main, path, admin } = await aSpace(app)
  const ids: string[] = []
  for (let level = 0; level < 150; level++) ids.push(newId())
  await main.add(
    ...ids.map((id, level) => ({
      id,
      title: `Level ${level}`,
      slug: 'level',
      ...(level > 0 && { parent: ids[level - 1]! }),
    })),
  )
  const [half, last] = [ids[75], ids.at(-1)]
  const { client } = admin
  expect(await client.get(`${path}/content`), 200)
  expect(await client.get(`${path}/content/page/${last}`), 200)
  const request = expect(await client.post(`${path}/change-requests`, { subject: 'Up' }), 201)
  const at = `${path}/change-requests/${request.id}`
  const edit = (...changes: object[]) => client.post(`${at}/content`, { changes })
  const renamed = { operation: 'update_page', page: last, title: 'Last', document: { markdown: 'New text' } }
  expect(await edit(renamed), 200)
  expect(await edit({ operation: 'update_page', page: last, at: 0 }), 200)
  assert.equal((await edit(newPage('More', { into: last }))).status, 400)
  expect(await client.post(`${at}/merge`), 200)
  assert.equal((await client.get(`${path}/export`)).status, 200)

  const up = expect(await client.post(`${path}/change-requests`, { subject: 'Up' }), 201)
  const upAt = `${path}/change-requests/${up.id}`
  expect(await client.post(`${upAt}/content`, { changes: [move(half, null)] }), 200)
  expect(await client.post(`${upAt}/merge`), 200)
  const { pages } = expect(await client.get(`${path}/content`), 200)
  assert.equal(pages.length, 2)
})
