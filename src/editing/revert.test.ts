import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'

const app = await startApp()

async function aChangedRequest() {
  const space = await aLiveSpace(app)
  const [a, b, c] = idsOf(await space.edit(newPage('A', { ref: 'a' }), newPage('B', { into: 'a' }), newPage('C')))
  const request = await space.changeRequest()
  const revert = (page: string | undefined, more: object = {}) =>
    request.edit({ operation: 'revert_page', page, ...more })
  return { space, request, revert, a: a!, b: b!, c: c! }
}

test('revert removes a new page, restores a deleted one with its subpages, and undoes changes of a page', async () => {
  const { request, revert, a, b, c, space } = await aChangedRequest()
  const [fresh] = idsOf(await request.edit(newPage('New', { at: 0 }), newPage('Below', { into: c })))
  await request.edit({ operation: 'delete_page', page: a })
  await request.edit({
    operation: 'update_page',
    page: c,
    into: fresh,
    document: { markdown: '# Changed\n\nOther' },
    metadata: { slug: 'x', icon: 'star' },
  })
  assert.equal(await request.outline(), 'New (Changed (Below))')

  await revert(c)
  assert.equal(await request.outline(), 'New C (Below)')
  const reverted = await revert(fresh)
  assert.deepEqual(reverted.body.changes, [{ object: 'deleted_page', page: fresh }])
  await revert(a)
  assert.equal(await request.outline(), 'A (B) C (Below)')
  assert.equal((await request.page(b)).title, 'B')
  assert.deepEqual(
    [(await request.page(c)).slug, (await request.page(c)).icon, (await request.page(c)).markdown],
    ['c', undefined, '# C\n\nText of C\n'],
  )
  assert.equal(await space.outline(), 'A (B) C')
})

test('reverting a new page moves the pages that were moved below it back, with their changes and subpages', async () => {
  const { request, revert, a, b, c } = await aChangedRequest()
  const [fresh, inner] = idsOf(
    await request.edit(newPage('New', { ref: 'new' }), newPage('Inner', { into: 'new', ref: 'inner' })),
  )
  await request.edit(
    { operation: 'update_page', page: b, into: inner, metadata: { title: 'B2' } },
    { operation: 'update_page', page: c, into: fresh },
    newPage('Below', { into: c }),
  )
  assert.equal(await request.outline(), 'A New (Inner (B2) C (Below))')

  const { body } = await revert(fresh)
  assert.deepEqual(
    body.changes.map(({ object, page }: any) => [object, page.id ?? page]),
    [
      ['deleted_page', fresh],
      ['deleted_page', inner],
      ['updated_page', c],
      ['updated_page', b],
    ],
  )
  assert.equal(await request.outline(), 'A (B2) C (Below)')

  const [other] = idsOf(await request.edit(newPage('Other', { at: 0 })))
  await request.edit({ operation: 'update_page', page: b, into: other }, { operation: 'delete_page', page: a })
  await revert(other)
  assert.equal(
    await request.outline(),
    'B2 C (Below)',
    'where its parent is gone, it takes the place of what it was below',
  )
})

test('revert restores a deleted page of a live space from a named revision', async () => {
  const space = await aLiveSpace(app)
  const first = await space.edit(newPage('A'))
  const [a] = idsOf(first)
  await space.edit({ operation: 'update_page', page: a, metadata: { title: 'A2' } })
  await space.edit({ operation: 'delete_page', page: a })
  assert.equal((await space.edit({ operation: 'revert_page', page: a, revision: first.body.revision })).status, 200)
  assert.equal(await space.outline(), 'A')
})

test('a page whose parent is gone is restored below the nearest ancestor that exists', async () => {
  const { request, revert, a, b } = await aChangedRequest()
  await request.edit({ operation: 'delete_page', page: a })
  await revert(b)
  assert.equal(await request.outline(), 'B C')
})

test('revert restores only the named blocks', async () => {
  const space = await aLiveSpace(app)
  const markdown = '# P\n\nFirst\n\nSecond\n\n* a\n* b\n\nLast\n'
  const [id] = idsOf(await space.edit({ operation: 'insert_page', document: { markdown } }))
  const request = await space.changeRequest()
  await request.edit({
    operation: 'update_page',
    page: id,
    document: { markdown: '# P\n\nFirst changed\n\nSecond changed\n\nLast\n\nAdded\n' },
  })
  const blocks = async (path: string): Promise<{ key: string; type: string }[]> =>
    (await space.who.get(`${path}/content/page/${id}?format=document`)).body.document.nodes
  const [first, second, last, added] = await blocks(request.path)
  const [, , list] = await blocks(space.path)
  const revert = (...block: string[]) => request.edit({ operation: 'revert_page', page: id, block })

  assert.equal((await revert(second!.key)).status, 200)
  assert.equal((await request.page(id!)).markdown, '# P\n\nFirst changed\n\nSecond\n\nLast\n\nAdded\n')
  assert.equal((await revert(list!.key, added!.key)).status, 200)
  assert.equal((await request.page(id!)).markdown, '# P\n\nFirst changed\n\nSecond\n\n* a\n* b\n\nLast\n')
  const refused = await revert(first!.key, 'nothing')
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.changes.0.block.1'])
  await revert(first!.key, last!.key)
  assert.equal((await request.page(id!)).markdown, markdown)
})

test('a change that settles a conflict closes its record in the same write', async () => {
  const { space, request, a, b, c } = await aChangedRequest()
  const retitle = (title: string) => ({ operation: 'update_page', page: c, metadata: { title } })
  const body = (text: string) => ({ operation: 'update_page', page: a, document: { markdown: `# A\n\n${text}\n` } })
  await request.edit(retitle('Ours'), body('ours'), { operation: 'delete_page', page: b })
  await space.edit(retitle('Theirs'), body('theirs'), { operation: 'update_page', page: b, metadata: { title: 'B2' } })
  const updated = await space.who.post(`${request.path}/update`)
  assert.equal(updated.body.result, 'conflicts')
  const open = async () =>
    (await space.who.get(`${request.path}/conflicts`)).body.items.map(({ kind }: any) => kind).toSorted()
  assert.deepEqual(await open(), ['body', 'deleted-here', 'field'])

  const { revision } = (await space.who.get(request.path)).body
  const settled = await request.edit(retitle('Ours'))
  assert.notEqual(settled.body.changeRequest.revision, revision)
  assert.deepEqual(await open(), ['body', 'deleted-here'])
  await request.edit({ operation: 'delete_page', page: b }, body('both'))
  assert.deepEqual(await open(), [])
})
