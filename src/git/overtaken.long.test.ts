// Others write to a space while an import into it is worked out.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { startGitServer } from '../../test/git-server.ts'
import { until } from '../../test/until.ts'
import { type SyncedSpace, aSyncedSpace, ended } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

/** Starts an import, and edits the space this many times just before the import is written. */
async function importOvertaken(t: TestContext, space: SyncedSpace, url: string, times: number) {
  const holders = await Promise.all(
    Array.from({ length: times }, async () => {
      const client = new pg.Client(app.databaseUrl)
      t.after(() => client.end())
      await client.connect()
      await client.query('begin')
      return client
    }),
  )
  const hold = (holder: pg.Client | undefined) =>
    holder?.query('select from git_syncs where space_id = $1 for update', [space.id])
  const waiting = async (count: number) => {
    const { rowCount } = await app.db.pool.query(`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return rowCount === count
  }
  await hold(holders[0])
  const body = { url, ref: 'refs/heads/main', force: true }
  assert.equal((await space.who.post(`${space.path}/git/import`, body)).status, 204)
  for (const [at, holder] of holders.entries()) {
    await until('the import is about to be written', () => waiting(1))
    const edited = await space.who.post(`${space.path}/content`, { changes: [newPage(`Edit ${at + 1}`)] })
    assert.equal(edited.status, 200, edited.text)
    const next = holders[at + 1]
    const held = hold(next)
    if (next) await until('the next edit comes before the next attempt', () => waiting(2))
    await holder.query('rollback')
    await held
  }
  return ended(space.who, space.path)
}

test('an import is planned again if others write meanwhile, and fails with a reason after four times', async (t) => {
  const repository = await server.repository('busy', { 'README.md': '# One\n' })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  assert.equal((await space.import()).state, 'success')
  await repository.commit({ 'two.md': '# Two\n' })

  const failed = await importOvertaken(t, space, repository.url, 4)
  assert.deepEqual(
    [failed.state, failed.error],
    ['failure', 'The space or the repository keeps changing. Try again later.'],
  )
  assert.equal(await space.outline(), 'One/one, Edit 1/edit-1, Edit 2/edit-2, Edit 3/edit-3, Edit 4/edit-4')

  const again = await importOvertaken(t, space, repository.url, 3)
  assert.equal(again.state, 'success', again.error)
  assert.match(await space.outline(), /Two/)
})
