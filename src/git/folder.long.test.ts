import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { lectern, temporaryFolder } from '../../test/process.ts'
import { filesFolder } from '../storage/open.ts'

const app = await startApp()
const environment = { DATABASE_URL: app.databaseUrl, LECTERN_DATA: app.config.dataFolder }
await lectern(['migrate'], environment)

async function run(...args: string[]) {
  const { stdout, stderr, code } = await lectern(args, environment)
  return { code, stderr, result: stdout === '' ? undefined : JSON.parse(stdout) }
}

async function write(folder: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

/** Reads every file of a folder, byte for byte. */
async function read(folder: string): Promise<Record<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  const bytes = await Promise.all(
    files.map(async (file) => [relative(folder, file), (await readFile(file)).toString('base64')]),
  )
  return Object.fromEntries(bytes.toSorted()) as Record<string, string>
}

const book = {
  'README.md': '# Home\n\n![x](images/x.svg) [a](a.md)\n',
  'a.md': '\uFEFFTitle\r\n=====\r\n\r\nWindows\r\n',
  'b/c.md': '---\n# a comment\ntitle:   "C"   # another\n---\nText without an end',
  'b/bad.md': Buffer.from([0x23, 0x20, 0x78, 0x0a, 0x0a, 0xff, 0xfe, 0x00, 0x0a]),
  'images/x.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  'run.sh': '#!/bin/sh\n',
  'notes/.keep': '',
}

async function aFolderInASpace() {
  const folder = await temporaryFolder()
  await write(folder, book)
  await chmod(join(folder, 'run.sh'), 0o755)
  const { admin, id: org } = await anOrganization(app)
  const space = await aSpace(admin.client, org, { editMode: 'live' })
  return { folder, org, who: admin.client, id: space.id as string, path: `/v1/spaces/${space.id}` }
}

test('a folder is imported and exported byte for byte, also after changes, and files changed by others are not removed', async () => {
  const { folder, who, id, path } = await aFolderInASpace()
  const first = await run('import', '--space', id, '--folder', folder, '--json')
  assert.deepEqual([first.code, first.result?.pages, first.result?.files], [2, 5, 1], first.stderr)
  assert.deepEqual(
    first.result.problems.map(({ path }: { path: string }) => path),
    ['b/bad.md'],
  )
  const out = await temporaryFolder()
  const exported = await run('export', '--space', id, '--folder', out, '--json')
  assert.deepEqual([exported.code, exported.result?.written], [0, 7], exported.stderr)
  assert.deepEqual(await read(out), await read(folder))
  assert.equal((await stat(join(out, 'run.sh'))).mode & 0o777, 0o755)

  await write(out, { 'a.md': '# A\n\nOther\n', 'd.md': '# D\n' })
  await rm(join(out, 'b/c.md'))
  assert.equal((await run('import', '--space', id, '--folder', out, '--json')).result.changes, 3)
  const { body } = await who.get(`${path}/content`)
  assert.deepEqual(
    body.pages.map(({ title }: any) => title),
    ['Home', 'A', 'B', 'D'],
  )

  await write(out, { 'b/bad.md': 'Somebody works on it\n', 'theirs.txt': 'x' })
  const [, a] = body.pages
  const bad = body.pages[2].pages[0]
  const gone = [a.id, bad.id].map((page: string) => ({ operation: 'delete_page', page }))
  assert.equal((await who.post(`${path}/content`, { changes: gone })).status, 200)
  const again = await run('export', '--space', id, '--folder', out, '--json')
  assert.equal(again.result.removed, 1, 'what somebody changed is not removed')
  const left = Object.keys(await read(out))
  assert.ok(left.includes('b/bad.md') && left.includes('theirs.txt') && !left.includes('a.md'), String(left))
})

test('an export does not overwrite files that exist or were changed in the folder, unless forced', async () => {
  const { folder, who, id, path } = await aFolderInASpace()
  assert.equal((await run('import', '--space', id, '--folder', folder, '--json')).code, 2)
  const [home, a] = (await who.get(`${path}/content`)).body.pages
  const edit = async (page: string, markdown: string) => {
    const changes = [{ operation: 'update_page', page, document: { markdown } }]
    assert.equal((await who.post(`${path}/content`, { changes })).status, 200)
  }
  await edit(a.id, 'From here')
  const here = await read(folder)
  await write(folder, { 'a.md': '# A\n\nFrom there\n', 'run.sh': '#!/bin/sh\n# theirs\n' })
  const there = await read(folder)
  const refused = await run('export', '--space', id, '--folder', folder, '--json')
  assert.deepEqual([refused.code, await read(folder)], [1, there])
  assert.match(refused.stderr, /^In the folder, a\.md is not as it was last read or written here\. Import/)

  // Files that are not content belong to the folder's owner, even with `--force`.
  const forced = await run('export', '--space', id, '--folder', folder, '--force', '--json')
  assert.deepEqual([forced.code, forced.result?.written], [0, 1], forced.stderr)
  const after = await read(folder)
  assert.deepEqual([after['run.sh'], after['README.md']], [there['run.sh'], here['README.md']])
  assert.match(Buffer.from(after['a.md']!, 'base64').toString(), /From here/)
  await edit(home.id, 'Again')
  assert.equal((await run('export', '--space', id, '--folder', folder, '--json')).result?.written, 1)

  // A file that was ours once does not count as the work of somebody else, even if another folder was written since.
  const other = await temporaryFolder()
  for (const [to, markdown] of [
    [other, 'One'],
    [folder, 'Two'],
    [other, 'Three'],
  ] as const) {
    // prettier-ignore
    await edit(home.id, markdown)
    assert.equal((await run('export', '--space', id, '--folder', to, '--json')).code, 0)
  }

  const theirs = await temporaryFolder()
  await write(theirs, { 'README.md': '# My notes\n', 'a.md': '# Mine\n', LICENSE: 'x' })
  const before = await read(theirs)
  const first = await run('export', '--space', id, '--folder', theirs, '--json')
  assert.match(first.stderr, /^In the folder, README\.md and 1 other file are not as they were/)
  assert.deepEqual(await read(theirs), before)
})

test('a page in an executable file is exported to the folder as an executable file', async () => {
  const { folder, who, id, path } = await aFolderInASpace()
  await chmod(join(folder, 'a.md'), 0o755)
  await run('import', '--space', id, '--folder', folder, '--json')
  const { pages } = (await who.get(`${path}/content`)).body
  const changes = [{ operation: 'update_page', page: pages[1].id, document: { markdown: 'Changed.\n' } }]
  assert.equal((await who.post(`${path}/content`, { changes })).status, 200)
  const { result } = await run('export', '--space', id, '--folder', folder, '--json')
  assert.equal(result.written, 1)
  assert.match(await readFile(join(folder, 'a.md'), 'utf8'), /Changed/)
  assert.equal((await stat(join(folder, 'a.md'))).mode & 0o777, 0o755)
})

test('symbolic links in a folder are not followed or written through, and invalid calls change nothing', async () => {
  const { folder, org, id } = await aFolderInASpace()
  const outside = await temporaryFolder()
  await write(outside, { 'secret.md': '# Secret\n' })
  await symlink(join(outside, 'secret.md'), join(folder, 'secret.md'))
  await symlink(outside, join(folder, 'linked'))
  const { result } = await run('import', '--space', id, '--folder', folder, '--json')
  assert.deepEqual(
    result.problems.map(({ path }: { path: string }) => path),
    ['linked', 'secret.md', 'b/bad.md'],
  )
  const out = await temporaryFolder()
  await symlink(outside, join(out, 'b'))
  const refused = await run('export', '--space', id, '--folder', out, '--json')
  assert.match(refused.stderr, /is in the way/)
  assert.deepEqual(Object.keys(await read(outside)), ['secret.md'])

  assert.match(
    (await run('import', '--space', id, '--folder', join(out, 'nowhere'))).stderr,
    /^The folder .* cannot be read/,
  )
  assert.match((await run('import', '--space', 'x', '--folder', out)).stderr, /There is no space x/)
  assert.match((await run('export', '--space', id)).stderr, /^Specify the target: --folder/)
  const within = await run('export', '--space', id, '--folder', join(outside, 'secret.md/b'))
  assert.match(
    within.stderr,
    /^The folder .*secret\.md\/b cannot be written: a part of its path is not a folder \(ENOTDIR\)/,
  )
  await rm(join(filesFolder(app.config), org), { recursive: true })
  assert.match((await run('export', '--space', id, '--folder', outside)).stderr, /^The bytes of a file are missing/)
})

test('the exit code of an import tells complete, partial and failed apart', async () => {
  const { folder, id } = await aFolderInASpace()
  await rm(join(folder, 'b/bad.md'))
  assert.equal((await run('import', '--space', id, '--folder', folder, '--json')).code, 0)

  await write(folder, { 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n* [Gone](gone.md)\n' })
  const partly = await run('import', '--space', id, '--folder', folder, '--json')
  assert.deepEqual([partly.code, partly.result?.pages, partly.result?.problems.length], [2, 2, 1], partly.stderr)
  const told = await lectern(['import', '--space', id, '--folder', folder], environment)
  assert.deepEqual([told.code, /SUMMARY\.md: lists gone\.md/.test(told.stderr)], [2, true], told.stderr)

  const refused = await run('import', '--space', id, '--folder', join(folder, 'nowhere'), '--json')
  assert.deepEqual([refused.code, refused.result], [1, undefined])
})

test('file names in decomposed Unicode are found by links in composed form, and are exported unchanged', async () => {
  const folder = await temporaryFolder()
  const apart = (path: string) => path.normalize('NFD')
  await write(folder, {
    'SUMMARY.md':
      '# Inhalt\n\n* [Start](README.md)\n* [Übersicht](Übersicht.md)\n* [手引き](ガイド/README.md)\n  * [P](ガイド/ページ.md)\n',
    'README.md': '# Start\n\n[a](Übersicht.md) [b](%E3%82%AC%E3%82%A4%E3%83%89/) ![](Größe.png?raw=true)\n',
    [apart('Übersicht.md')]: '# Übersicht\n',
    [apart('ガイド/README.md')]: '# 手引き\n',
    [apart('ガイド/ページ.md')]: '# P\n\n[c](../Übersicht.md)\n',
    [apart('Größe.png')]: Buffer.from('iVBORw0KGgo=', 'base64'),
  })
  const { admin, id: org } = await anOrganization(app)
  const { id } = await aSpace(admin.client, org, { editMode: 'live' })
  const came = await run('import', '--space', id, '--folder', folder, '--json')
  assert.deepEqual([came.code, came.result?.pages, came.result?.files], [0, 4, 1], came.stderr)
  const { body } = await admin.client.get(`/v1/spaces/${id}/links`)
  assert.deepEqual(
    body.items.map(({ status }: any) => status),
    Array(4).fill('ok'),
  )
  const out = await temporaryFolder()
  assert.equal((await run('export', '--space', id, '--folder', out, '--json')).code, 0)
  assert.deepEqual(await read(out), await read(folder))
})
