// A repository that contains far more than the project: everything else in it stays as it is.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestRepository, startGitServer } from '../../test/git-server.ts'
import { packThatLacks, packThatUnfolds, servePack } from './testing/packs.ts'
import { type SyncedSpace, aSyncedSpace } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1', LECTERN_GIT_LIMIT: '300000' })
const server = await startGitServer()

const picture = randomBytes(50_000)

/** Contains more than may be fetched, besides pages with a picture. */
const monorepo = {
  'program/large.bin': randomBytes(400_000),
  'program/README.md': '# Not ours\n',
  'docs/SUMMARY.md': '* [One](README.md)\n* [Two](guides/two.md)\n',
  'docs/README.md': '# One\n\n![p](.gitbook/assets/p.png) [two](guides/two.md)\n',
  'docs/guides/two.md': '# Two\n',
  'docs/.gitbook/assets/p.png': picture,
  'docs/LICENSE': 'Do what you want\n',
}
const folder = { repoProjectDirectory: 'docs' }

const postsTo = ({ url }: TestRepository) => {
  const path = `${new URL(url).pathname}/git-upload-pack`
  return server.requests.filter((request) => request.path === path).length
}

async function addPage({ who, path }: SyncedSpace, title: string): Promise<void> {
  const changes = [{ operation: 'insert_page', title, document: { markdown: 'New.\n' } }]
  assert.equal((await who.post(`${path}/content`, { changes })).status, 200)
}

test('only the named folder of a too large repository is fetched and written', async () => {
  const repository = await server.repository('mono', monorepo)
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  const tooLarge = 'The repository is too large: at most 0 MiB are fetched. Specify the folder that contains the pages.'
  assert.equal((await space.import()).error, tooLarge)

  const from = postsTo(repository)
  const imported = await space.import(folder)
  assert.deepEqual([imported.state, imported.error], ['success', undefined])
  assert.deepEqual([imported.result.pages, imported.result.files, imported.result.problems], [2, 1, []])
  assert.equal(await space.outline(), 'One/one, Two/two')
  assert.ok(postsTo(repository) - from <= 4, 'not one request for each file')

  await addPage(space, 'Three')
  const exported = await space.export(folder)
  assert.deepEqual([exported.state, exported.error], ['success', undefined])
  assert.deepEqual([exported.result.written, exported.result.removed], [2, 0])
  execFileSync('git', ['-C', repository.bare, 'fsck', '--strict'])
  const files = await repository.files()
  assert.deepEqual(Object.keys(files).toSorted(), [...Object.keys(monorepo), 'docs/three.md'].toSorted())
  assert.equal(files['program/README.md'], '# Not ours\n')

  await repository.commit({ 'docs/guides/two.md': '# Two\n\nMore.\n', 'program/more.bin': randomBytes(400_000) })
  assert.equal((await space.import(folder)).state, 'success')
  assert.match(await space.markdown((await space.pages()).get('guides/two.md').id), /More/)
})

test('a file too large to import stays in the repository after an export, and is reported', async () => {
  const large = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1', LECTERN_GIT_LIMIT: '10000000' })
  const repository = await server.repository('film', {
    'README.md': '# One\n\n[film](film.mp4)\n',
    'film.mp4': randomBytes(34 * 1024 ** 2),
    'notes.md': `# Notes\n\n${'many words '.repeat(4 * 1024 ** 2)}\n`,
  })
  const space = await aSyncedSpace(large, repository, { space: { editMode: 'live' } })
  const { state, error, result } = await space.import()
  assert.deepEqual([state, error], ['success', undefined])
  assert.deepEqual(result.problems.map(({ path, message }: any) => `${path} ${message}`).toSorted(), [
    'film.mp4 and 1 other file of the repository are not kept here: there is too much',
    'film.mp4 is too large for a file: at most 26214400 bytes',
    'notes.md is too large for a page: at most 1048576 bytes',
  ])
  await addPage(space, 'Two')
  assert.equal((await space.export()).state, 'success')
  const names = execFileSync('git', ['-C', repository.bare, 'ls-tree', '-r', '--name-only', 'main']).toString()
  assert.equal(names, 'README.md\nfilm.mp4\nnotes.md\ntwo.md\n')
  await large.stop()
})

test('from a server without partial fetches the whole repository is fetched, and a too large one is refused', async () => {
  const { 'program/large.bin': _, ...small } = monorepo
  const old = await startGitServer({ isOld: true })
  for (const [repository, more] of [
    [await server.repository('no-parts', small, { 'uploadpack.allowFilter': 'false' }), folder],
    [await server.repository('refused-parts', small, { 'uploadpackfilter.allow': 'false' }), folder],
    [await server.repository('refused-limit', small, { 'uploadpackfilter.blob:limit.allow': 'false' }), {}],
    [await old.repository('by-branch', small), folder],
  ] as const) {
    const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
    const { state, error, result } = await space.import(more)
    assert.deepEqual([state, error, result?.files], ['success', undefined, 1], repository.url)
    await addPage(space, 'Three')
    assert.equal((await space.export(more)).state, 'success', repository.url)
    execFileSync('git', ['-C', repository.bare, 'fsck', '--strict'])
  }

  for (const setting of ['uploadpack.allowFilter', 'uploadpackfilter.allow']) {
    const repository = await server.repository(`all-of-it-${setting}`, monorepo, { [setting]: 'false' })
    const space = await aSyncedSpace(app, repository)
    assert.match((await space.import(folder)).error, /too large: .* host cannot send a single folder/, setting)
  }
  const repository = await server.repository('large-folder', {
    'docs/README.md': '# One\n',
    'docs/x': randomBytes(400_000),
  })
  const space = await aSyncedSpace(app, repository)
  assert.match((await space.import(folder)).error, /too large: .* The folder is larger than that/)
})

test('a server that leaves out requested objects is recognized without repeated requests, and one that sends all works', async () => {
  const says = 'filter allow-tip-sha1-in-want allow-reachable-sha1-in-want'
  const lacking = {
    page: packThatLacks('page'),
    tree: packThatLacks('tree'),
    base: packThatLacks('page', { other: true }),
  }
  for (const [name, pack] of Object.entries(lacking)) {
    server.answer(`/lacks-${name}.git`, servePack(pack, { says }))
    const space = await aSyncedSpace(app, { url: `${server.url}/lacks-${name}.git` })
    const from = server.requests.length
    const { state, error } = await space.import()
    assert.deepEqual([state, error], ['failure', 'The repository is incomplete.'], name)
    assert.ok(server.requests.length - from < 10, 'nothing is asked for again and again')
    assert.equal(await space.outline(), 'Untitled/untitled')
  }
  server.answer('/sends-all.git', servePack(packThatUnfolds(50_000_000), { says }))
  const space = await aSyncedSpace(app, { url: `${server.url}/sends-all.git` })
  assert.equal((await space.import()).state, 'success')
})

test('only git fetch and push may connect to the network, and only fetch may get missing objects', async () => {
  const log = join(app.config.dataFolder, 'calls.log')
  const program = join(app.config.dataFolder, 'noting-git')
  const note = `echo "$1 $GIT_NO_LAZY_FETCH $(env | grep -o 'protocol.http.allow\\|promisor$' | sort | tr '\\n' ' ')" >> ${log}`
  await writeFile(program, `#!/bin/sh\n${note}\nexec git "$@"\n`, { mode: 0o755 })
  const noting = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1', LECTERN_GIT: program })
  const space = await aSyncedSpace(noting, await server.repository('noted', monorepo), { space: { editMode: 'live' } })
  assert.equal((await space.import(folder)).state, 'success')
  await addPage(space, 'Three')
  assert.equal((await space.export(folder)).state, 'success')
  const calls = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '')
  for (const call of calls) {
    const out = call.startsWith('fetch ') ? ' promisor protocol.http.allow ' : ' protocol.http.allow '
    assert.equal(call.replace(/^\S+/, ''), ` 1${/^(fetch|push) /.test(call) ? out : ' '}`, call)
  }
  assert.ok(
    calls.some((call) => call.startsWith('cat-file')) && calls.some((call) => call.startsWith('push')),
    calls.join(),
  )
  await noting.stop()
})
