import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { byPosition, keyBetween, placeAt, type Placed } from './positions.ts'

test('a position key lies strictly between its neighbours, wherever it is inserted', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), fc.nat(), (places, salt) => {
      const siblings: Placed[] = []
      places.forEach((place, i) => put(siblings, place % (siblings.length + 1), id(salt * 1000 + i)))
      assert.deepEqual(siblings.toSorted(byPosition), siblings)
    }),
    { numRuns: 2000 },
  )
})

test('two pages added at one place get different position keys, and the same move on both sides gets the same key', () => {
  const keys = new Set(Array.from({ length: 1000 }, (_, i) => keyBetween(id(i), 'a1', 'a2')))
  assert.ok(keys.size >= 999, `${keys.size} different keys`)
  assert.equal(keyBetween(id(1), 'a1', 'a2'), keyBetween(id(1), 'a1', 'a2'))
})

test('ids made in the same moment get different position keys', () => {
  const first = keyBetween('01930c5a-7b1c-7000-8000-000000000001', 'a1', 'a2')
  const second = keyBetween('01930c5a-7b1c-7000-8000-000000000002', 'a1', 'a2')
  assert.notEqual(first, second)
})

test('a new key stays below a right neighbour that begins with the midpoint', () => {
  const middle = keyBetween(id(0), 'a1', 'a2').slice(0, -4)
  for (let i = 0; i < 2000; i++) {
    const right = keyBetween(id(i), 'a1', 'a2')
    assert.ok(right.startsWith(middle))
    const key = keyBetween(id(i + 1), 'a1', right)
    assert.ok('a1' < key && key < right, `${key} below ${right}`)
  }
})

test('an insertion between equal keys gives new keys to the equal ones on its right, in their order', () => {
  const siblings = ['p1', 'p2', 'p3'].map((entry) => ({ entry, position: 'a1Vx9' }))
  const last = { entry: 'p0', position: 'a2' }
  const { position, rekeyed } = placeAt([...siblings, last], 1, 'new')

  assert.deepEqual(
    rekeyed.map((sibling) => sibling.entry),
    ['p2', 'p3'],
  )
  const order = [siblings[0]!, { entry: 'new', position }, ...rekeyed, last]
  assert.deepEqual(order.toSorted(byPosition), order)
  assert.equal(new Set(order.map((sibling) => sibling.position)).size, 5)
})

test('equal keys at the end are separated too, and an insertion before or after them needs no new keys', () => {
  const equal = ['p1', 'p2'].map((entry) => ({ entry, position: 'a1Vx9' }))
  const { position, rekeyed } = placeAt(equal, 1, 'new')
  assert.ok('a1Vx9' < position && position < rekeyed[0]!.position)

  assert.deepEqual(placeAt(equal, 0, 'new').rekeyed, [])
  assert.deepEqual(placeAt(equal, 2, 'new').rekeyed, [])
})

test('entries with equal position keys are ordered by id', () => {
  const [a, b] = [
    { entry: 'a', position: 'a1' },
    { entry: 'b', position: 'a1' },
  ] as const
  assert.deepEqual([b, a].toSorted(byPosition), [a, b])
  assert.equal(byPosition(a, a), 0)
})

test('position keys sort by bytes, capitals before small letters', () => {
  assert.ok(byPosition({ entry: 'a', position: 'Zz' }, { entry: 'a', position: 'a0' }) < 0)
})

test('position keys take 8 characters after 10,000 first or last insertions, and at most 16 after 20,000 mixed ones', () => {
  assert.equal(
    longest(10_000, () => 0),
    8,
  )
  assert.equal(
    longest(10_000, (length) => length),
    8,
  )
  let dice = 7
  const mixed = longest(20_000, (length) => (dice = (dice * 48271) % 2147483647) % (length + 1))
  assert.ok(mixed <= 16, `${mixed} characters`)
})

test('position keys stay below 600 characters after 10,000 insertions at the second place', () => {
  const length = longest(10_000, (siblings) => Math.min(1, siblings))
  assert.ok(length < 600, `${length} characters`)
})

function longest(times: number, choose: (siblings: number) => number): number {
  const siblings: Placed[] = []
  let longest = 0
  for (let i = 0; i < times; i++) longest = Math.max(longest, put(siblings, choose(siblings.length), id(i)).length)
  return longest
}

function put(siblings: Placed[], index: number, entry: string): string {
  const { position, rekeyed } = placeAt(siblings, index, entry)
  for (const { entry, position } of rekeyed) siblings.find((sibling) => sibling.entry === entry)!.position = position
  siblings.splice(index, 0, { entry, position })
  return position
}

function id(n: number): string {
  return createHash('sha256').update(String(n)).digest('hex').slice(0, 32)
}
