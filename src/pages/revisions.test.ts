import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aChangeRequest, aSpace } from '../../test/lines.ts'
import { type Entry, top } from '../content/merge/entry.ts'
import { newId } from '../ids.ts'

const app = await startApp()

test('the history of a space lists the revisions of main, newest first, page by page', async () => {
  const space = await aSpace(app)
  const { client } = space.admin
  const [page] = await space.main.add({ title: 'One', slug: 'one' }, { title: 'Two', slug: 'two' })
  await space.main.edit(page!, { title: 'First' })
  const request = await aChangeRequest(space)
  await request.branch.edit(page!, { body: 'on the branch\n' })

  const { body } = await client.get(`${space.path}/revisions`)
  assert.equal(body.count, 3)
  assert.deepEqual(
    body.items.map((each: any) => each.changed.pages),
    [1, 2, 0],
  )
  const [newest, second] = body.items
  assert.deepEqual([newest.type, newest.author.id, newest.parents], ['edits', space.admin.id, [second.id]])
  assert.equal((await client.get(`${space.path}/content`)).body.id, newest.id)

  const walked: string[] = []
  for (let page = ''; ;) {
    const { body: part } = await client.get(`${space.path}/revisions?limit=1${page}`)
    walked.push(...part.items.map(({ id }: { id: string }) => id))
    if (!part.next) break
    page = `&page=${part.next.page}`
  }
  assert.deepEqual(
    walked,
    body.items.map(({ id }: { id: string }) => id),
  )
})

test('the changes of a revision have a type for each kind of change, and a line diff for edited text', async () => {
  const space = await aSpace(app)
  const changesOf = async (query = '') => {
    const { id } = (await space.admin.client.get(`${space.path}/content`)).body
    return (await space.admin.client.get(`${space.path}/revisions/${id}/changes${query}`)).body
  }
  const [parent, page] = await space.main.add(
    { title: 'Parent', slug: 'parent', position: 'a1' },
    { title: 'Page', slug: 'page', position: 'a2', body: 'one\ntwo\n' },
  )
  const created = await changesOf()
  assert.deepEqual(created.changes.map(({ type, page }: any) => [type, page.title, page.path]).toSorted(), [
    ['page_created', 'Page', 'page'],
    ['page_created', 'Parent', 'parent'],
  ])
  assert.deepEqual(await changesOf('?limit=1'), { changes: [created.changes[0]], more: 1 })

  await space.main.edit(page!, { title: 'New title', body: 'one\n2\n' })
  const [edited] = (await changesOf()).changes
  assert.equal(edited.type, 'page_edited')
  assert.deepEqual(edited.attributes.title, { before: 'Page', after: 'New title' })
  assert.match(edited.attributes.document.before, /^[\w-]{43}$/)
  assert.deepEqual(
    edited.diff[0].lines.map(({ type, text }: any) => [type, text]),
    [
      ['kept', 'one\n'],
      ['removed', 'two\n'],
      ['added', '2\n'],
    ],
  )

  await space.main.edit(page!, { body: 'one\r\n2\r\n3\r\n' })
  const [rewritten] = (await changesOf()).changes
  assert.deepEqual(
    rewritten.diff[0].lines.map(({ type, text }: any) => [type, text]),
    [
      ['kept', 'one\r\n'],
      ['kept', '2\r\n'],
      ['added', '3\r\n'],
    ],
  )

  await space.main.edit(page!, { parent: parent! })
  const [moved] = (await changesOf()).changes
  assert.deepEqual(
    [moved.type, moved.page.path, moved.parent.before, moved.parent.after.title],
    ['page_moved', 'parent/page', undefined, 'Parent'],
  )

  await space.main.remove(page!)
  const deleted = (await changesOf()).changes
  assert.deepEqual(
    deleted.map(({ type, page }: any) => [type, page.path]),
    [['page_deleted', 'parent/page']],
  )
})

test('variables and reusable contents have their own types of changes', async () => {
  const space = await aSpace(app)
  const empty = { state: 0, parent: top, slug: null, position: null, doc: null, refs: null } as const
  const [name, reusable] = [newId(), newId()]
  const write = async (value: string, title: string) => {
    const rows: Entry[] = [
      { ...empty, entry: name, kind: 4, slug: 'name', data: { value } },
      { ...empty, entry: reusable, kind: 3, data: { title } },
    ]
    const { head } = await space.main.write(rows)
    return (await space.admin.client.get(`${space.path}/revisions/${head.id}/changes`)).body.changes
  }
  assert.deepEqual(await write('Ada', 'Note'), [
    { type: 'reusable_content_created', reusableContent: { id: reusable, title: 'Note' } },
    { type: 'variables_edited', variables: { name: { after: 'Ada' } } },
  ])
  assert.deepEqual(await write('Bea', 'Notice'), [
    {
      type: 'reusable_content_edited',
      reusableContent: { id: reusable, title: 'Notice' },
      attributes: { title: { before: 'Note', after: 'Notice' } },
    },
    { type: 'variables_edited', variables: { name: { before: 'Ada', after: 'Bea' } } },
  ])
  assert.deepEqual(await write('Bea', 'Notice'), [])
})

test('a revision of a change request lists its changes, and a merge revision names the change request', async () => {
  const space = await aSpace(app)
  const { client } = space.admin
  const [page] = await space.main.add({ title: 'Page', slug: 'page', body: 'one\n' })
  const request = await aChangeRequest(space)
  await request.branch.edit(page!, { body: 'two\n' })
  const { id } = (await client.get(`${request.path}/content`)).body
  const { changes } = (await client.get(`${space.path}/revisions/${id}/changes`)).body
  assert.deepEqual(
    [changes.length, changes[0].type, Object.keys(changes[0].attributes)],
    [1, 'page_edited', ['document']],
  )

  const merged = (await client.post(`${request.path}/merge`)).body
  assert.equal(merged.result, 'merge')
  const { body } = await client.get(`${space.path}/revisions/${merged.revision}/changes`)
  assert.deepEqual([body.mergedFrom.id, body.changes.length], [request.id, 1])
  const current = (await client.get(`${space.path}/content`)).body
  assert.deepEqual([current.type, current.mergedFrom.id, current.parents.length], ['merge', request.id, 2])
  const [newest] = (await client.get(`${space.path}/revisions`)).body.items
  assert.deepEqual(newest.mergedFrom, { id: request.id, number: request.number, subject: 'A change' })
})
