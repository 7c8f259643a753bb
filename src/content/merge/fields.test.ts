import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Data, Entry } from './entry.ts'
import { brief, mergeExample, page } from './testing/examples.ts'
import { fromDoc } from './testing/model.ts'

const mergePage = (base: Partial<Entry>, ours: Partial<Entry>, theirs: Partial<Entry>) =>
  mergeExample({ base: [page('a', base)], ours: [page('a', ours)], theirs: [page('a', theirs)] })

const mergeData = (base: Data, ours: Data, theirs: Data) => {
  const { rows, conflicts } = mergePage({ data: base }, { data: ours }, { data: theirs })
  return { data: rows[0]?.data, conflicts: brief(conflicts) }
}

test('the fields of a page are merged one by one', () => {
  const base = { title: 'a', icon: 'x', hidden: false }
  assert.deepEqual(mergeData(base, { ...base, title: 'b' }, { ...base, hidden: true }), {
    data: { title: 'b', icon: 'x', hidden: true },
    conflicts: [],
  })
})

test('a field that one side removed is gone', () => {
  const { data } = mergeData({ title: 'a', icon: 'x' }, { title: 'a' }, { title: 'b', icon: 'x' })
  assert.deepEqual(data, { title: 'b' })
})

test('different values of one field are a conflict, and the merge shows ours', () => {
  assert.deepEqual(mergeData({ title: 'a' }, { title: 'b' }, { title: 'c' }), {
    data: { title: 'b' },
    conflicts: ['a title: field'],
  })
  assert.deepEqual(mergeData({ title: 'a', icon: 'x' }, { title: 'a' }, { title: 'a', icon: 'y' }), {
    data: { title: 'a' },
    conflicts: ['a icon: field'],
  })
})

test('each key of the layout and each variable merges as its own field, and a cover as one field', () => {
  const base = { layout: { cover: true, outline: true }, variables: { v: '1' }, cover: { y: 1, ref: 'f' } }
  const ours = { layout: { cover: false, outline: true }, variables: { v: '2' }, cover: { y: 2, ref: 'f' } }
  const theirs = { layout: { cover: true, outline: false }, variables: { v: '3', w: '1' }, cover: { y: 1, ref: 'g' } }
  assert.deepEqual(mergeData(base, ours, theirs), {
    data: { layout: { cover: false, outline: false }, variables: { v: '2', w: '1' }, cover: { y: 2, ref: 'f' } },
    conflicts: ['a cover: field', 'a variables.v: field'],
  })
})

test('the order of keys is no difference', () => {
  const cover = (order: Data) => ({ title: 'a', cover: order })
  const { conflicts } = mergeData(cover({ x: 1, y: 1 }), cover({ y: 2, x: 1 }), cover({ x: 1, y: 2 }))
  assert.deepEqual(conflicts, [])
})

test('git metadata and dates are taken from main, and are no change of their own', () => {
  const at = (date: string, title: string) => ({ title, updatedAt: date, git: { oid: date } })
  const outcome = mergePage({ data: at('1', 'a') }, { data: at('2', 'a') }, { data: at('3', 'a') })
  assert.deepEqual([outcome.rows, outcome.conflicts], [[], []])

  const both = mergeData({ ...at('1', 'a'), icon: 'x' }, { ...at('2', 'b'), icon: 'x' }, { ...at('3', 'a'), icon: 'y' })
  assert.deepEqual(both, { data: { ...at('3', 'b'), icon: 'y' }, conflicts: [] })
})

test('keys such as __proto__ and constructor are merged like any other', () => {
  const odd = (value: number) =>
    JSON.parse(`{"title": "a", "variables": {"__proto__": ${value}, "constructor": 1}}`) as Data
  const { data, conflicts } = mergeData(odd(1), odd(2), { ...odd(1), title: 'b' })
  assert.equal(JSON.stringify(data), JSON.stringify({ ...odd(2), title: 'b' }))
  assert.deepEqual(conflicts, [])
})

test('a conflicted body shows both sides between markers, and its record has both in full', () => {
  const example = {
    base: [page('a', { body: 'one\ntwo\n' })],
    ours: [page('a', { body: 'one\nours\n' })],
    theirs: [page('a', { body: 'one\ntheirs\n' })],
  }
  const { rows, conflicts, bodies } = mergeExample(example)
  const { id, ...record } = conflicts[0]!
  assert.deepEqual(record, {
    kind: 'body',
    entry: 'a',
    field: 'body',
    base: 'one\ntwo\n',
    ours: 'one\nours\n',
    theirs: 'one\ntheirs\n',
  })
  const shown = `one\n<<<<<<< change request ${id}\nours\n======= ${id}\ntheirs\n>>>>>>> main ${id}\n`
  assert.equal(fromDoc(rows[0]!.doc!), shown)
  assert.equal(bodies.get(rows[0]!.doc!), shown)
})

test('a comment that one side put before a title is not lost when the other side changes the title', () => {
  const page = (title: string, source: string) => ({ title, source })
  const base = page('A', '# A\n\n')
  const [renamed, remarked] = [page('B', '# B\n\n'), page('A', '<!-- why -->\n# A\n\n')]
  for (const { data, conflicts } of [mergeData(base, renamed, remarked), mergeData(base, remarked, renamed)])
    assert.ok(conflicts.length > 0 || JSON.stringify(data).includes('<!-- why -->'))
})

test('link targets of both sides are united, and those the sides disagree about are resolved anew', () => {
  const outcome = mergePage(
    { refs: { x: '1' } },
    { refs: { x: '2', y: '1', z: '1' } },
    { refs: { x: '3', z: '1', w: '1' } },
  )
  assert.deepEqual(outcome.rows[0]!.refs, { y: '1', z: '1', w: '1' })
  assert.deepEqual([...outcome.unbound], [['a', ['x']]])
  assert.deepEqual(outcome.conflicts, [])

  const oneSide = mergePage({ refs: { x: '1' } }, { slug: 'b', refs: { x: '1' } }, { refs: { x: '2' } })
  assert.deepEqual(oneSide.rows[0]!.refs, { x: '2' })
})

test('an entry that both sides added is merged as if it had been empty before', () => {
  const { rows, conflicts } = mergeExample({
    base: [],
    ours: [page('a', { data: { title: 'a', icon: 'x' } })],
    theirs: [page('a', { data: { title: 'b', emoji: 'y' } })],
  })
  assert.deepEqual(rows[0]!.data, { title: 'a', icon: 'x', emoji: 'y' })
  assert.deepEqual(brief(conflicts), ['a title: field'])
})
