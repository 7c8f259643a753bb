// What happens when a branch that a space is kept in sync with is rewritten, renamed, deleted or restored.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { type TestRepository, startGitServer } from '../../../test/git-server.ts'
import { expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { assertSound } from '../../doctor/testing/sound.ts'
import { type SyncedSpace, aSyncedSpace } from '../testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

const book = {
  'SUMMARY.md': '* [One](README.md)\n* [Two](two.md)\n',
  'README.md': '# One\n\nText\n',
  'two.md': '# Two\n\nText\n',
}

let number = 0

async function aFollowingSpace(direction = 'both') {
  const repository = await server.repository(`history-${number++}`, book)
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await follow(space, repository)
  await looks(space)
  if (direction !== 'both') await follow(space, repository, { direction })
  await looks(space)
  return { repository, space }
}

const follow = async ({ who, path }: SyncedSpace, { url }: TestRepository, more: object = {}) =>
  expect(await who.put(`${path}/git/following`, { url, ref: 'main', ...more }), 200)

const told = async ({ who, path }: SyncedSpace) => expect(await who.get(`${path}/git/following`), 200)

/** Makes the space due and does what follows from it, for several rounds. */
async function looks(space: SyncedSpace, rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await app.db.run(sql`
      update git_following set next_look_at = case when space_id = ${space.id} then now() else now() + interval '1 hour' end
      where next_look_at is not null`)
    await app.app.following.look()
    await app.app.git.settled()
  }
}

async function edit(space: SyncedSpace, path: string, markdown: string): Promise<void> {
  const changes = [{ operation: 'update_page', page: (await space.pages()).get(path).id, document: { markdown } }]
  expect(await space.who.post(`${space.path}/content`, { changes }), 200)
}

const textOf = async (space: SyncedSpace, path: string) => space.markdown((await space.pages()).get(path).id)

const inBare = ({ bare }: TestRepository, ...args: string[]) =>
  execFileSync('git', ['-C', bare, ...args])
    .toString()
    .trim()

/** Asserts that the space has no problem and no waiting change request. */
async function assertInStep(space: SyncedSpace): Promise<void> {
  const { state, problem, changeRequest } = await told(space)
  assert.deepEqual([state, problem, changeRequest], ['following', undefined, undefined])
}

/** Pushes arrive, but the client that pushes never gets the answer. */
async function losingAnswers(
  repository: TestRepository,
  during: () => Promise<void>,
  { saying = '' } = {},
): Promise<void> {
  const hook = join(repository.bare, 'hooks', 'post-receive')
  const says = saying === '' ? '' : `echo '${saying}' >&2\nsleep 0.5\n`
  await writeFile(hook, `#!/bin/sh\n${says}kill -9 $(ps -o ppid= -p $PPID) $PPID\n`, { mode: 0o755 })
  await during()
  await rm(hook)
}

async function addPage({ who, path }: SyncedSpace, title: string): Promise<void> {
  const changes = [{ operation: 'insert_page', title, document: { markdown: 'New\n' } }]
  expect(await who.post(`${path}/content`, { changes }), 200)
}

for (const direction of ['both', 'export']) {
  test(`a push that arrived although its answer was lost is recognized as our own: ${direction}`, async () => {
    const { repository, space } = await aFollowingSpace(direction)
    await edit(space, 'two.md', 'Once\n')
    await addPage(space, 'Three')
    await losingAnswers(repository, () => looks(space, 1))
    assert.equal((await told(space)).state, 'failing')
    assert.equal(inBare(repository, 'show', 'main:two.md'), '# Two\n\nOnce')

    await edit(space, 'two.md', 'Twice\n')
    const changes = [{ operation: 'delete_page', page: (await space.pages()).get('three.md').id }]
    expect(await space.who.post(`${space.path}/content`, { changes }), 200)
    await looks(space)
    await assertInStep(space)
    const files = await repository.files()
    assert.deepEqual(
      [Object.keys(files).toSorted(), files['two.md']],
      [Object.keys(book).toSorted(), '# Two\n\nTwice\n'],
    )
    assert.doesNotMatch(String(files['SUMMARY.md']), /Three/)
    assert.equal((await repository.log()).length, 3)
  })

  test(`a push whose answer was lost is recognized even if others pushed on top of it: ${direction}`, async () => {
    const { repository, space } = await aFollowingSpace(direction)
    await addPage(space, 'Three')
    await edit(space, 'two.md', 'Once\n')
    await losingAnswers(repository, () => looks(space, 1))
    for (const text of ['Theirs\n', 'Theirs, too\n']) await repository.commit({ 'program.txt': text })
    await edit(space, 'two.md', 'Twice\n')
    await looks(space)
    await assertInStep(space)
    assert.equal(await space.outline(), 'One/one, Two/two, Three/three')
    assert.equal(inBare(repository, 'show', 'main:two.md'), '# Two\n\nTwice')
    assert.equal(inBare(repository, 'show', 'main:program.txt'), 'Theirs, too')
  })

  test(`a renamed branch or moved repository can be followed at its new place without losing page ids: ${direction}`, async () => {
    const { repository, space } = await aFollowingSpace(direction)
    const ids = [...(await space.pages()).values()].map(({ id }) => id)
    inBare(repository, 'branch', '-m', 'main', 'trunk')
    await edit(space, 'two.md', 'Edited\n')
    await looks(space)
    assert.match((await told(space)).problem.message, /^There is no branch main .* choose another one/)
    await follow(space, repository, { direction, ref: 'trunk' })
    await looks(space)
    await assertInStep(space)
    assert.equal(inBare(repository, 'show', 'trunk:two.md'), '# Two\n\nEdited')

    const moved = await server.repository(`moved-${number++}`)
    inBare(moved, 'fetch', '-q', repository.bare, 'trunk:main')
    await edit(space, 'two.md', 'Elsewhere\n')
    await follow(space, moved, { direction })
    await looks(space)
    await assertInStep(space)
    assert.equal(inBare(moved, 'show', 'main:two.md'), '# Two\n\nElsewhere')
    assert.deepEqual(
      [...(await space.pages()).values()].map(({ id }) => id),
      ids,
    )
  })
}

test('a first push whose answer was lost does not prevent the next export', async () => {
  const repository = await server.repository(`first-${number++}`)
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', empty: true } })
  await addPage(space, 'One')
  await losingAnswers(repository, async () => assert.equal((await space.export()).state, 'failure'))
  await edit(space, 'README.md', 'Edited\n')
  assert.equal((await space.export()).error, undefined)
  assert.equal(inBare(repository, 'show', 'main:README.md'), '# One\n\nEdited')
})

test('a push whose answer was lost is not taken as refused, whatever the host prints', async () => {
  for (const saying of ['Access to the mirror was denied', 'The mirror returned error: 403']) {
    const { repository, space } = await aFollowingSpace()
    await addPage(space, 'Three')
    await losingAnswers(repository, () => looks(space, 1), { saying })
    assert.match((await told(space)).problem.message, /cannot be reached/)
    assert.match(inBare(repository, 'show', 'main:three.md'), /New/)
    await edit(space, 'three.md', 'Edited\n')
    await looks(space)
    await assertInStep(space)
    assert.equal(await space.outline(), 'One/one, Two/two, Three/three')
  }
})

test('a refused push is reported and not remembered as possibly arrived', async () => {
  const { repository, space } = await aFollowingSpace()
  await edit(space, 'two.md', 'Edited\n')
  const hook = join(repository.bare, 'hooks', 'pre-receive')
  await writeFile(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  await looks(space)
  assert.match((await told(space)).problem.message, /^The repository refused the push/)
  const { pushed } = await app.db.one(sql<{ pushed: unknown }>`
    select pushed from git_syncs where space_id = ${space.id}`)
  assert.equal(pushed, null)
  await rm(hook)
  await looks(space)
  await assertInStep(space)
  assert.equal(inBare(repository, 'show', 'main:two.md'), '# Two\n\nEdited')
})

test('a failed export is retried after an edit of the space, but not while the host is down', async () => {
  const { repository, space } = await aFollowingSpace()
  const blob = inBare(repository, 'rev-parse', 'main:two.md')
  const tree = execFileSync('git', ['-C', repository.bare, 'mktree'], {
    input: `${inBare(repository, 'ls-tree', 'main')}\n120000 blob ${blob}\tthree.md\n`,
  })
  const made = inBare(
    repository,
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@x.test',
    'commit-tree',
    '-p',
    'main',
    '-m',
    'Link',
    tree.toString().trim(),
  )
  inBare(repository, 'update-ref', 'refs/heads/main', made)
  await addPage(space, 'Three')
  await looks(space)
  assert.match((await told(space)).problem.message, /something else at three\.md: .* Give the page another address/)

  const pages = await space.pages()
  const page = pages.get('Three').id
  const changes = [{ operation: 'update_page', page, title: 'Third', slug: 'third' }]
  const edited = async () => {
    expect(await space.who.post(`${space.path}/content`, { changes }), 200)
    await app.db.run(
      sql`update revisions set created_at = now() - interval '11 seconds' where organization_id = ${space.org.id}`,
    )
    for (let round = 0; round < 4; round++) {
      await app.app.following.look()
      await app.app.git.settled()
    }
  }
  await edited()
  await assertInStep(space)
  assert.equal(inBare(repository, 'show', 'main:third.md'), '# Third\n\nNew')

  await rename(repository.bare, `${repository.bare}.away`)
  await looks(space, 1)
  const { times } = (await told(space)).problem
  changes[0] = { operation: 'update_page', page, title: 'Fourth', slug: 'fourth' }
  await edited()
  assert.equal((await told(space)).problem.times, times)
  await rename(`${repository.bare}.away`, repository.bare)
  await looks(space)
  await assertInStep(space)
})

test('after a rewrite of history the newest commit counts, and a change request from a removed commit is archived', async () => {
  const { repository, space } = await aFollowingSpace()
  const first = inBare(repository, 'rev-parse', 'main')
  await repository.commit({ 'two.md': '# Two\n\nThere\n' })
  await looks(space)
  assert.match(await textOf(space, 'two.md'), /There/)
  inBare(repository, 'update-ref', 'refs/heads/main', first)
  await repository.commit({ 'README.md': '# One\n\nOther\n' })
  await looks(space)
  await assertInStep(space)
  assert.match(await textOf(space, 'README.md'), /Other/)
  assert.match(await textOf(space, 'two.md'), /Text/)

  const second = inBare(repository, 'rev-parse', 'main')
  await edit(space, 'two.md', 'Here\n')
  await repository.commit({ 'two.md': '# Two\n\nThere\n' })
  await looks(space)
  const { state, changeRequest } = await told(space)
  assert.equal(state, 'waiting')
  inBare(repository, 'update-ref', 'refs/heads/main', second)
  await looks(space)
  await assertInStep(space)
  assert.equal(inBare(repository, 'show', 'main:two.md'), '# Two\n\nHere')
  const { body } = await space.who.get(`${space.path}/change-requests/${changeRequest.id}`)
  assert.equal(body.status, 'archived')
})

test('a deleted branch is not created again, loses no content, and is followed again once it is back', async () => {
  const { repository, space } = await aFollowingSpace()
  const first = inBare(repository, 'rev-parse', 'main')
  inBare(repository, 'update-ref', '-d', 'refs/heads/main')
  await edit(space, 'two.md', 'Meanwhile\n')
  await looks(space)
  assert.match((await told(space)).problem.message, /^There is no branch main/)
  assert.equal(inBare(repository, 'for-each-ref'), '', 'whoever removed it had a reason')
  inBare(repository, 'update-ref', 'refs/heads/main', first)
  await looks(space)
  await assertInStep(space)
  assert.equal(inBare(repository, 'show', 'main:two.md'), '# Two\n\nMeanwhile')
})

test('the invariants of the data hold after all tests of this file', async () => {
  await assertSound(app.db)
})
