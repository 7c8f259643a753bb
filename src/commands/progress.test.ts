import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showProgress } from './progress.ts'

test('long work reports its progress every ten seconds, even without news', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const told: string[] = []
  t.mock.method(process.stderr, 'write', (text: string) => told.push(text) > 0)

  const progress = showProgress('Importing')
  progress.say('reading the folder')
  t.mock.timers.tick(9_000)
  progress.say('writing 8080 pages and files')
  assert.deepEqual(told, [])
  for (let second = 10; second <= 90; second++) t.mock.timers.tick(1_000)
  assert.equal(told.length, 9)
  assert.equal(told[0], 'Importing: writing 8080 pages and files (0:10)\n')
  assert.equal(told[8], 'Importing: writing 8080 pages and files (1:30)\n')
  progress.done()
  t.mock.timers.tick(60_000)
  assert.equal(told.length, 9)
})
