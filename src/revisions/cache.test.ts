import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteCache } from './cache.ts'

test('what was not asked for the longest goes first, and the bytes stay within the limit', async () => {
  const cache = new ByteCache(100)
  const made: string[] = []
  const keep = (key: string) =>
    cache.keep(
      key,
      async () => made.push(key),
      () => 40,
    )
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await keep(key)
  assert.deepEqual(made, ['a', 'b', 'c', 'b'])
  assert.equal(cache.bytes, 80)
})

test('two who ask at once share one making; one that failed is tried again', async () => {
  const cache = new ByteCache(100)
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

test('something larger than the whole limit is handed out and not kept', async () => {
  const cache = new ByteCache(100)
  assert.equal(
    await cache.keep(
      'a',
      async () => 'huge',
      () => 1000,
    ),
    'huge',
  )
  assert.deepEqual([cache.find('a'), cache.bytes], [undefined, 0])
})
