// A server that dies while it writes what a repository brings: nothing of it is there, and it is done again, once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { startGitServer } from '../../test/git-server.ts'
import { startServer, temporaryFolder } from '../../test/process.ts'
import { sql } from '../db/sql.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { aSyncedSpace } from './testing/syncing.ts'

const fetching = { LECTERN_FETCH_ALLOW: '127.0.0.1' }
const app = await startApp(fetching)
const folder = await temporaryFolder()
const repositories = await startGitServer()

for (const point of ['git.after-files', 'git.before-commit']) {
  test(`an import of a repository that is killed at ${point} leaves nothing behind and is done again, once`, async () => {
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

    // Whoever had it never comes back: what would be noticed after two minutes is noticed now.
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
