// Accounts that exist only as a number, as in some containers: without a name and without a home folder.
import { spawnSync } from 'node:child_process'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEmbedded } from '../src/db/embedded.ts'
import { query } from './embedded-lecterns.ts'
import { startAsNumber, startServer, temporaryFolder } from './process.ts'
import { until } from './until.ts'

const id = 4242

/** Only root may start something as somebody else, who may have no way to the program. */
function whatIsMissing(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  const program = join(import.meta.dirname, '../bin/lectern.js')
  const { status } = spawnSync(process.execPath, [program, '--version'], { uid: id })
  return status === 0 ? false : 'needs a way in for other users'
}

test('the server of an account without a name and a home folder runs its jobs', { skip: whatIsMissing() }, async () => {
  const folder = await temporaryFolder()
  await chown(folder, id, id)
  const server = await startServer({ LECTERN_DATA: folder }, { by: startAsNumber(id) })
  const database = await startEmbedded({ dataFolder: folder })
  try {
    // The worker makes its tables when it first runs.
    const hasBegun = "select to_regclass('graphile_worker._private_jobs') is not null as holds"
    await until('the job worker has begun', async () => (await query(database, hasBegun))[0].holds)
  } finally {
    await server.stop()
    await database.leave()
  }
})
