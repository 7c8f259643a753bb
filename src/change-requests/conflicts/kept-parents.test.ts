import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { type EditedChangeRequest, type EditedSpace, aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'

const app = await startApp()

const remove = (page: string) => ({ operation: 'delete_page', page })
const move = (page: string, into: string | null) => ({ operation: 'update_page', page, into })

async function aTower() {
  const space = await aLiveSpace(app)
  const [upper, lower, child] = idsOf(
    await space.edit(
      newPage('Upper', { ref: 'upper' }),
      newPage('Lower', { ref: 'lower', into: 'upper' }),
      newPage('Child', { into: 'lower' }),
      newPage('Other'),
    ),
  ) as [string, string, string]
  return { space, request: await space.changeRequest(), upper, lower, child }
}

async function updated(space: EditedSpace, request: EditedChangeRequest, kinds: string[]): Promise<void> {
  assert.equal((await space.who.post(`${request.path}/update`)).body.result, 'conflicts')
  assert.deepEqual(await open(space, request), kinds)
}

const open = async (space: EditedSpace, { path }: { path: string }): Promise<string[]> =>
  (await space.who.get(`${path}/conflicts`)).body.items.map(({ kind }: any) => kind).toSorted()

const merge = async (space: EditedSpace, { path }: { path: string }) =>
  (await space.who.post(`${path}/merge`)).body.result

test('pages that main deleted and that a page of the change request brought back go when it moves away', async () => {
  const { space, request, upper, child } = await aTower()
  await request.edit({ operation: 'update_page', page: child, metadata: { title: 'Changed' } })
  await space.edit(remove(upper))
  await updated(space, request, ['deleted-there', 'parent-deleted-there', 'parent-deleted-there'])
  assert.equal(await request.outline(), 'Upper (Lower (Changed)) Other')

  const { body } = await request.edit(move(child, null))
  assert.deepEqual(body.changes.map(({ object }: any) => object).toSorted(), [
    'deleted_page',
    'deleted_page',
    'updated_page',
  ])
  assert.deepEqual(await open(space, request), [])
  assert.equal(await merge(space, request), 'merge')
  assert.equal(await space.outline(), 'Other Changed')
})

test('a page that the change request deletes is kept for a page main put below it, and deleted once that moves away', async () => {
  const { space, request, upper, child } = await aTower()
  await request.edit(remove(upper))
  const [added] = idsOf(await space.edit(newPage('Added', { into: upper }))) as [string]
  await updated(space, request, ['parent-deleted-here'])
  assert.equal(await request.outline(), 'Upper (Added) Other')

  await request.edit(move(added, null))
  assert.deepEqual(await open(space, request), [])
  assert.equal(await merge(space, request), 'merge')
  assert.equal(await space.outline(), 'Other Added')
  assert.equal((await space.who.get(`${space.path}/content/page/${child}`)).status, 404)
})

test('a revert of a new page can be merged once the page that was put below it since moves away', async () => {
  const { space } = await aTower()
  const made = await space.edit(newPage('New'))
  const [added] = idsOf(await space.edit(newPage('Added', { into: idsOf(made)[0] }))) as [string]
  const { id } = (await space.who.post(`${space.path}/revisions/${made.body.revision}/revert`)).body
  const reverting = { path: `${space.path}/change-requests/${id}` }
  assert.deepEqual(await open(space, reverting), ['parent-deleted-here'])

  await space.who.post(`${reverting.path}/content`, { changes: [move(added, null)] })
  assert.equal(await merge(space, reverting), 'merge')
  assert.equal(await space.outline(), 'Upper (Lower (Child)) Other Added')
})

test('a page brought back for a page below it stays if the write that moves that page away also names it', async () => {
  const { space, request, upper } = await aTower()
  await request.edit(remove(upper))
  const [added] = idsOf(await space.edit(newPage('Added', { into: upper }))) as [string]
  await updated(space, request, ['parent-deleted-here'])

  await request.edit(move(added, null), { operation: 'update_page', page: upper })
  assert.deepEqual(await open(space, request), [])
  assert.equal(await merge(space, request), 'merge')
  assert.equal(await space.outline(), 'Upper Other Added')
})

test('a page brought back for pages below it stays as long as one of them, or a new one, is below it', async () => {
  const { space, request, upper } = await aTower()
  await request.edit(remove(upper))
  const [first, second] = idsOf(await space.edit(newPage('First', { into: upper }), newPage('Second', { into: upper })))
  await updated(space, request, ['parent-deleted-here'])

  await request.edit(move(first!, null))
  assert.equal(await request.outline(), 'Upper (Second) Other First')
  const [added] = idsOf(await request.edit(newPage('New', { into: upper }), move(second!, null)))
  assert.equal(await request.outline(), 'Upper (New) Other First Second')
  assert.deepEqual(await open(space, request), ['parent-deleted-here'])

  await request.edit(remove(added!))
  assert.equal(await request.outline(), 'Other First Second')
  // Reverting the page restores it as main has it, with everything below it.
  await request.edit({ operation: 'revert_page', page: upper })
  assert.equal(await request.outline(), 'Upper (Lower (Child)) Other First Second')
  assert.deepEqual(await open(space, request), [])
  assert.equal(await merge(space, request), 'merge')
  assert.equal(await space.outline(), 'Upper (Lower (Child)) Other First Second')
})

test('a page that one side changed and the other deleted stays when the last page below it moves away', async () => {
  const { space, request, upper, child } = await aTower()
  const changed = (page: string) => ({ operation: 'update_page', page, metadata: { description: 'Mine' } })
  await request.edit(changed(upper), changed(child))
  await space.edit(remove(upper))
  await updated(space, request, ['deleted-there', 'deleted-there', 'parent-deleted-there'])

  await request.edit(move(child, null))
  assert.equal(await request.outline(), 'Upper Other Child')
  assert.deepEqual(await open(space, request), ['deleted-there'])
})
