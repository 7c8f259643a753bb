import assert from 'node:assert/strict'
import childProcess, { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { startGitServer } from '../../test/git-server.ts'
import { until } from '../../test/until.ts'
import { sql } from '../db/sql.ts'
import { filesFolder } from '../storage/open.ts'
import { runGitOperations } from './run-operations.task.ts'
import { aSyncedSpace, ended, sync } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()
const context = { db: app.db, config: app.config, store: app.app.store, secrets: app.app.secrets, log: app.app.log }
const book = { 'README.md': '# One\n' }

test('invalid URLs, branches, folders and other fields of a sync are refused with the field, and no sync is started', async () => {
  const space = await aSyncedSpace(app, { url: server.url })
  const good = { url: `${server.url}/x.git`, ref: 'refs/heads/main', commitMessage: 'x' }
  const cases: [object, string][] = [
    [{ url: 'ssh://git@example.com/x' }, 'body.url'],
    [{ url: 'git@example.com:x.git' }, 'body.url'],
    [{ url: 'file:///etc' }, 'body.url'],
    [{ url: '/etc' }, 'body.url'],
    [{ url: 'ext::sh -c id' }, 'body.url'],
    [{ url: 'https://example.com/x?y=1' }, 'body.url'],
    [{ url: '--upload-pack=id' }, 'body.url'],
    [{ url: 'https://a:%ff@example.com/' }, 'body.url'],
    [{ url: 'https://a:%0aX@example.com/' }, 'body.url'],
    [{ ref: '--all' }, 'body.ref'],
    [{ ref: 'refs/tags/v1' }, 'body.ref'],
    [{ ref: 'a..b' }, 'body.ref'],
    [{ ref: 'a:b' }, 'body.ref'],
    [{ ref: ' ' }, 'body.ref'],
    [{ repoProjectDirectory: '../x' }, 'body.repoProjectDirectory'],
    [{ repoTreeURL: 'javascript:alert(1)' }, 'body.repoTreeURL'],
    [{ gitInfo: { provider: 'svn' } }, 'body.gitInfo.provider'],
    [{ force: 'yes' }, 'body.force'],
  ]
  for (const operation of ['import', 'export']) {
    for (const [wrong, path] of cases) {
      const { status, body } = await space.who.post(`${space.path}/git/${operation}`, { ...good, ...wrong })
      assert.deepEqual([status, body.error.details?.[0].path], [400, path], JSON.stringify(wrong))
    }
  }
  const { commitMessage: _, ...without } = good
  const refused = await space.who.post(`${space.path}/git/export`, without)
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.commitMessage'])
  assert.equal((await space.who.get(`${space.path}/git/info`)).status, 404)
})

test('an import from a missing or unusable repository, branch or folder fails with an explanation and changes nothing', async () => {
  const there = await server.repository('there', book)
  const space = await aSyncedSpace(app, there)
  server.answer('/moved', (_request, response) => response.writeHead(301, { location: there.url }).end())
  server.answer('/html', (_request, response) => response.end('<h1>Hello</h1>'))
  server.answer('/cut', (request) => request.socket.destroy())
  const other = await server.repository('sha256')
  await rm(other.bare, { recursive: true })
  execFileSync('git', ['init', '--quiet', '--bare', '-b', 'main', '--object-format=sha256', other.bare])
  const inOther = (args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.test', '-C', other.bare, ...args], { input: '' })
      .toString()
      .trim()
  inOther(['update-ref', 'refs/heads/main', inOther(['commit-tree', inOther(['mktree']), '-m', 'First'])])
  const cases: [object, RegExp][] = [
    [{ url: `${server.url}/missing.git` }, /no repository at this URL/],
    [{ url: `${server.url}/moved.git` }, /has moved/],
    [{ url: `${server.url}/html` }, /no branch main|no repository at this URL/],
    [{ url: `${server.url}/cut` }, /cannot be reached/],
    [{ url: other.url }, /uses SHA-256/],
    [{ url: 'http://127.0.0.1:9/x.git' }, /cannot be reached/],
    [{ url: 'http://127.0.0.1:9/ssl-redirects.git' }, /cannot be reached/],
    [{ ref: 'refs/heads/other' }, /no branch other/],
    [{ repoProjectDirectory: 'docs' }, /no folder docs/],
  ]
  const before = (await space.who.get(`${space.path}/content`)).body.id
  for (const [wrong, message] of cases) {
    const { state, error } = await space.import(wrong)
    assert.equal(state, 'failure')
    assert.match(error, message, JSON.stringify(wrong))
  }
  assert.equal((await space.who.get(`${space.path}/content`)).body.id, before)
  assert.equal((await space.who.get(space.path)).body.gitSync, undefined)
})

test('git does not reach a private address in any spelling', async () => {
  const guarded = await startApp()
  const repository = await server.repository('private', book)
  const port = new URL(repository.url).port
  const space = await aSyncedSpace(guarded, repository)
  const seen = server.requests.length
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    const { state, error } = await space.import({ url: `http://${host}:${port}/private.git` })
    assert.equal(state, 'failure')
    assert.match(error, /not public/, host)
  }
  assert.equal(server.requests.length, seen, 'nothing arrived')
  await guarded.stop()
})

test('user and password open the repository, are stored in no record, and are removed when the sync ends', async () => {
  const locked = await startGitServer({ password: 'p@ss wörd' })
  const repository = await locked.repository('locked', book)
  const space = await aSyncedSpace(app, repository)
  const withPassword = (password: string) => repository.url.replace('//', `//user:${encodeURIComponent(password)}@`)

  assert.match((await space.import()).error, /requires a user and a password/)
  assert.match((await space.import({ url: withPassword('wrong') })).error, /requires a user and a password/)
  const { state } = await space.import({ url: withPassword('p@ss wörd') })
  assert.equal(state, 'success')
  assert.equal((await space.export({ url: withPassword('p@ss wörd'), force: true })).state, 'success')

  const info = await space.who.get(`${space.path}/git/info`)
  assert.equal(info.body.url, repository.url)
  for (const table of ['git_operations', 'git_syncs', 'revisions', 'changes', 'idempotency']) {
    const rows = await app.db.all(sql`select t::text as row from (select * from ${sql([table] as never)}) t`.asSlow())
    assert.doesNotMatch(JSON.stringify(rows), /p@ss|p%40ss/, table)
  }
  const { count } = await app.db.one(sql<{ count: number }>`
    select count(*) from git_operations where credentials is not null and ended_at is not null`)
  assert.equal(count, 0)
})

test('a missing or too old git, or a full disk, is reported as the reason of a failed sync', async () => {
  const old = join(app.config.dataFolder, 'old-git')
  await writeFile(old, '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 })
  const full = join(app.config.dataFolder, 'git-on-a-full-disk')
  const fails = 'echo "fatal: write error: No space left on device" >&2; exit 128'
  await writeFile(full, `#!/bin/sh\necho git version 2.39.5\n[ "$1" = fetch ] && { ${fails}; }\nexit 0\n`, {
    mode: 0o755,
  })
  for (const [git, told] of [
    ['/nowhere/git', /git is not installed.*LECTERN_GIT/],
    [old, /too old: 2\.31 or newer/],
    [app.config.dataFolder, /git is not installed.*LECTERN_GIT/],
    [full, /server's disk is full/],
  ] as const) {
    const bare = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1', LECTERN_GIT: git })
    const space = await aSyncedSpace(bare, { url: `${server.url}/missing.git` })
    const { state, error } = await space.import()
    assert.equal(state, 'failure')
    assert.match(error, told)
    await bare.stop()
  }
})

test('a missing shell is reported as the reason of a failed sync', async (t) => {
  const repository = await server.repository('no-shell', book)
  const space = await aSyncedSpace(app, repository)
  const { spawn } = childProcess
  const without = (file: string, ...rest: any[]) =>
    Reflect.apply(spawn, null, [file === '/bin/sh' ? '/nowhere/sh' : file, ...rest])
  t.mock.method(childProcess, 'spawn', without as typeof spawn)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const { state, error } = await space.import()
  assert.deepEqual(
    [state, error],
    [
      'failure',
      'git cannot be started on this server: there is no /bin/sh, which sets its limits. Its operator can install a shell.',
    ],
  )
})

test('an operation left behind by a process is completed by the job, even if two runs of the job overlap', async () => {
  const repository = await server.repository('left', book)
  const org = await anOrganization(app)
  const space = await aSpace(org.admin.client, org.id)
  const path = `/v1/spaces/${space.id}`
  await sync(org.admin.client, `${path}/git/import`, { url: repository.url, ref: 'main' })
  await app.db.run(sql`
    update git_operations set state = 'running', ended_at = null, result = null, due_at = now() - interval '1 minute'
    where space_id = ${space.id}`)
  await Promise.all([runGitOperations.run(context), runGitOperations.run(context)])
  const { state, result } = await ended(org.admin.client, path)
  assert.deepEqual([state, result.changes], ['success', 0])
})

test('an operation is claimed for two minutes at a time, extended while it runs, and a node that lost it cannot end it', async (t) => {
  const slow = await startGitServer()
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  slow.answer('/', (_request, response) => {
    asked.resolve()
    void held.promise.then(() => response.writeHead(404).end())
  })
  const space = await aSyncedSpace(app, { url: `${slow.url}/x.git` })
  t.mock.timers.enable({ apis: ['setInterval'] })
  await space.who.post(`${space.path}/git/import`, { url: `${slow.url}/x.git`, ref: 'main' })
  await asked.promise
  const left = async () =>
    (
      await app.db.one(sql<{ seconds: number }>`
        select extract(epoch from due_at - now())::float8 as seconds from git_operations where space_id = ${space.id}`)
    ).seconds
  assert.ok((await left()) <= 120)

  await app.db.run(sql`update git_operations set due_at = now() + interval '5 seconds' where space_id = ${space.id}`)
  t.mock.timers.tick(20_000)
  await until('it is claimed for longer', async () => (await left()) > 60)

  // Another node took over the operation in the meantime, and decides how it ends.
  await app.db.run(sql`update git_operations set attempts = attempts + 1 where space_id = ${space.id}`)
  held.resolve()
  await app.app.git.settled()
  assert.equal((await space.who.get(`${space.path}/git/info`)).body.operation.state, 'running')
  await app.db.run(sql`update git_operations set due_at = now() where space_id = ${space.id}`)
  await runGitOperations.run(context)
  assert.equal((await ended(space.who, space.path)).state, 'failure')
})

test('syncs of a space run one after the other, and more than ten waiting ones are refused with 409', async () => {
  const slow = await startGitServer()
  const held = Promise.withResolvers<void>()
  slow.answer('/', (_request, response) => void held.promise.then(() => response.writeHead(404).end()))
  const space = await aSyncedSpace(app, { url: `${slow.url}/x.git` })
  const ask = () => space.who.post(`${space.path}/git/import`, { url: `${slow.url}/x.git`, ref: 'main' })
  const answers = []
  for (let i = 0; i < 12; i++) answers.push((await ask()).status)
  assert.deepEqual(answers, [...Array.from({ length: 10 }, () => 204), 409, 409])
  const { count } = await app.db.one(sql<{ count: number }>`
    select count(*) from git_operations where space_id = ${space.id} and state = 'running'`)
  assert.ok(count <= 1)
  held.resolve()
  const open = sql<{
    count: number
  }>`select count(*) from git_operations where space_id = ${space.id} and ended_at is null`
  await until('it is over', async () => (await app.db.one(open)).count === 0, 60_000)
})

test('an export of a file with missing bytes fails with an explanation and leaves no process running', async () => {
  const processes = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
  const repository = await server.repository('spoiled', {
    'README.md': '# One\n\n[raw](data.csv)\n',
    'data.csv': 'a,b\n',
  })
  const space = await aSyncedSpace(app, repository)
  assert.equal((await space.import()).result.files, 1)
  await rm(join(filesFolder(app.config), space.org.id), { recursive: true })
  const before = processes()
  const empty = await server.repository('spoiled-to')
  const { state, error } = await space.export({ url: empty.url })
  assert.equal(state, 'failure')
  assert.match(error, /^The bytes of a file are missing/)
  await until('no process of git is left', () => processes() <= before)
})
