import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aChangeRequest, aSpace } from '../../test/lines.ts'

const app = await startApp()

test('the changes of a change request are listed against the content it is based on, before and after its merge', async () => {
  const space = await aSpace(app)
  const { client } = space.admin
  const [guide, other, old] = (await space.main.add(
    { title: 'Guide', slug: 'guide', body: 'one\ntwo\nthree\n' },
    { title: 'Other', slug: 'other' },
    { title: 'Old', slug: 'old' },
  )) as [string, string, string]
  const change = await aChangeRequest(space)
  const changes = async (query = '') => (await client.get(`${change.path}/changes${query}`)).body
  assert.deepEqual(await changes(), { changes: [] })

  await change.branch.edit(guide, { title: 'The guide', body: 'one\n2\nthree\n' })
  await change.branch.edit(other, { parent: guide })
  await change.branch.remove(old)
  const [added] = (await change.branch.add({ title: 'New', slug: 'new', parent: guide })) as [string]
  await space.main.edit(other, { title: 'Renamed on main' })

  const told = await changes('?limit=50')
  const by = (type: string) => told.changes.filter((each: { type: string }) => each.type === type)
  assert.deepEqual(told.changes.map((each: { type: string }) => each.type).toSorted(), [
    'page_created',
    'page_deleted',
    'page_edited',
    'page_moved',
  ])
  assert.deepEqual(by('page_created')[0].page, { id: added, type: 'document', title: 'New', path: 'guide/new' })
  assert.deepEqual(by('page_deleted')[0].page, { id: old, type: 'document', title: 'Old', path: 'old' })
  assert.deepEqual([by('page_moved')[0].page.path, by('page_moved')[0].parent.after.id], ['guide/other', guide])
  const [edited] = by('page_edited')
  assert.deepEqual(edited.attributes.title, { before: 'Guide', after: 'The guide' })
  assert.deepEqual(
    edited.diff[0].lines.map((line: { type: string; text: string }) => `${line.type} ${line.text}`),
    ['kept one\n', 'removed two\n', 'added 2\n', 'kept three\n'],
  )
  const few = await changes('?limit=1')
  assert.deepEqual([few.changes.length, few.more], [1, 3])

  await client.post(`${change.path}/merge`)
  assert.deepEqual(await changes('?limit=50'), told, 'they are told after the merge, too')
})
