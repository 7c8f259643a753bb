import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { startGitServer } from '../../test/git-server.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { sweepFiles } from '../files/sweep.task.ts'
import { addMember } from '../organizations/members.actions.ts'
import { purgeSpaces } from '../spaces/purge.task.ts'
import { type RecordedChange, eventsOf } from '../webhooks/events.ts'
import { aSite } from '../../test/visitor.ts'
import { fileAddress } from './edit-address.ts'
import { aSyncedSpace, sync } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()
const { context } = app
const book = { 'README.md': '# One\n', 'SUMMARY.md': '# Mine\n\n- [One](README.md)\n', LICENSE: 'Free\n' }

test('a space that moves to another organization can still be exported to Git unchanged', async () => {
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

test('purging a space removes everything known about its repository', async () => {
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

test('a copy of a space is exported like the original, but is not linked to its repository', async () => {
  const repository = await server.repository('copied', book)
  const space = await aSyncedSpace(app, repository)
  await space.import()
  const { body: copy, status, text } = await space.who.post(`${space.path}/duplicate`)
  assert.equal(status, 201, text)
  assert.equal(copy.gitSync, undefined)
  assert.equal((await space.who.get(`/v1/spaces/${copy.id}/git/info`)).status, 404)
  const empty = await server.repository('copied-to')
  const exported = await sync(space.who, `/v1/spaces/${copy.id}/git/export`, {
    url: empty.url,
    ref: 'refs/heads/main',
    commitMessage: 'A copy',
  })
  assert.deepEqual([exported.state, exported.error], ['success', undefined])
  assert.deepEqual(await empty.files(), book)
})

test('events report the start and end of a sync, and changed content only if it changed', async () => {
  const repository = await server.repository('told', book)
  const space = await aSyncedSpace(app, repository)
  const events = async () => {
    const rows = await app.db.all(sql<RecordedChange>`
      select c.*, null as request_space, null as space_head from changes c
      where c.organization_id = ${space.org.id} and c.action <> 'space.created' order by c.at, c.id`)
    return rows.flatMap((row) => eventsOf(row, 'https://x')).map(({ type, body }) => ({ type, ...JSON.parse(body) }))
  }
  const { result } = await space.import()
  const [started, updated, completed] = await events()
  assert.deepEqual([started.type, started.direction], ['space_gitsync_started', 'import'])
  assert.deepEqual([updated.type, updated.revisionId], ['space_content_updated', result.revision])
  assert.deepEqual(
    [completed.type, completed.state, completed.direction, completed.revisionId, completed.commitId],
    ['space_gitsync_completed', 'success', 'import', result.revision, result.commit],
  )
  // Nothing is new, so no event reports changed content.
  await space.import()
  assert.deepEqual(
    (await events()).slice(3).map(({ type }) => type),
    ['space_gitsync_started', 'space_gitsync_completed'],
  )
  const refused = await space.import({ ref: 'refs/heads/nowhere' })
  assert.equal(refused.state, 'failure')
  assert.equal((await events()).at(-1).state, 'failure')
})

test('a site links to the source file of a page if its customization says so, until the repository is forgotten', async () => {
  const repository = await server.repository('edited', book)
  const site = await aSite(app)
  const { who, space } = site
  const asked = { url: repository.url, ref: 'refs/heads/main', force: true }
  const treeURL = 'https://github.com/me/book/tree/main/'
  assert.equal((await sync(who, `${space.path}/git/import`, { ...asked, repoTreeURL: treeURL })).state, 'success')
  const link = 'https://github.com/me/book/edit/main/README.md'
  const front = async () => (await site.browser().get(site.address)).text
  assert.ok(!(await front()).includes(link))
  const shown = await who.put(`${site.path}/customization`, { git: { showEditLink: true } })
  assert.equal(shown.status, 200, shown.text)
  assert.ok((await front()).includes(link))

  // For readers nothing changes, except for where the page is edited.
  const elsewhere = await server.repository('edited-elsewhere')
  const written = { url: elsewhere.url, ref: asked.ref, commitMessage: 'Moved', force: true }
  const movedTo = 'https://github.com/me/moved/edit/main/README.md'
  const repoTreeURL = 'https://github.com/me/moved/tree/main/'
  assert.equal((await sync(who, `${space.path}/git/export`, { ...written, repoTreeURL })).state, 'success')
  assert.ok((await front()).includes(movedTo), 'written elsewhere, it leads there')
  assert.equal((await sync(who, `${space.path}/git/import`, { ...asked, repoTreeURL: treeURL })).state, 'success')
  assert.ok((await front()).includes(link), 'read from there again')
  const info = `${space.path}/git/info`
  assert.equal((await who.delete(info, { 'if-match': '"other"' })).status, 412)
  assert.equal((await who.delete(info)).status, 205)
  assert.ok(!(await front()).includes(link), 'forgotten, it is led to no more')
  assert.equal((await who.delete(info)).status, 404)

  const gitlab = fileAddress('https://git.example.com/a/b/-/tree/main/docs', 'a b/c.md')
  assert.equal(gitlab, 'https://git.example.com/a/b/-/edit/main/docs/a%20b/c.md')
  assert.equal(fileAddress('https://code.example.com/src', 'c.md'), 'https://code.example.com/src/c.md')
  assert.equal(fileAddress('javascript:alert(1)', 'c.md'), undefined)
})

test('a sync without access to the file store fails with an explanation, and succeeds once the store is back', async () => {
  const asset = '.gitbook/assets/note.txt'
  const repository = await server.repository('away', { 'README.md': `# One\n\n![](${asset})\n`, [asset]: 'a note' })
  const space = await aSyncedSpace(app, repository)
  // A file in the way, so that no folder can be created there.
  const folder = join(app.config.dataFolder, 'files', space.org.id)
  await writeFile(folder, '')
  const { state, error } = await space.import()
  assert.deepEqual([state, error], ['failure', 'The file store is unavailable. Try again in a moment.'])
  await rm(folder)
  assert.equal((await space.import()).state, 'success')
})
