import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

test('what a test leaves for its end is done then, also when it said so after a wait', async (t) => {
  const done: string[] = []
  await t.test('a test that waits first', async () => {
    await sleep(1)
    after(() => done.push('cleaned up'))
  })
  assert.deepEqual(done, ['cleaned up'])
})
