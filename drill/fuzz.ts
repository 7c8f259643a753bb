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
 * Bad input, made from the schemas of all routes, and for what is beside the API: no 5xx, no error of another shape, no
 * change where something is refused, and the process lives. Each round has a server and a world of its own.
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
    // Last: some doors lead out of what all operations need, and nothing puts it back.
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

/** One for all rounds, with a template that each of them clones: as the tests have it. */
async function startDatabase(): Promise<void> {
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const embedded = await startEmbedded({ dataFolder: await temporaryFolder(), settings })
  whenOver(() => embedded.leave())
  const server = urlOf(embedded.connection)
  process.env.TEST_SERVER = server
  process.env.TEST_TEMPLATE = (await makeTemplate(server)).name
}
