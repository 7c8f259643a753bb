import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Operation } from '../../src/http/spec.ts'
import { startApp } from '../app.ts'
import { allRows } from './all-rows.ts'
import { fuzz } from './run.ts'
import { environment, setUp, testSeed, told } from './setting.ts'

/** The number of cases per operation. All parts together have more than 20,000. TEST_RUNS sets another number. */
const count = Number(process.env.TEST_RUNS ?? 75)

/**
 * Sends bad input to these operations and expects no 5xx, no answer of another shape, and no change by a refused
 * request.
 */
export async function expectNoFaults(t: TestContext, belongs: (operation: Operation) => boolean): Promise<void> {
  const app = await startApp(environment)
  const { world, touched, stop } = await setUp(app)
  t.after(stop)
  const seed = testSeed()
  t.diagnostic(`TEST_SEED=${seed}`)
  const operations = app.app.operations.filter(belongs)
  const { cases, statuses, unreached, faults } = await fuzz({ world, touched, rows: allRows, operations, seed, count })
  t.diagnostic(`${cases} cases: ${told(statuses)}`)
  if (unreached.length > 0) t.diagnostic(`Nobody got through to ${unreached.join(', ')}`)
  assert.equal(faults.length, 0, `TEST_SEED=${seed}\n${faults.slice(0, 40).join('\n')}`)
  if (count >= 50)
    assert.ok(unreached.length < operations.length / 3, 'too little of it gets through to be worth anything')
}
