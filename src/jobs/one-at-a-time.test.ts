import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAtATime } from './one-at-a-time.ts'

/** A task whose runs end when the test lets them. */
function aTask() {
  const runs: PromiseWithResolvers<void>[] = []
  const stopping = new AbortController()
  const ask = oneAtATime(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  }, stopping.signal)
  return { runs, ask, stopping }
}

test('a task requested several times while it runs is run once more afterwards', async () => {
  const { runs, ask } = aTask()
  const first = ask()
  await Promise.all([ask(), ask()])
  assert.equal(runs.length, 1)
  runs[0]!.resolve()
  await new Promise(setImmediate)
  assert.equal(runs.length, 2)
  runs[1]!.resolve()
  await first
  assert.equal(runs.length, 2, 'once, however many asked')
})

test('a task that failed runs again when it is requested again', async () => {
  const { runs, ask } = aTask()
  const failing = ask()
  runs[0]!.reject(new Error('no'))
  await assert.rejects(failing, /no/)
  const again = ask()
  assert.equal(runs.length, 2)
  runs[1]!.resolve()
  await again
})

test('a task is not run again by a process that is stopping', async () => {
  const { runs, ask, stopping } = aTask()
  const first = ask()
  await ask()
  stopping.abort()
  runs[0]!.resolve()
  await first
  assert.equal(runs.length, 1)
})
