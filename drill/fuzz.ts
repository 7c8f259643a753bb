import { startEmbedded } from '../src/db/embedded.ts'
import { makeTestApp } from '../test/app.ts'
import { makeTemplate, urlOf } from '../test/database.ts'
import { allRows } from '../test/fuzz/all-rows.ts'
import { knock } from '../test/fuzz/doors.ts'
import { fuzz as fuzzOperations } from '../test/fuzz/run.ts'
import { environment, setUp, told } from '../test/fuzz/setting.ts'
import { type DrillOptions, ensure } from './drill.ts'
import { temporaryFolder, whenOver } from './leftovers.ts'

const casesOfARound = 60

/**
 * Sends bad input, made from the schemas of all routes, and to addresses outside of the API. There must be no 5xx, no
 * error of another shape, no change by a refused request, and the process must survive. Each round has its own server
 * and world.
 */
export async function fuzz({ seed, count = 500_000, log }: DrillOptions): Promise<void> {
  await startDatabase()
  let cases = 0
  for (let round = 0; cases < count; round++) {
    const statuses = await oneRound(seed + round * 1_000)
    cases += [...statuses.values()].reduce((sum, times) => sum + times, 0)
    log(`round ${round}: ${cases} of ${count} cases. ${told(statuses)}`)
  }
}

async function oneRound(seed: number): Promise<Map<number, number>> {
  const app = await makeTestApp(environment)
  const { world, touched, stop } = await setUp(app)
  try {
    const { operations } = app.app
    const asked = await fuzzOperations({ world, touched, rows: allRows, operations, seed, count: casesOfARound })
    // Runs last: some doors remove things that all operations need, and nothing restores them.
    const knocked = await knock(world, touched, seed, casesOfARound)
    const faults = [...asked.faults, ...knocked.faults]
    ensure(faults.length === 0, `With the seed ${seed}:\n${faults.slice(0, 40).join('\n')}`)
    const statuses = new Map(asked.statuses)
    for (const [status, times] of knocked.statuses) statuses.set(status, (statuses.get(status) ?? 0) + times)
    return statuses
  } finally {
    stop()
    await app.stop()
  }
}

/** Starts one database for all rounds, with a template that each round clones, as in the tests. */
async function startDatabase(): Promise<void> {
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const embedded = await startEmbedded({ dataFolder: await temporaryFolder(), settings })
  whenOver(() => embedded.leave())
  const server = urlOf(embedded.connection)
  process.env.TEST_SERVER = server
  process.env.TEST_TEMPLATE = (await makeTemplate(server)).name
}
