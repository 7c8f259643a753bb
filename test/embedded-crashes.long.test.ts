import assert from 'node:assert/strict'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
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
