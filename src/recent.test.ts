import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Recent } from './recent.ts'

const kilobyte = 1024

test('an entry that is requested again and again stays cached however many others are added, within the byte limit', () => {
  const recent = new Recent<number>(10 * kilobyte)
  recent.set('asked for', 0, kilobyte)
  for (let n = 1; n <= 1_000; n++) {
    recent.set(`${n}`, n, kilobyte)
    assert.ok(recent.bytes <= 10 * kilobyte)
    assert.equal(recent.get('asked for'), 0)
    assert.equal(recent.get(`${n}`), n)
  }
  assert.equal(recent.get('1'), undefined)
})

test('entries that are not requested are evicted oldest first, and an entry that is too large is not kept', () => {
  const recent = new Recent<number>(5 * kilobyte)
  for (const n of [1, 2, 3]) recent.set(`${n}`, n, kilobyte)
  recent.set('4', 4, kilobyte)
  assert.deepEqual(
    ['1', '2', '3', '4'].map((key) => recent.get(key)),
    [undefined, 2, 3, 4],
  )
  recent.set('large', 5, 50 * kilobyte)
  assert.deepEqual([recent.get('large'), recent.bytes], [undefined, 0])
})
