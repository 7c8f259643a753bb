import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteCache } from './cache.ts'

test('the least recently used entry is evicted first, and the bytes stay within the limit', async () => {
  const cache = new ByteCache(10_000)
  const made: string[] = []
  const keep = (key: string) =>
    cache.keep(
      key,
      async () => made.push(key),
      () => 4_000,
    )
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await keep(key)
  assert.deepEqual(made, ['a', 'b', 'c', 'b'])
  assert.ok(cache.bytes > 8_000 && cache.bytes <= 10_000, String(cache.bytes))
})

test('concurrent requests for an entry share one computation, and a failed one is tried again', async () => {
  const cache = new ByteCache(10_000)
  let calls = 0
  const make = async () => {
    calls += 1
    if (calls === 1) throw new Error('not now')
    return calls
  }
  const keep = () => cache.keep('a', make, () => 1)
  const failed = await Promise.allSettled([keep(), keep()])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await Promise.all([keep(), keep(), keep()]), [2, 2, 2])
})

test('entries of size zero still take some room, so that they do not become too many', async () => {
  const cache = new ByteCache(10_000)
  for (let i = 0; i < 1_000; i++) {
    await cache.keep(
      `key ${i}`,
      async () => i,
      () => 0,
    )
  }
  assert.equal(cache.find('key 0'), undefined)
  assert.equal(await cache.find('key 999'), 999)
  assert.ok(cache.bytes <= 10_000, String(cache.bytes))
})

test('an entry larger than the whole limit is returned and not kept', async () => {
  const cache = new ByteCache(10_000)
  assert.equal(
    await cache.keep(
      'a',
      async () => 'huge',
      () => 100_000,
    ),
    'huge',
  )
  assert.deepEqual([cache.find('a'), cache.bytes], [undefined, 0])
})
