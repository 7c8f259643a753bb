import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { startGitServer } from '../../test/git-server.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { sweepFiles } from '../files/sweep.task.ts'
import { addMember } from '../organizations/members.actions.ts'
import { purgeSpaces } from '../spaces/purge.task.ts'
import { aSyncedSpace } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()
const context = { db: app.db, config: app.config, store: app.app.store, log: app.app.log }
const book = { 'README.md': '# One\n', 'SUMMARY.md': '# Mine\n\n- [One](README.md)\n', LICENSE: 'Free\n' }

test('a space that goes to another organization takes along what it needs to be written as it was', async () => {
  const repository = await server.repository('moved', book)
  const space = await aSyncedSpace(app, repository)
  await space.import()
  const other = await anOrganization(app)
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: other.id, userId: space.org.admin.id, role: 'admin', sso: false }),
  )
  const moved = await space.who.post(`${space.path}/transfer`, { organization: other.id })
  assert.equal(moved.status, 200, moved.text)
  await app.db.run(sql`update blobs set created_at = now() - interval '2 days'`)
  await sweepFiles.run(context)

  const empty = await server.repository('moved-to')
  const exported = await space.export({ url: empty.url })
  assert.deepEqual([exported.state, exported.error], ['success', undefined])
  assert.deepEqual(await empty.files(), book)
})

test('with a space that is purged, all that is known of its repository goes', async () => {
  const repository = await server.repository('purged', book)
  const space = await aSyncedSpace(app, repository)
  await space.import()
  await space.who.delete(space.path)
  await app.db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = ${space.id}`)
  await purgeSpaces.run(context)
  const { count } = await app.db.one(sql<{ count: number }>`
    select (select count(*) from git_syncs where space_id = ${space.id}) +
      (select count(*) from git_files where space_id = ${space.id}) +
      (select count(*) from git_operations where space_id = ${space.id}) +
      (select count(*) from spaces where id = ${space.id}) as count`)
  assert.equal(count, 0)
})

test('a copy of a space is written as the original is, but is not the repository of the original', async () => {
  const repository = await server.repository('copied', book)
  const space = await aSyncedSpace(app, repository)
  await space.import()
  const { body: copy, status, text } = await space.who.post(`${space.path}/duplicate`)
  assert.equal(status, 201, text)
  assert.equal(copy.gitSync, undefined)
  assert.equal((await space.who.get(`/v1/spaces/${copy.id}/git/info`)).status, 404)
})
