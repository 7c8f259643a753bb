import assert from 'node:assert/strict'
import { test } from 'node:test'
import { top } from './entry.ts'
import { brief, deleted, mergeExample, page } from './testing/examples.ts'
import { asDoc } from './testing/model.ts'
import { revertOverlay, updateRows } from './rows.ts'

test('changes of the branch are taken, and rows that change nothing are left out', () => {
  const base = [page('a'), page('b'), page('gone')]
  const renamed = page('a', { data: { title: 'New' } })
  const outcome = mergeExample({ base, ours: [renamed, page('b'), page('new'), deleted('gone')], theirs: base })
  assert.deepEqual(outcome.rows, [renamed, deleted('gone'), page('new')])
  assert.deepEqual(outcome.conflicts, [])
})

test('the same change on both sides is no conflict and needs no row', () => {
  const changed = page('a', { data: { layout: { cover: true, title: false }, title: 'New' } })
  const reordered = page('a', { data: { title: 'New', layout: { title: false, cover: true } } })
  const outcome = mergeExample({ base: [page('a'), page('b')], ours: [changed, deleted('b')], theirs: [reordered] })
  assert.deepEqual([outcome.rows, outcome.conflicts], [[], []])
})

test('a move on one side and an edit on the other are both kept', () => {
  const parent = page('parent')
  const moved = page('a', { parent: 'parent', position: 'a2' })
  const edited = page('a', { body: 'better\n', data: { title: 'Better' } })
  const { rows, conflicts } = mergeExample({ base: [parent, page('a')], ours: [moved], theirs: [parent, edited] })
  assert.deepEqual(rows, [{ ...edited, parent: 'parent', position: 'a2' }])
  assert.deepEqual(conflicts, [])
})

test('a page that both sides moved stays where the branch has it, with a conflict', () => {
  const parents = [page('p'), page('q')]
  const { rows, conflicts } = mergeExample({
    base: [...parents, page('a')],
    ours: [page('a', { parent: 'p' })],
    theirs: [...parents, page('a', { parent: 'q' })],
  })
  assert.equal(rows[0]!.parent, 'p')
  assert.deepEqual(brief(conflicts), ['a place: place'])
  assert.deepEqual(conflicts[0]!.base, { parent: top, position: 'a1' })
  assert.deepEqual(conflicts[0]!.theirs, { parent: 'q', position: 'a1' })
})

test('two moves that form a cycle are a conflict, and the branch takes its move back', () => {
  const { rows, conflicts } = mergeExample({
    base: [page('a'), page('b')],
    ours: [page('a', { parent: 'b', data: { title: 'New' } })],
    theirs: [page('a'), page('b', { parent: 'a' })],
  })
  assert.deepEqual(rows, [page('a', { data: { title: 'New' } })])
  assert.deepEqual(brief(conflicts), ['a place: cycle'])
})

test('a page deleted in the branch and changed on main stays as main has it, with a conflict', () => {
  const [ours, changed] = [[deleted('a')], page('a', { body: 'better\n' })]
  const outcome = mergeExample({ base: [page('a')], ours, theirs: [changed] })
  assert.deepEqual(brief(outcome.conflicts), ['a page: deleted-here'])
  assert.deepEqual(outcome.conflicts[0]!.theirs, changed)
  assert.deepEqual(outcome.rows, [])
  assert.deepEqual(updateRows(ours, outcome), [{ ...deleted('a'), state: 2 }])
})

test('a page deleted on main and changed in the branch stays as the branch has it, with a conflict', () => {
  const changed = page('a', { body: 'better\n' })
  const outcome = mergeExample({ base: [page('a')], ours: [changed], theirs: [] })
  assert.deepEqual(brief(outcome.conflicts), ['a page: deleted-there'])
  assert.deepEqual(outcome.rows, [changed])
  assert.deepEqual(updateRows([changed], outcome), [], 'the branch already says so')
})

test('only the parents that a page needs come back, and the rest of a deleted part stays deleted', () => {
  const part = [page('p'), page('q', { parent: 'p' }), page('r', { parent: 'q' }), page('s', { parent: 'p' })]
  const added = page('new', { parent: 'q' })

  const here = mergeExample({ base: part, ours: ['p', 'q', 'r', 's'].map(deleted), theirs: [...part, added] })
  assert.deepEqual(brief(here.conflicts), ['p page: parent-deleted-here', 'q page: parent-deleted-here'])
  assert.deepEqual(here.rows, [deleted('r'), deleted('s')])

  const there = mergeExample({ base: part, ours: [added], theirs: [] })
  assert.deepEqual(brief(there.conflicts), ['p page: parent-deleted-there', 'q page: parent-deleted-there'])
  assert.deepEqual(there.rows, [added, part[0], part[1]])
})

test('a taken slug gets a suffix, older pages first, and main keeps its addresses', () => {
  const base = [page('old', { slug: 'here' })]
  const { rows, slugs, conflicts } = mergeExample({
    base,
    ours: [page('a', { slug: 'intro' }), page('old', { slug: 'intro' })],
    theirs: [...base, page('main', { slug: 'intro' })],
  })
  assert.deepEqual(
    rows.map(({ entry, slug }) => [entry, slug]),
    [
      ['a', 'intro-2'],
      ['old', 'intro-1'],
    ],
  )
  assert.deepEqual(slugs, [
    { entry: 'old', wanted: 'intro', given: 'intro-1' },
    { entry: 'a', wanted: 'intro', given: 'intro-2' },
  ])
  assert.deepEqual(conflicts, [])
})

test('pages and variables do not share slugs, and two pages may swap theirs', () => {
  const base = [page('a', { slug: 'one' }), page('b', { slug: 'two' }), page('v', { kind: 4, slug: 'three' })]
  const swapped = [page('a', { slug: 'two' }), page('b', { slug: 'one' }), page('c', { slug: 'three' })]
  assert.deepEqual(mergeExample({ base, ours: swapped, theirs: base }).rows, swapped)
})

test('undoing a revision keeps what main changed later', () => {
  const before = page('a', { data: { title: 'Old', emoji: '1' } })
  const changed = page('a', { data: { title: 'New', emoji: '1' } })
  const later = page('a', { data: { title: 'New', emoji: '2' } })
  const overlay = revertOverlay([changed, page('added')], (id) => (id === 'a' ? before : null))
  assert.deepEqual(overlay, [before, deleted('added')])

  const { rows, conflicts } = mergeExample({
    base: [changed, page('added')],
    ours: overlay,
    theirs: [later, page('added')],
  })
  assert.deepEqual(rows, [page('a', { data: { title: 'Old', emoji: '2' } }), deleted('added')])
  assert.deepEqual(conflicts, [])
})

test('a merged body that neither side had is returned with its text', () => {
  const { rows, bodies } = mergeExample({
    base: [page('a', { body: '1\n2\n3\n' })],
    ours: [page('a', { body: 'one\n2\n3\n' })],
    theirs: [page('a', { body: '1\n2\nthree\n' })],
  })
  assert.equal(rows[0]!.doc, asDoc('one\n2\nthree\n'))
  assert.deepEqual([...bodies], [[asDoc('one\n2\nthree\n'), 'one\n2\nthree\n']])
})
