import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { knock } from './doors.ts'
import { environment, setUp, testSeed, told } from './setting.ts'

test('no address, header or form makes pages, files, uploads or sign-in fail', { timeout: 300_000 }, async (t) => {
  const { world, touched, stop } = await setUp(await startApp(environment))
  t.after(stop)
  const seed = testSeed()
  t.diagnostic(`TEST_SEED=${seed}`)
  const { statuses, faults } = await knock(world, touched, seed, Number(process.env.TEST_RUNS ?? 40))
  t.diagnostic(told(statuses))
  assert.equal(faults.length, 0, `TEST_SEED=${seed}\n${faults.slice(0, 40).join('\n')}`)
  assert.ok((statuses.get(200) ?? 0) > 100, 'too little of it gets through to be worth anything')
})
