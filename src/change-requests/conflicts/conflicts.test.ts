import assert from 'node:assert/strict'
import { test } from 'node:test'
import { top } from '../../content/merge/entry.ts'
import { findBody } from '../../revisions/bodies.ts'
import { listEntries } from '../../revisions/entries.ts'
import { startApp } from '../../../test/app.ts'
import { type TestLine, type TestSpace, aChangeRequest, aSpace } from '../../../test/lines.ts'
import { stateOf } from '../../../test/state.ts'

const app = await startApp()

type Change = Awaited<ReturnType<typeof aChangeRequest>>

interface Scene {
  space: TestSpace
  change: Change
  main: TestLine
  branch: TestLine
  guide: string
  child: string
  other: string
}

/** A page with one below it, and another page; a change request on it. */
async function aScene(): Promise<Scene> {
  const space = await aSpace(app)
  const [guide, other] = (await space.main.add(
    { title: 'Guide', slug: 'guide', position: 'a1', body: 'one\ntwo\nthree\n' },
    { title: 'Other', slug: 'other', position: 'a2' },
  )) as [string, string]
  const [child] = (await space.main.add({ title: 'Child', slug: 'child', parent: guide, position: 'a1' })) as [string]
  const change = await aChangeRequest(space)
  return { space, change, main: space.main, branch: change.branch, guide, child, other }
}

const conflictsOf = async ({ space, change }: Scene) => (await space.admin.client.get(`${change.path}/conflicts`)).body
const send = async ({ space, change }: Scene, what: 'merge' | 'update') =>
  (await space.admin.client.post(`${change.path}/${what}`)).body

/**
 * Settles a conflict as a person would: with a write to the change request that names the entry the conflict is about.
 */
async function settle({ space, change }: Scene, decision: object): Promise<void> {
  const changes = [{ operation: 'update_page', ...decision }]
  const { status, text } = await space.admin.client.post(`${change.path}/content`, { changes })
  assert.equal(status, 200, text)
}

interface Kind {
  kind: string
  field: string
  about: keyof Pick<Scene, 'guide' | 'child' | 'other'>
  ours: (scene: Scene) => Promise<unknown>
  theirs: (scene: Scene) => Promise<unknown>
  shows: (scene: Scene, conflict: { base: any; ours: any; theirs: any }) => void
  decision: (scene: Scene) => object
  /** Checks what main has after the merge. */
  after: (scene: Scene) => Promise<void>
}

const pageOf = async (line: TestLine, id: string) => (await line.pages()).get(id)

const kinds: Kind[] = [
  {
    kind: 'field',
    field: 'title',
    about: 'guide',
    ours: ({ branch, guide }) => branch.edit(guide, { title: 'Ours' }),
    theirs: ({ main, guide }) => main.edit(guide, { title: 'Theirs' }),
    shows: (_, { base, ours, theirs }) => assert.deepEqual([base, ours, theirs], ['Guide', 'Ours', 'Theirs']),
    decision: ({ guide }) => ({ page: guide, metadata: { title: 'Ours' } }),
    after: async ({ main, guide }) => assert.equal((await pageOf(main, guide))!.data!.title, 'Ours'),
  },
  {
    kind: 'body',
    field: 'body',
    about: 'guide',
    ours: ({ branch, guide }) => branch.edit(guide, { body: 'one\nOURS\nthree\n' }),
    theirs: ({ main, guide }) => main.edit(guide, { body: 'one\nTHEIRS\nthree\n' }),
    shows: (_, { base, ours, theirs }) =>
      assert.deepEqual([base, ours, theirs], ['one\ntwo\nthree\n', 'one\nOURS\nthree\n', 'one\nTHEIRS\nthree\n']),
    decision: ({ guide }) => ({ page: guide, document: { markdown: 'one\nBOTH\nthree\n' } }),
    async after({ main, guide, space }) {
      const text = await findBody(app.db, space.organization.id, (await pageOf(main, guide))!.doc!)
      assert.equal(text, 'one\nBOTH\nthree\n')
    },
  },
  {
    kind: 'place',
    field: 'place',
    about: 'guide',
    ours: ({ branch, guide, other }) => branch.edit(guide, { parent: other, position: 'b1' }),
    theirs: ({ main, guide }) => main.edit(guide, { position: 'c1' }),
    shows: ({ other }, { base, ours, theirs }) =>
      assert.deepEqual(
        [base, ours, theirs],
        [
          { parent: null, position: 'a1' },
          { parent: other, position: 'b1' },
          { parent: null, position: 'c1' },
        ],
      ),
    decision: ({ guide, other }) => ({ page: guide, into: other }),
    after: async ({ main, guide, other }) => assert.equal((await pageOf(main, guide))!.parent, other),
  },
  {
    kind: 'cycle',
    field: 'place',
    about: 'guide',
    ours: ({ branch, guide, other }) => branch.edit(guide, { parent: other }),
    theirs: ({ main, guide, other }) => main.edit(other, { parent: guide }),
    shows: ({ other }, { ours, theirs }) => assert.deepEqual([ours.parent, theirs.parent], [other, null]),
    decision: ({ guide }) => ({ page: guide, into: null }),
    after: async ({ main, guide }) => assert.equal((await pageOf(main, guide))!.parent, top),
  },
  {
    kind: 'deleted-here',
    field: 'page',
    about: 'other',
    ours: ({ branch, other }) => branch.remove(other),
    theirs: ({ main, other }) => main.edit(other, { title: 'Changed' }),
    shows: (_, { base, ours, theirs }) =>
      assert.deepEqual([base.title, ours, theirs.title], ['Other', null, 'Changed']),
    decision: ({ other }) => ({ page: other, metadata: { title: 'Kept' } }),
    after: async ({ main, other }) => assert.equal((await pageOf(main, other))!.data!.title, 'Kept'),
  },
  {
    kind: 'deleted-there',
    field: 'page',
    about: 'other',
    ours: ({ branch, other }) => branch.edit(other, { title: 'Changed' }),
    theirs: ({ main, other }) => main.remove(other),
    shows: (_, { base, ours, theirs }) =>
      assert.deepEqual([base.title, ours.title, theirs], ['Other', 'Changed', null]),
    decision: ({ other }) => ({ page: other, metadata: { title: 'Kept' } }),
    after: async ({ main, other }) => assert.equal((await pageOf(main, other))!.data!.title, 'Kept'),
  },
  {
    kind: 'parent-deleted-here',
    field: 'page',
    about: 'other',
    ours: ({ branch, other }) => branch.remove(other),
    theirs: ({ main, other }) => main.add({ title: 'Below', parent: other }),
    shows: (_, { ours, theirs }) => assert.deepEqual([ours, theirs.title], [null, 'Other']),
    decision: ({ other }) => ({ page: other, metadata: { title: 'Kept' } }),
    after: async ({ main, other }) => assert.ok(await pageOf(main, other)),
  },
  {
    kind: 'parent-deleted-there',
    field: 'page',
    about: 'other',
    ours: ({ branch, other }) => branch.add({ title: 'Below', parent: other }),
    theirs: ({ main, other }) => main.remove(other),
    shows: (_, { ours, theirs }) => assert.deepEqual([ours.title, theirs], ['Other', null]),
    decision: ({ other }) => ({ page: other, metadata: { title: 'Kept' } }),
    after: async ({ main, other }) => assert.ok(await pageOf(main, other)),
  },
]

for (const { kind, field, about, ours, theirs, shows, decision, after } of kinds) {
  test(`a ${kind} conflict is listed before an update, stays open after it, blocks the merge, and merges once settled`, async () => {
    const scene = await aScene()
    await ours(scene)
    await theirs(scene)
    const mainBefore = (await scene.main.find()).head.id

    const expected = await conflictsOf(scene)
    assert.deepEqual([expected.count, expected.items.length], [1, 1])
    const [conflict] = expected.items
    assert.deepEqual(
      [conflict.state, conflict.kind, conflict.field, conflict.entry.type, conflict.entry.id],
      ['expected', kind, field, 'page', scene[about]],
    )
    assert.ok(conflict.entry.title.length > 0)
    shows(scene, conflict)
    assert.deepEqual(await conflictsOf(scene), expected, 'the same each time it is asked')

    const state = await stateOf(app.db)
    assert.deepEqual(await send(scene, 'merge'), { revision: mainBefore, result: 'conflicts' })
    assert.equal(await stateOf(app.db), state, 'a merge with conflicts changes nothing')

    const updated = await send(scene, 'update')
    assert.equal(updated.result, 'conflicts')
    const open = await conflictsOf(scene)
    assert.deepEqual([open.count, open.items[0].state], [1, 'open'])
    const { state: _was, ...before } = conflict
    const { state: _is, ...now } = open.items[0]
    assert.deepEqual(now, { ...before, entry: now.entry })

    const held = await stateOf(app.db)
    assert.deepEqual(await send(scene, 'update'), { revision: updated.revision, result: 'conflicts' })
    assert.deepEqual(await send(scene, 'merge'), { revision: mainBefore, result: 'conflicts' })
    assert.equal(await stateOf(app.db), held, 'nothing moves while it is open')

    if (kind === 'body') {
      const text = await findBody(app.db, scene.space.organization.id, (await pageOf(scene.branch, scene.guide))!.doc!)
      const id = conflict.id
      assert.equal(text, `one\n<<<<<<< change request ${id}\nOURS\n======= ${id}\nTHEIRS\n>>>>>>> main ${id}\nthree\n`)
    }
    await settle(scene, decision(scene))
    assert.deepEqual(await conflictsOf(scene), { count: 0, items: [] })
    assert.equal((await send(scene, 'merge')).result, 'merge')
    await after(scene)
  })
}

test('open and expected conflicts are in one list, open ones first, page by page', async () => {
  const scene = await aScene()
  const { main, branch, guide, child, other } = scene
  for (const id of [guide, child]) await branch.edit(id, { title: 'Ours' })
  for (const id of [guide, child]) await main.edit(id, { title: 'Theirs' })
  await send(scene, 'update')
  await branch.edit(other, { title: 'Ours', body: 'ours\n' })
  await main.edit(other, { title: 'Theirs', body: 'theirs\n' })

  const walked: [state: string, entry: string, field: string][] = []
  let page = ''
  do {
    const { body } = await scene.space.admin.client.get(`${scene.change.path}/conflicts?limit=1${page}`)
    assert.equal(body.count, 4)
    const [{ state, entry, field }] = body.items
    walked.push([state, entry.id, field])
    page = body.next ? `&page=${body.next.page}` : ''
  } while (page)
  assert.deepEqual(
    walked.slice(0, 2).map(([state]) => state),
    ['open', 'open'],
  )
  assert.deepEqual(
    walked
      .slice(2)
      .map(([state, id, field]) => [state, id, field])
      .toSorted(),
    [
      ['expected', other, 'body'],
      ['expected', other, 'title'],
    ],
  )
  assert.deepEqual(new Set(walked.map(([, id]) => id)), new Set([guide, child, other]))
})

test('the same change on both sides, and changes that do not touch, are no conflict', async () => {
  const scene = await aScene()
  const { main, branch, guide, other } = scene
  await branch.edit(guide, { title: 'Same', body: 'one\ntwo\nthree\nfour\n' })
  await main.edit(guide, { title: 'Same', slug: 'moved', body: 'zero\none\ntwo\nthree\n' })
  await branch.edit(other, { parent: guide })
  await main.edit(other, { title: 'Renamed' })
  assert.deepEqual(await conflictsOf(scene), { count: 0, items: [] })
  assert.equal((await send(scene, 'merge')).result, 'merge')
  const [page] = await listEntries(app.db, (await main.find()).head, [guide])
  assert.equal(await findBody(app.db, scene.space.organization.id, page!.doc!), 'zero\none\ntwo\nthree\nfour\n')
  const moved = (await pageOf(main, other))!
  assert.deepEqual([moved.parent, moved.data!.title], [guide, 'Renamed'])
})

test('sending a conflicted page back as a document does not settle its conflict', async () => {
  const scene = await aScene()
  const { space, change, main, branch, guide } = scene
  await branch.edit(guide, { body: 'one\nours\nthree\n' })
  await main.edit(guide, { body: 'one\ntheirs\nthree\n' })
  assert.equal((await send(scene, 'update')).result, 'conflicts')

  const { body: page } = await space.admin.client.get(`${change.path}/content/page/${guide}?format=document`)
  await settle(scene, { page: guide, document: { document: page.document } })
  assert.equal((await conflictsOf(scene)).count, 1)
  assert.equal((await send(scene, 'merge')).result, 'conflicts')
  await settle(scene, { page: guide, document: { markdown: 'one\nours and theirs\nthree\n' } })
  assert.equal((await send(scene, 'merge')).result, 'merge')
})
