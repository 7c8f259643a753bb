import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Conflicts, resolvedBy, type Change, type Conflict, type ConflictKind } from './conflicts.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('the id of a conflict is made from both revisions, entry and field', () => {
  const idOf = (ours: string, theirs: string, entry: string, field: string) =>
    new Conflicts({ ours, theirs }).add('field', entry, field, sides('x', 'y')).id
  const id = idOf('r1', 'r2', 'e', 'title')
  assert.match(id, uuid)
  assert.equal(idOf('r1', 'r2', 'e', 'title'), id)
  const others = [idOf('r3', 'r2', 'e', 'title'), idOf('r1', 'r3', 'e', 'title'), idOf('r1', 'r2', 'f', 'title')]
  assert.equal(new Set([id, idOf('r1', 'r2', 'e', 'slug'), ...others]).size, 5)
})

test('the id of a conflict occurs in neither of its sides', () => {
  const conflicts = new Conflicts({ ours: 'r1', theirs: 'r2' })
  const { id } = conflicts.add('body', 'e', 'body', sides('x', 'y'))
  const again = conflicts.add('body', 'e', 'body', sides(`about ${id}`, 'y'))
  assert.match(again.id, uuid)
  assert.notEqual(again.id, id)
})

test('a field has one conflict: a cycle replaces a conflict of moves', () => {
  const conflicts = new Conflicts({ ours: 'r1', theirs: 'r2' })
  conflicts.add('place', 'e', 'place', sides('x', 'y'))
  conflicts.add('cycle', 'e', 'place', sides('x', 'y'))
  assert.deepEqual(
    conflicts.list().map(({ kind }) => kind),
    ['cycle'],
  )
})

test('a body conflict is resolved by a body without the marker lines of that conflict', () => {
  const body = conflict('body', 'body')
  assert.ok(resolves(body, { body: 'settled\n' }))
  assert.ok(resolves(body, { body: '======= another id\n' }))
  assert.ok(!resolves(body, { body: `settled\n>>>>>>> main ${body.id}\n` }))
  assert.ok(!resolves(body, { fields: ['title'] }))
})

test('a field conflict is resolved by a write that names the field or the whole it belongs to', () => {
  assert.ok(resolves(conflict('field', 'title'), { fields: ['icon', 'title'] }))
  assert.ok(!resolves(conflict('field', 'title'), { fields: ['icon'] }))
  assert.ok(!resolves(conflict('field', 'title'), { body: '' }))
  assert.ok(resolves(conflict('field', 'variables.v'), { fields: ['variables'] }))
  assert.ok(resolves(conflict('field', 'variables.v'), { fields: ['variables.v'] }))
  assert.ok(!resolves(conflict('field', 'variables.v'), { fields: ['variables.w'] }))
  assert.ok(!resolves(conflict('field', 'variables.vw'), { fields: ['variables.v'] }))
})

test('a place conflict is resolved by a move', () => {
  for (const kind of ['place', 'cycle'] as const) {
    assert.ok(resolves(conflict(kind, 'place'), { fields: ['place'] }))
    assert.ok(!resolves(conflict(kind, 'place'), { fields: ['title'] }))
  }
})

test('a conflict about a page that one side deleted is resolved by any write that names the page', () => {
  for (const kind of ['deleted-here', 'deleted-there', 'parent-deleted-here', 'parent-deleted-there'] as const) {
    assert.ok(resolves(conflict(kind, 'page'), { fields: ['title'] }))
    assert.ok(resolves(conflict(kind, 'page'), { body: '' }))
    assert.ok(resolves(conflict(kind, 'page'), {}))
  }
})

test('deleting a page or resetting it to main closes all its conflicts, and those of no other page', () => {
  for (const kind of ['field', 'body', 'place', 'cycle', 'deleted-here', 'parent-deleted-there'] as const) {
    assert.ok(resolves(conflict(kind, 'any'), { removed: true }))
    assert.ok(!resolvedBy(conflict(kind, 'any'), { entry: 'f', removed: true, fields: ['any'], body: '' }))
  }
})

function conflict(kind: ConflictKind, field: string): Conflict {
  return new Conflicts({ ours: 'r1', theirs: 'r2' }).add(kind, 'e', field, sides('x', 'y'))
}

function sides(ours: string, theirs: string) {
  return { base: null, ours, theirs }
}

function resolves(of: Conflict, change: Omit<Change, 'entry'>): boolean {
  return resolvedBy(of, { entry: of.entry, ...change })
}
