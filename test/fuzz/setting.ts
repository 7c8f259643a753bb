import type { TestApp } from '../app.ts'
import { patient } from '../matrix/world.ts'
import type { FuzzWorld } from './cases.ts'
import { Touched } from './touched.ts'
import { startUpstream } from './upstream.ts'
import { makeFuzzWorld } from './world.ts'

/** Allows the server to fetch from this machine, where a server is running for that. */
export const environment = { ...patient, LECTERN_FETCH_ALLOW: '127.0.0.1' }

export interface Setting {
  world: FuzzWorld
  touched: Touched
  stop: () => void
}

/** Creates everything that can be requested, and watches for changes. */
export async function setUp(app: TestApp): Promise<Setting> {
  const { urls, server } = await startUpstream()
  const world = await makeFuzzWorld(app, urls)
  return { world, touched: await Touched.watch(app.db), stop: () => server.close().closeAllConnections() }
}

/** The seed of this test run. */
export const testSeed = () => Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

export const told = (statuses: ReadonlyMap<number, number>) =>
  [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', ')
