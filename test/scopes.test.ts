import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

test('cleanup registered in a test runs at the end of that test, even if registered after a wait', async (t) => {
  const done: string[] = []
  await t.test('a test that waits first', async () => {
    await sleep(1)
    after(() => done.push('cleaned up'))
  })
  assert.deepEqual(done, ['cleaned up'])
})
