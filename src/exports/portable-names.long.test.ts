// What is exported can be stored on every system, and comes back with the names that it had.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace } from '../../test/editing.ts'
import { expect } from '../../test/visitor.ts'
import { startGitServer } from '../../test/git-server.ts'
import { sync } from '../git/testing/syncing.ts'
import { putSpec } from '../openapi/testing/specs.ts'
import { Archive } from './open-archive.ts'
import { archivesOf } from './testing/archives.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const { download, restore } = await archivesOf(app)
const server = await startGitServer()

const fileNames = [
  'a:b.txt',
  'a?b.txt',
  '<x>|"*".txt',
  'CON',
  'nul.txt',
  'Com1 .tar.gz',
  'end. . ',
  '?',
  'plain (1).txt',
]
const slugs = ['first', 'a:b', 'aux', 'v1.', '"x"', 'plain']

async function aSpaceWithOddNames() {
  const space = await aLiveSpace(app)
  const file = (name: string) => ({ name, contentType: 'text/plain', base64: Buffer.from(name).toString('base64') })
  const { insertedFiles } = expect(await space.edit({ operation: 'insert_files', files: fileNames.map(file) }), 200)
  const links = insertedFiles.map(({ id }: { id: string }, at: number) => `[${at}](/files/${id})`).join(' ')
  const page = (slug: string, more: object = {}) => ({
    operation: 'insert_page',
    ref: `page-${slugs.indexOf(slug)}`,
    document: { markdown: `# Page\n\n${links}\n` },
    metadata: { slug },
    ...more,
  })
  expect(
    await space.edit(
      ...slugs.map((slug) => page(slug)),
      page('below', { ref: 'below', into: `page-${slugs.indexOf('v1.')}` }),
    ),
    200,
  )
  expect(
    await space.edit({ operation: 'insert_reusable_content', title: 'CON', document: { markdown: 'Text\n' } }),
    200,
  )
  return space
}

/** Windows has no files with other names. */
function assertPortable(paths: readonly string[]): void {
  for (const path of paths) {
    for (const step of path.split('/')) {
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(step, /[<>:"|?*\\\u0000-\u001f]|[. ]$/, path)
      assert.doesNotMatch(step, /^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i, path)
    }
  }
  assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, paths.length)
}

/** The names of files with their text, and the paths of pages with what they link to. */
async function namesOf({ who }: Pick<EditedSpace, 'who'>, path: string) {
  const { pages, files } = (await who.get(`${path}/content`)).body
  const flat = (list: any[]): any[] => list.flatMap((page) => [page, ...flat(page.pages ?? [])])
  const links = async ({ id, path: at }: any) => {
    const { items } = (await who.get(`${path}/content/page/${id}/links`)).body
    return [at, items.map(({ status, targetReference }: any) => [status, targetReference.file?.name])]
  }
  return {
    files: await Promise.all(
      files.map(async ({ name, downloadURL }: any) => [name, await (await fetch(reached(downloadURL))).text()]),
    ),
    pages: await Promise.all(flat(pages).map(links)),
  }
}

const reached = (address: string) => address.replace('http://lectern.test', app.url)

test('an archive unpacks on every system, and restores files and pages with their own names', async () => {
  const space = await aSpaceWithOddNames()
  const { org, who } = space
  const before = await namesOf(space, space.path)
  assert.deepEqual(before.files.map(([name]) => name).toSorted(), fileNames.toSorted())
  await putSpec(who, org.id, 'con', { text: JSON.stringify({ openapi: '3.1.0', info: {}, paths: {} }) })
  const spec = (await who.get(`/v1/orgs/${org.id}/openapi/con`)).body

  const whole = await download(who, `/v1/orgs/${org.id}/export`)
  for (const path of [await download(who, `${space.path}/export`), whole]) {
    const archive = await Archive.open(path, 'space', 'organization')
    assertPortable(archive.paths())
    archive.close()
  }
  await who.delete(space.path)
  await who.delete(`/v1/orgs/${org.id}/openapi/con`)
  const { spaces, problems } = await restore(whole, org.id)
  assert.deepEqual(problems, [])
  assert.deepEqual(await namesOf(space, `/v1/spaces/${spaces[0]!.id}`), before)
  assert.equal((await who.get(`/v1/orgs/${org.id}/openapi/con`)).body.visibility, spec.visibility)
})

test('a repository has names that can be checked out on every system, and files here keep theirs', async () => {
  const repository = await server.repository('odd')
  const space = await aSpaceWithOddNames()
  const body = { url: repository.url, ref: 'refs/heads/main' }
  const before = await namesOf(space, space.path)
  const exported = () => sync(space.who, `${space.path}/git/export`, { ...body, commitMessage: 'Export' })
  const imported = () => sync(space.who, `${space.path}/git/import`, body)
  assert.equal((await exported()).state, 'success')
  const files = await repository.files()
  assertPortable(Object.keys(files))

  const [path] = Object.entries(files).find(([, text]) => String(text) === 'a:b.txt')!
  await repository.commit({ [path]: 'a:b.txt', 'plain.md': String(files['plain.md']).replace('# Page', '# Pages') })
  assert.equal((await imported()).state, 'success')
  assert.deepEqual(await namesOf(space, space.path), before)
  await repository.commit({ [path]: 'other' })
  assert.equal((await imported()).state, 'success')
  assert.deepEqual(
    (await namesOf(space, space.path)).files,
    before.files.map(([name, text]) => [name, name === 'a:b.txt' ? 'other' : text]),
  )
  assert.equal((await exported()).state, 'success')
  assert.deepEqual(Object.keys(await repository.files()), Object.keys(files))
})
