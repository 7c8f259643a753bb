import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../src/db/embedded.ts'
import {
  aFolder,
  connected,
  killPostmaster,
  postmasterOf,
  query,
  settings,
  writeUntilCut,
} from './embedded-lecterns.ts'

async function aDatabase(dataFolder: string) {
  const database = await startEmbedded({ dataFolder, settings })
  await query(database, 'create table notes (id bigserial primary key, text text)')
  return database
}

test('acknowledged rows survive kill -9 of a process of the database, and ensureRunning brings it back', async (t) => {
  const folder = aFolder(t)
  const database = await aDatabase(folder)
  const before = postmasterOf(folder)
  const writers = [1, 2, 3].map(() => writeUntilCut(database))
  const client = await connected(database.connection)
  const { rows } = await client.query('select pg_backend_pid() as pid')
  await sleep(200)
  process.kill(rows[0].pid, 'SIGKILL')
  const acknowledged = (await Promise.all(writers)).flat()
  for (let tries = 0; tries < 500 && postmasterOf(folder) === before; tries++) await sleep(10)
  await database.ensureRunning()
  assert.notEqual(postmasterOf(folder), before)
  assert.ok(acknowledged.length > 0)
  const kept = await query(database, 'select count(*)::int as count from notes where id = any($1)', [acknowledged])
  assert.deepEqual(kept, [{ count: acknowledged.length }])
  await database.leave()
})

test('a database that crashes when it recovers is refused with the reason, and starts as soon as that is gone', async (t) => {
  const folder = aFolder(t)
  const database = await aDatabase(folder)
  await query(database, "insert into notes (text) values ('kept')")
  await killPostmaster(folder)
  // With this in the way, no checkpoint can be written, as on a full disk.
  const obstacle = join(folder, 'postgres', 'pg_logical', 'replorigin_checkpoint.tmp')
  mkdirSync(obstacle)
  await assert.rejects(database.ensureRunning(), /did not start:[^]*PANIC: .*replorigin_checkpoint\.tmp/)
  assert.equal(postmasterOf(folder), undefined)
  rmdirSync(obstacle)
  await database.ensureRunning()
  assert.deepEqual(await query(database, 'select text from notes'), [{ text: 'kept' }])
  await database.leave()
})

test('a database whose folder is gone while Lectern runs is not replaced by a new one, and goes on once it is back', async (t) => {
  const folder = aFolder(t)
  const database = await aDatabase(folder)
  await query(database, "insert into notes (text) values ('kept')")
  renameSync(folder, `${folder}-aside`)
  mkdirSync(folder)
  await assert.rejects(database.ensureRunning(), /is gone while Lectern runs\. Put the folder back/)
  assert.deepEqual(readdirSync(folder), [])
  rmdirSync(folder)
  renameSync(`${folder}-aside`, folder)
  await database.ensureRunning()
  assert.deepEqual(await query(database, 'select text from notes'), [{ text: 'kept' }])
  await database.leave()
})

test('on a full disk, the database is refused with what to do, even if its log has no room for the reason', async (t) => {
  const disk = aSmallDisk(t)
  if (!disk) return t.skip('needs root, to mount a small disk')
  const database = await aDatabase(disk)
  await database.leave()
  const ballast = fill(disk, join(disk, 'postgres.log'))
  const start = () => startEmbedded({ dataFolder: disk, settings })
  await assert.rejects(start(), /did not start:\nIt ended with 1\.[^]*Its disk is full: make room there/)
  rmSync(ballast)
  await (await start()).leave()
})

function aSmallDisk(t: TestContext): string | undefined {
  // Before the hook of the folder, which cannot delete it while the disk is mounted there.
  t.after(() => {
    const pid = postmasterOf(folder)
    if (pid) process.kill(pid, 'SIGKILL')
    spawnSync('umount', ['-l', folder])
  })
  const folder = aFolder(t)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=100m,mode=0755', 'tmpfs', folder])
  return mounted.status === 0 ? folder : undefined
}

/** Fills the disk, and the room that is left at the end of a file. Returns the file to delete to make room again. */
function fill(disk: string, file: string): string {
  const ballast = join(disk, 'ballast')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, '')
  assert.throws(() => appendFileSync(ballast, new Uint8Array(bavail * bsize + 1)), { code: 'ENOSPC' })
  assert.throws(() => appendFileSync(file, '\n'.repeat(10_000)), { code: 'ENOSPC' })
  return ballast
}
