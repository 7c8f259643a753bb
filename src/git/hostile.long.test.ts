import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestRepository, startGitServer } from '../../test/git-server.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { packThatUnfolds, servePack } from './testing/packs.ts'
import { aSyncedSpace, sync } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

const git = ({ bare }: TestRepository, args: string[], input = '') =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.test', '-C', bare, ...args], { input })
    .toString()
    .trim()

/** A branch made of objects that no proper client would make. */
function branchOf(repository: TestRepository, tree: string): void {
  git(repository, ['update-ref', 'refs/heads/main', git(repository, ['commit-tree', tree, '-m', 'Made by hand'])])
}

test('symbolic links, submodules, LFS pointers, too large pages and invalid variables are left out and reported', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n'
  const repository = await server.repository('odd', {
    'README.md': '# One\n\n![big](.gitbook/assets/big.png) [s](sub) [l](link.md) [p](pointer.md)\n',
    'pointer.md': pointer,
    'other-pointer.md': pointer,
    'huge.md': `# Huge\n\n${'x'.repeat(1_100_000)}\n`,
    '.gitbook/assets/big.png': pointer,
    '.gitbook/vars.yaml': `a: &a [x,x]\nb: &b [*a,*a]\n${'c: 1\n'.repeat(2)}`,
  })
  const blob = git(repository, ['hash-object', '-w', '--stdin'], '../../../../etc/passwd')
  const tree = git(repository, ['ls-tree', 'main'])
  const commit = git(repository, ['rev-parse', 'main'])
  const lines = [...tree.split('\n'), `120000 blob ${blob}\tlink.md`, `160000 commit ${commit}\tsub`]
  branchOf(repository, git(repository, ['mktree', '--missing'], `${lines.join('\n')}\n`))

  const space = await aSyncedSpace(app, repository)
  const { state, error, result } = await space.import()
  assert.deepEqual([state, error], ['success', undefined])
  assert.equal(await space.outline(), 'One/one')
  assert.deepEqual(result.problems.map(({ path, message }: any) => `${path} ${message}`).toSorted(), [
    '.gitbook/assets/big.png is stored in Git LFS, which is not supported',
    '.gitbook/vars.yaml is not valid YAML: there are no variables',
    'huge.md is too large for a page: at most 1048576 bytes',
    'link.md is a symbolic link, which is not followed',
    'other-pointer.md is stored in Git LFS, which is not supported',
    'pointer.md is stored in Git LFS, which is not supported',
    'sub is a submodule, which is not read',
  ])
  const before = await repository.log()
  assert.equal((await space.export()).result.written, 0)
  assert.deepEqual(await repository.log(), before)
})

test('where all Markdown is in Git LFS, nothing is made of a pointer: no entry of the contents, no piece, no variable', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n'
  const files = {
    'README.md': '# One\n\n{% include ".gitbook/includes/piece.md" %}\n\n{% include "other.md" %}\n',
    'SUMMARY.md': pointer,
    'other.md': pointer,
    '.gitbook/includes/piece.md': pointer,
    '.gitbook/vars.yaml': pointer,
  }
  const repository = await server.repository('pointers', files)
  const space = await aSyncedSpace(app, repository)
  const { result } = await space.import()
  assert.deepEqual([await space.outline(), result.reusableContents], ['One/one', 0])
  const unread = 'is stored in Git LFS, which is not supported'
  assert.deepEqual(result.problems.map(({ path, message }: any) => `${path} ${message}`).toSorted(), [
    `.gitbook/includes/piece.md ${unread}`,
    `.gitbook/vars.yaml ${unread}: there are no variables`,
    `SUMMARY.md ${unread}: the folders are the table of contents instead`,
    `other.md ${unread}`,
  ])
  assert.equal((await space.export()).result.written, 0)
  assert.deepEqual(await repository.files(), files)
})

test('a repository that expands to an enormous number of files is refused, and the server keeps working', async () => {
  const repository = await server.repository('bomb', { 'README.md': '# One\n' })
  let line = `100644 blob ${git(repository, ['hash-object', '-w', '--stdin'], 'x')}`
  for (let depth = 0; depth < 10; depth++) {
    const entries = Array.from({ length: 10 }, (_, i) => `${line}\tf${i}.md`).join('\n')
    line = `040000 tree ${git(repository, ['mktree'], `${entries}\n`)}`
  }
  branchOf(repository, line.split(' ')[2]!)
  const space = await aSyncedSpace(app, repository)
  const { state, error } = await space.import()
  assert.deepEqual([state, error], ['failure', 'The repository is too large.'])
  assert.equal((await space.who.get(space.path)).status, 200)
})

test('a small pack that expands beyond the memory limit of an import is refused', async () => {
  const url = `${server.url}/unfolding.git`
  server.answer('/unfolding.git', servePack(packThatUnfolds(1_500_000_000)))
  const space = await aSyncedSpace(app, { url })
  const { state, error } = await space.import()
  assert.deepEqual([state, error], ['failure', 'The repository is too large.'])

  server.answer('/unfolding.git', servePack(packThatUnfolds(50_000_000)))
  assert.equal((await space.import()).state, 'success')
})

test('texts of a repository are never cut within a character', async () => {
  const long = (count: number) => `${'x'.repeat(count)}😀`
  const repository = await server.repository('long', {
    'README.md': '# One\n',
    '.gitbook.yaml': `redirects:\n  "${long(199)}": nowhere.md\n  a: "https://x/${long(190)}"\n  "${long(199)}.": ../../x\n`,
    '.gitbook/vars.yaml': `${long(79)}: y\n`,
  })
  await repository.commit({ 'two.md': '# Two\n' }, long(1_999))
  const space = await aSyncedSpace(app, repository)
  const { state, error, result } = await space.import()
  assert.deepEqual([state, error], ['success', undefined])
  const { git: noted } = expect(await space.who.get(`${space.path}/content`), 200)
  assert.equal(noted.message, 'x'.repeat(1_999))
  const told: string[] = result.problems.map(({ message }: any) => message)
  assert.equal(told.length, 4)
  for (const message of told) assert.match(message, /x(?= to | is not |, which )/)
})

test('files with odd names, syntax or bytes are imported and exported unchanged', async () => {
  const files = {
    'SUMMARY.md': '* [x](README.md)\n'.repeat(300) + '* '.repeat(3_000),
    'README.md': `---\na: &a [*a]\n---\n${'['.repeat(5_000)}{% hint %}${'{% tabs %}'.repeat(500)}`,
    'nul.md': 'a\0b\n',
    'deep/er/and/deeper/README.md': '# D\n',
    '-rf.md': '# Dash\n',
    '$(id).md': '# Shell\n',
    'sp ace (1) #.md': '# Space\n\n[d](<-rf.md>) [s](sp%20ace%20%281%29%20%23.md)\n',
  }
  const repository = await server.repository('seeming', files)
  const space = await aSyncedSpace(app, repository)
  const { state, error } = await space.import()
  assert.deepEqual([state, error], ['success', undefined])
  const empty = await server.repository('seeming-out')
  assert.equal((await space.export({ url: empty.url })).state, 'success')
  assert.deepEqual(await empty.files(), files)
})

test('pages whose names Markdown reads as something else stay after an export, and so do the links to them', async () => {
  const pages = { 'a&amp;b.md': '# And\n', 'a&#38;b.md': '# Number\n', 'one|two.md': '# Pipe\n' }
  const listed = ['README.md', 'a%26amp;b.md', 'a%26%2338;b.md', 'one%7Ctwo.md'].map((path) => `* [X](${path})\n`)
  const repository = await server.repository('read-otherwise', {
    'SUMMARY.md': listed.join(''),
    'README.md': '# One\n',
    ...pages,
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  const ids = await space.pages()
  const [and, pipe] = ['a&amp;b.md', 'one|two.md'].map((path) => `/pages/${ids.get(path).id}`)
  const markdown = `| A | B |\n| --- | --- |\n| [and](${and}) | [pipe](${pipe}) |\n`
  const changes = [{ operation: 'insert_page', title: 'New', document: { markdown } }]
  expect(await space.who.post(`${space.path}/content`, { changes }), 200)
  const outline = await space.outline()
  assert.equal((await space.export()).result.written, 2)
  const again = await space.import()
  assert.deepEqual([again.result.problems, again.result.changes, await space.outline()], [[], 0, outline])
  assert.match(
    (await repository.files())['new.md'] as string,
    /\| \[and\]\(a%26amp;b\.md\) \| \[pipe\]\(one%7Ctwo\.md\) \|/,
  )
})

test('a table of contents yields no link that a browser would execute, in any spelling', async () => {
  const hrefs = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'mailto:a@example.org',
  ]
  const listed = hrefs.map((href, at) => `* [Link ${at}](${href})\n`).join('')
  const repository = await server.repository('running', {
    'SUMMARY.md': `* [One](README.md)\n${listed}`,
    'README.md': '# One\n',
  })
  const site = await aSite(app)
  const body = { url: repository.url, ref: 'main', force: true }
  assert.equal((await sync(site.who, `${site.space.path}/git/import`, body)).state, 'success')
  const text = await (await fetch(app.url + site.address)).text()
  assert.match(text, /href="mailto:a@example\.org"/)
  assert.doesNotMatch(text, /href="\s*(?:javascript|data:text|vbscript|blob)/i)
})
