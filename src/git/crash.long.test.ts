// A server that dies while it writes an import leaves nothing behind, and the import is done again, once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { startGitServer } from '../../test/git-server.ts'
import { startServer, temporaryFolder } from '../../test/process.ts'
import { until } from '../../test/until.ts'
import { sql } from '../db/sql.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { aSyncedSpace } from './testing/syncing.ts'

const fetching = { LECTERN_FETCH_ALLOW: '127.0.0.1' }
const app = await startApp(fetching)
const folder = await temporaryFolder()
const repositories = await startGitServer()

for (const point of ['git.after-files', 'git.before-commit']) {
  test(`an import of a repository that is killed at ${point} leaves nothing behind and is repeated once`, async () => {
    const repository = await repositories.repository(point, {
      'README.md': '# Welcome\n\n![](.gitbook/assets/note.txt)\n',
      'guide.md': '# Guide\n',
      '.gitbook/assets/note.txt': 'a note',
    })
    const space = await aSyncedSpace(app, repository)
    const before = (await space.who.get(space.path)).body.revision

    const doomed = await startServer({
      ...fetching,
      DATABASE_URL: app.databaseUrl,
      LECTERN_DATA: folder,
      LECTERN_SECRET: 'a secret for tests that is long enough',
      LECTERN_FAIL: `${point}:1:kill`,
    })
    const exit = once(doomed.child, 'exit')
    const asked = await fetch(`${doomed.url}${space.path}/git/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${space.who.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: repository.url, ref: 'refs/heads/main' }),
    })
    assert.equal(asked.status, 204)
    await exit
    assert.equal((await space.who.get(space.path)).body.revision, before)

    // The server that took the operation never comes back. Another would notice after two minutes; here it is due now.
    await app.db.run(sql`update git_operations set due_at = now() where space_id = ${space.id} and state = 'running'`)
    const { state, error, result } = await space.import()
    assert.deepEqual([state, error], ['success', undefined])
    assert.equal(result.changes, 0, 'the one that was killed had brought all of it when this one came')
    assert.deepEqual([...(await space.pages()).keys()].toSorted(), ['README.md', 'guide.md'])
    const { body: content } = await space.who.get(`${space.path}/content`)
    assert.deepEqual(
      content.files.map(({ name }: { name: string }) => name),
      ['note.txt'],
    )
    const operations = await app.db.all(
      sql<{ state: string; attempts: number }>`
        select state, attempts from git_operations where space_id = ${space.id} order by asked_at`,
    )
    assert.deepEqual(operations, [
      { state: 'success', attempts: 2 },
      { state: 'success', attempts: 1 },
    ])
    await assertSound(app.db)
  })
}

test('the next server takes over following a repository from one that died, and neither logs the token', async () => {
  const password = 'in-no-log'
  const locked = await startGitServer({ password })
  const repository = await locked.repository('kept', { 'README.md': '# Welcome\n' })
  const space = await aSyncedSpace(app, repository)
  const environment = {
    ...fetching,
    DATABASE_URL: app.databaseUrl,
    LECTERN_DATA: folder,
    LECTERN_SECRET: 'a secret for tests that is long enough',
  }
  const doomed = await startServer({ ...environment, LECTERN_FAIL: 'git.before-commit:1:kill' })
  const exit = once(doomed.child, 'exit')
  const asked = await fetch(`${doomed.url}${space.path}/git/following`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${space.who.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: repository.url.replace('//', `//user:${password}@`), ref: 'main' }),
  })
  assert.equal(asked.status, 200)
  await exit
  assert.equal(await space.outline(), 'Untitled/untitled')

  await app.db.run(sql`update git_operations set due_at = now() where space_id = ${space.id} and state = 'running'`)
  const next = await startServer(environment)
  // Stands in for the job, which would find the operation within a minute.
  app.app.git.wake()
  await until('it came', async () => (await space.outline()) === 'Welcome/welcome')
  await repository.commit({ 'README.md': '# Second\n' })
  await app.db.run(sql`update git_following set next_look_at = now() where space_id = ${space.id}`)
  await until('what was pushed came', async () => (await space.outline()).startsWith('Second'))
  for (const each of [doomed, next]) assert.ok(!each.log().includes(password))
  await next.stop()
  await assertSound(app.db)
})
