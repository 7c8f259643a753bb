import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, newId } from './ids.ts'

test('ids sort in the order they were made, even within one millisecond, and are unique', () => {
  const now = Date.now()
  const ofOneMoment = Array.from({ length: 20_000 }, () => newId(now))
  const asTheyCome = Array.from({ length: 20_000 }, () => newId())
  for (const ids of [ofOneMoment, asTheyCome]) {
    assert.ok(ids.every((id, at) => at === 0 || ids[at - 1]! < id))
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.every((id) => isId(id) && /^.{14}7.{4}[89ab]/.test(id)))
  }
})

test('an id made for an earlier time carries that time and sorts before later ids', () => {
  const now = Date.now()
  const before = newId(now - 3_600_000)
  assert.equal(Number.parseInt(before.replace('-', '').slice(0, 12), 16), now - 3_600_000)
  assert.ok(before < newId(now))
})
