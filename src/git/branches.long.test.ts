import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { startGitServer } from '../../test/git-server.ts'
import { type SyncedSpace, aSyncedSpace } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

/** Runs git in a bare repository, to do what no client would do. */
const inBare =
  (bare: string) =>
  (args: string[], input = ''): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.test', '-C', bare, ...args], { input })
      .toString()
      .trim()

async function addPage({ who, path }: SyncedSpace, title: string, into?: string): Promise<void> {
  const changes = [{ operation: 'insert_page', title, document: { markdown: 'New.\n' }, ...(into && { into }) }]
  const { status, text } = await who.post(`${path}/content`, { changes })
  assert.equal(status, 200, text)
}

/** A hook that makes somebody else faster, once: the branch moves while a push is being received. */
const overtake = `#!/bin/sh
[ -e overtaken ] && exit 0
touch overtaken
made=$(env -i PATH="$PATH" git -c user.name=x -c user.email=x@x.test -C "$PWD" commit-tree -p main -m Theirs 'main^{tree}')
env -i PATH="$PATH" git -C "$PWD" update-ref refs/heads/main "$made"
`

test('an export that is overtaken by another commit is put on top of that commit', async () => {
  const repository = await server.repository('overtaken', { 'README.md': '# One\n' })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  await addPage(space, 'Two')
  await writeFile(join(repository.bare, 'hooks', 'pre-receive'), overtake, { mode: 0o755 })
  const { state, error } = await space.export()
  assert.deepEqual([state, error], ['success', undefined])
  assert.deepEqual(
    (await repository.log()).map((line) => line.replace(/.*: /, '')),
    ['From Lectern', 'Theirs', 'First'],
  )
  assert.deepEqual(Object.keys(await repository.files()).toSorted(), ['README.md', 'two.md'])
})

test('an export to a deleted branch fails with an explanation, and creates the branch again if forced', async () => {
  const repository = await server.repository('gone', { 'README.md': '# One\n', 'two.md': '# Two\n' })
  const space = await aSyncedSpace(app, repository)
  await space.import()
  execFileSync('git', ['-C', repository.bare, 'update-ref', '-d', 'refs/heads/main'])
  const { state, error } = await space.export()
  assert.deepEqual(
    [state, error],
    ['failure', 'The branch main no longer exists in the repository. Export with force to create it again.'],
  )
  assert.equal((await space.export({ force: true })).state, 'success')
  assert.deepEqual(Object.keys(await repository.files()), ['README.md', 'two.md'])
})

test('an export does not replace a submodule, a link or a file by a page, unless forced', async () => {
  const repository = await server.repository('in-the-way', {
    'README.md': '# One\n',
    plain: 'No page\n',
    'folder.md/x': 'No page\n',
  })
  const git = inBare(repository.bare)
  const link = `120000 blob ${git(['hash-object', '-w', '--stdin'], 'README.md')}\tlink.md`
  const sub = `160000 commit ${git(['rev-parse', 'main'])}\tsub`
  const tree = git(['mktree', '--missing'], `${git(['ls-tree', 'main'])}\n${link}\n${sub}\n`)
  git(['update-ref', 'refs/heads/main', git(['commit-tree', '-p', 'main', '-m', 'Link', tree])])

  for (const { title, below, at } of [
    { title: 'Link', below: [], at: 'link.md' },
    { title: 'Folder', below: [], at: 'folder.md' },
    { title: 'Sub', below: ['Two'], at: 'sub' },
    { title: 'Plain', below: ['Two'], at: 'plain' },
  ]) {
    const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
    await space.import()
    await addPage(space, title)
    const above = (await space.pages()).get(title).id
    for (const each of below) await addPage(space, each, above)
    const before = git(['ls-tree', '-r', 'main'])
    const { state, error } = await space.export()
    assert.deepEqual(
      [state, error?.startsWith(`The repository has something else at ${at}: `)],
      ['failure', true],
      error,
    )
    assert.equal(git(['ls-tree', '-r', 'main']), before)
    if (title === 'Plain') assert.equal((await space.export({ force: true })).state, 'success')
  }
  assert.match(git(['ls-tree', '-r', 'main']), /plain\/README\.md/)
})

test('a table of contents that is a symbolic link is neither read nor overwritten, and the message says what to do', async () => {
  const repository = await server.repository('linked', { 'README.md': '# One\n', 'a.md': '# A\n', 'b.md': '# B\n' })
  const git = inBare(repository.bare)
  const blob = git(['hash-object', '-w', '--stdin'], 'elsewhere.md')
  const links = ['SUMMARY.md', '.gitbook.yaml'].map((name) => `120000 blob ${blob}\t${name}\n`).join('')
  const tree = git(['mktree'], `${git(['ls-tree', 'main'])}\n${links}`)
  git(['update-ref', 'refs/heads/main', git(['commit-tree', '-p', 'main', '-m', 'Link', tree])])

  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  assert.deepEqual((await space.import()).result.problems, [
    {
      path: '.gitbook.yaml',
      message: 'is a symbolic link, which is not followed: it is treated as empty. Put the file itself there',
    },
    {
      path: 'SUMMARY.md',
      message:
        'is a symbolic link, which is not followed: the folders are the table of contents instead. Put the file itself ' +
        'there, or set it as structure.summary in .gitbook.yaml',
    },
  ])
  await addPage(space, 'Below', (await space.pages()).get('a.md').id)
  const { state, error } = await space.export()
  assert.deepEqual(
    [state, error],
    [
      'failure',
      'The repository has something else at SUMMARY.md: a submodule, a link, a file or a folder. SUMMARY.md is to be ' +
        'written, so replace it there by a plain file or folder, or export with force.',
    ],
  )
})

test('an export creates a missing project folder, but not in place of a submodule, a link or a file, unless forced', async () => {
  const repository = await server.repository('no-folder', { 'README.md': '# One\n', plain: 'No folder\n' })
  const git = inBare(repository.bare)
  const link = `120000 blob ${git(['hash-object', '-w', '--stdin'], 'elsewhere')}\tlink`
  const sub = `160000 commit ${git(['rev-parse', 'main'])}\tsub`
  const tree = git(['mktree', '--missing'], `${git(['ls-tree', 'main'])}\n${link}\n${sub}\n`)
  git(['update-ref', 'refs/heads/main', git(['commit-tree', '-p', 'main', '-m', 'Link', tree])])
  const before = git(['ls-tree', '-r', 'main'])

  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', empty: true } })
  await addPage(space, 'Two')
  for (const [folder, at] of [
    ['plain', 'plain'],
    ['link', 'link'],
    ['sub', 'sub'],
    ['link/docs', 'link'],
    ['sub/a/b', 'sub'],
  ] as const) {
    const { state, error } = await space.export({ repoProjectDirectory: folder })
    assert.deepEqual(
      [state, error?.startsWith(`The repository has something else at ${at}: `)],
      ['failure', true],
      `${folder}: ${error}`,
    )
  }
  assert.equal(git(['ls-tree', '-r', 'main']), before)
  for (const more of [{ repoProjectDirectory: 'new/docs' }, { repoProjectDirectory: 'plain', force: true }])
    assert.equal((await space.export(more)).state, 'success')
  const after = git(['ls-tree', '-r', '--name-only', 'main'])
  assert.deepEqual(
    ['new/docs/README.md', 'plain/README.md', 'link', 'sub'].filter((path) => !after.split('\n').includes(path)),
    [],
    after,
  )
})

test('an export to a folder with too many files to list is refused, not treated as one to an empty folder', async () => {
  const repository = await server.repository('very-many', { 'README.md': '# One\n' })
  const git = inBare(repository.bare)
  const names = Array.from({ length: 400 }, (_, i) => `x${i}`)
  const blob = git(['hash-object', '-w', '--stdin'], 'Theirs\n')
  const many = git(['mktree'], names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''))
  const docs = git(
    ['mktree'],
    `100644 blob ${blob}\tREADME.md\n${names.map((name) => `040000 tree ${many}\t${name}\n`).join('')}`,
  )
  const tree = git(['mktree'], `040000 tree ${docs}\tdocs\n`)
  git(['update-ref', 'refs/heads/main', git(['commit-tree', '-p', 'main', '-m', 'Many', tree])])

  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', empty: true } })
  await addPage(space, 'Two')
  const { state, error } = await space.export({ repoProjectDirectory: 'docs' })
  assert.deepEqual([state, error?.includes('more than 100000 files')], ['failure', true], error)
  assert.equal(git(['show', 'main:docs/README.md']), 'Theirs')
})

test('a file too large to keep does not prevent keeping the others, and a new page takes no name of theirs', async () => {
  const repository = await server.repository('much-else', {
    'README.md': '# One\n',
    'SUMMARY.md': '* [One](README.md)\n',
    'archive.bin': Buffer.alloc(33 * 1024 ** 2),
    LICENSE: 'Do what you want\n',
    'two.md': 'A draft\n',
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  const { result } = await space.import()
  assert.deepEqual(result.problems, [
    { path: 'archive.bin', message: 'is a file of the repository that is not kept here: there is too much' },
  ])
  await addPage(space, 'Two')
  const { state, error } = await space.export()
  assert.deepEqual([state, error], ['success', undefined])
  const { 'archive.bin': _, ...files } = await repository.files()
  assert.deepEqual(Object.keys(files).toSorted(), ['LICENSE', 'README.md', 'SUMMARY.md', 'two-1.md', 'two.md'])
  assert.equal(files['two.md'], 'A draft\n')
})

test('a new page never takes the name of a file too large to keep, even if forced, but may in another repository', async () => {
  const repository = await server.repository('not-kept', {
    'README.md': '# One\n',
    'SUMMARY.md': '* [One](README.md)\n',
    'two.md': Buffer.alloc(33 * 1024 ** 2, 'x'),
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  const { result } = await space.import()
  assert.deepEqual(
    result.problems.map(({ path }: any) => path),
    ['two.md'],
  )
  const before = inBare(repository.bare)(['rev-parse', 'main:two.md'])
  const names = () => inBare(repository.bare)(['ls-tree', '--name-only', 'main']).split('\n')
  await addPage(space, 'Two')
  const { state, error } = await space.export()
  assert.deepEqual([state, error], ['success', undefined])
  assert.deepEqual(names(), ['README.md', 'SUMMARY.md', 'two-1.md', 'two.md'])
  assert.equal((await space.import()).result.changes, 0)
  assert.equal((await space.export({ force: true })).state, 'success')
  assert.equal(inBare(repository.bare)(['rev-parse', 'main:two.md']), before)

  // In another repository, other names are taken.
  const other = await server.repository('not-kept-there')
  assert.equal((await space.export({ url: other.url })).state, 'success')
  const pages = await space.pages()
  const changes = [{ operation: 'delete_page', page: pages.get('two-1.md').id }]
  assert.equal((await space.who.post(`${space.path}/content`, { changes })).status, 200)
  await space.export({ url: other.url })
  await addPage(space, 'Two')
  assert.equal((await space.export({ url: other.url })).state, 'success')
  assert.deepEqual(Object.keys(await other.files()), ['README.md', 'SUMMARY.md', 'two.md'])
})

test('files that differ only in case are kept, and a page whose file name changes case keeps its id', async () => {
  const repository = await server.repository('case', {
    'README.md': '# One\n\n[a](notes.md) [b](Notes.md)\n',
    'notes.md': '# Small\n',
    'Notes.md': '# Large\n',
    'guide.md': '# Guide\n\nWords to know it by.\n',
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  const exported = await space.export()
  assert.deepEqual([exported.state, exported.result.written, exported.result.removed], ['success', 0, 0])
  const before = (await space.pages()).get('guide.md').id
  await repository.move('guide.md', 'later.md')
  await repository.move('later.md', 'Guide.md')
  await space.import()
  assert.equal((await space.pages()).get('Guide.md').id, before)

  await addPage(space, 'guide')
  await space.export()
  assert.ok('guide-1.md' in (await repository.files()), 'what is new is a file on all systems')
})

test('pages get file names that every system can write, whatever the length of their titles and their depth', async () => {
  const contents = '* [One](README.md)\n* [Odd](.git.md)\n'
  const repository = await server.repository('long', {
    'README.md': '# One\n',
    'SUMMARY.md': contents,
    '.git.md': '# Odd\n',
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  await addPage(space, 'Below', (await space.pages()).get('.git.md').id)
  for (let level = 0, into; level < 6; level++) {
    const title = `${'\u9577\u3044'.repeat(60)} ${level}`
    await addPage(space, title, into)
    into = (await space.pages()).get(title).id
  }
  const { state, error } = await space.export()
  assert.deepEqual([state, error], ['success', undefined])
  const paths = Object.keys(await repository.files())
  assert.equal(paths.length, 3 + 1 + 6)
  for (const path of paths)
    assert.ok(Buffer.byteLength(path) <= 1_000 && path.split('/').every((name) => Buffer.byteLength(name) <= 255), path)
  assert.equal((await space.import()).result.changes, 0, 'what was written is what is here')

  const other = await aSyncedSpace(app, repository)
  await other.import()
  assert.equal(await other.outline(), await space.outline())
})

test('executable files stay executable after an export that changes them', async () => {
  const contents = '* [One](README.md)\n* [Two](two.md)\n'
  const repository = await server.repository('executable', {
    'README.md': '# One\n',
    'SUMMARY.md': contents,
    'two.md': '# Two\n',
  })
  const git = inBare(repository.bare)
  const tree = git(['mktree'], `${git(['ls-tree', 'main']).replace(/100644(?=.*(?:SUMMARY|two)\.md)/g, '100755')}\n`)
  git(['update-ref', 'refs/heads/main', git(['commit-tree', '-p', 'main', '-m', 'From Windows', tree])])
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  const page = (await space.pages()).get('two.md').id
  const changes = [{ operation: 'update_page', page, document: { markdown: 'Changed.\n' } }]
  assert.equal((await space.who.post(`${space.path}/content`, { changes })).status, 200)
  await addPage(space, 'New')
  assert.equal((await space.export()).result.written, 3)
  const modes = git(['ls-tree', 'main']).matchAll(/^(\d+).*\t(.*)$/gm)
  assert.deepEqual(Object.fromEntries(Array.from(modes, ([, mode, path]) => [path, mode])), {
    'README.md': '100644',
    'SUMMARY.md': '100755',
    'new.md': '100644',
    'two.md': '100755',
  })
})

test('a page that is not valid UTF-8 is imported as far as possible, reported, and exported unchanged', async () => {
  const files = { 'README.md': '# One\n', 'old.md': Buffer.from('# Old\n\ncaf\xe9\n', 'latin1') }
  const repository = await server.repository('latin', files)
  const space = await aSyncedSpace(app, repository)
  const { state, result } = await space.import()
  assert.equal(state, 'success')
  assert.deepEqual(result.problems, [
    { path: 'old.md', message: 'is not all UTF-8 text: what cannot be read is shown as \uFFFD. Save it as UTF-8' },
  ])
  assert.equal((await space.export()).result.written, 0)
  assert.deepEqual((await space.import()).result.problems, result.problems, 'as long as it is so')
})

test('a repository without its configured root folder does not empty the space', async () => {
  const repository = await server.repository('rootless', {
    '.gitbook.yaml': 'root: ./docs/\n',
    'docs/README.md': '# One\n',
  })
  const space = await aSyncedSpace(app, repository)
  await space.import()
  await repository.commit({ '.gitbook.yaml': 'root: ./doc/\n' })
  const { state, error } = await space.import()
  assert.deepEqual(
    [state, error],
    ['failure', 'There is no folder doc in the repository, but .gitbook.yaml names it as the root.'],
  )
  assert.equal(await space.outline(), 'One/one')
})
