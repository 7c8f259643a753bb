import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { startGitServer } from '../../test/git-server.ts'
import { expect } from '../../test/visitor.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { type SyncedSpace, aSyncedSpace } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`

const book = {
  'SUMMARY.md': '* [One](README.md)\n* [Two](two.md)\n* [Three](three.md)\n',
  'README.md': paragraphs('# One', 'First', 'Middle', 'Last'),
  'two.md': paragraphs('# Two', 'Text'),
  'three.md': paragraphs('# Three', 'Text'),
}

let number = 0

/** A space that was imported, and has had an edit of its own since. */
async function anEditedSpace(settings: object = {}) {
  const repository = await server.repository(`edited-${number++}`, book)
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', ...settings } })
  await space.import()
  const pages = await space.pages()
  const edit = async (path: string, markdown: string) => {
    const changes = [{ operation: 'update_page', page: pages.get(path).id, document: { markdown } }]
    const { status, text } = await space.who.post(`${space.path}/content`, { changes })
    assert.equal(status, 200, text)
  }
  await edit('README.md', paragraphs('# One', 'First, by hand', 'Middle', 'Last'))
  return { repository, space, pages, edit }
}

const merge = async ({ who, path }: SyncedSpace, id: string) =>
  (await who.post(`${path}/change-requests/${id}/merge`)).body

test('if main has edits of its own, an import is a change request, and merging it keeps the changes of both sides', async () => {
  const { repository, space, pages } = await anEditedSpace()
  await repository.commit({
    'README.md': paragraphs('# One', 'First', 'Middle', 'Last, in git'),
    'two.md': null,
    'four.md': paragraphs('# Four', 'New'),
    'SUMMARY.md': '* [One](README.md)\n* [Three](three.md)\n* [Four](four.md)\n',
  })
  const before = (await space.who.get(space.path)).body.revision
  const { result } = await space.import()
  assert.ok(result.changeRequest, JSON.stringify(result))
  assert.equal((await space.who.get(space.path)).body.revision, before, 'main stays as it is')
  assert.match(await space.markdown(pages.get('README.md').id), /by hand[^]*Last\n/)

  const { body: request } = await space.who.get(`${space.path}/change-requests/${result.changeRequest.id}`)
  assert.match(request.subject, /^Import edited-\d+ at [0-9a-f]{7}$/)
  assert.equal((await merge(space, request.id)).result, 'merge')
  assert.equal(await space.outline(), 'One/one, Three/three, Four/four')
  assert.match(await space.markdown(pages.get('README.md').id), /First, by hand\n\nMiddle\n\nLast, in git\n/)
})

test('repeated imports replace earlier change requests and do not conflict with each other, merged or not', async () => {
  const { repository, space, pages } = await anEditedSpace()
  const readme = (last: string) => paragraphs('# One', 'First', 'Middle', last)
  await repository.commit({ 'README.md': readme('Last 1'), 'four.md': '# Four\n' })
  const one = (await space.import()).result.changeRequest
  await repository.commit({ 'README.md': readme('Last 2') })
  const two = (await space.import()).result.changeRequest
  const status = async (id: string) => (await space.who.get(`${space.path}/change-requests/${id}`)).body.status
  assert.deepEqual([await status(one.id), await status(two.id)], ['archived', 'draft'], 'the second holds the first')
  assert.equal((await merge(space, two.id)).result, 'merge')

  await repository.commit({ 'README.md': readme('Last 3') })
  const three = (await space.import()).result.changeRequest
  assert.equal((await merge(space, three.id)).result, 'merge', 'the same lines again are no conflict')
  assert.match(await space.markdown(pages.get('README.md').id), /First, by hand\n\nMiddle\n\nLast 3\n/)
  assert.equal((await space.import()).result.changes, 0)

  const exported = await space.export()
  assert.deepEqual([exported.state, exported.result?.written], ['success', 1])
  assert.equal((await repository.files())['README.md'], paragraphs('# One', 'First, by hand', 'Middle', 'Last 3'))
  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  assert.equal((await space.import()).result.changeRequest, undefined, 'both say the same again')
})

test('if both sides changed the same lines, the change request of an import starts with a conflict', async () => {
  const { repository, space } = await anEditedSpace()
  await repository.commit({ 'README.md': paragraphs('# One', 'First, in git', 'Middle', 'Last') })
  const { changeRequest } = (await space.import()).result
  const at = `${space.path}/change-requests/${changeRequest.id}`
  const { items } = (await space.who.get(`${at}/conflicts`)).body
  assert.deepEqual(
    items.map(({ state, kind, field }: any) => [state, kind, field]),
    [['open', 'body', 'body']],
  )
  assert.equal((await merge(space, changeRequest.id)).result, 'conflicts')
})

test('a page deleted in the repository and edited here is a conflict in a change request, even as the only difference', async () => {
  const { repository, space, pages } = await anEditedSpace()
  const page = pages.get('README.md').id
  const first = '* [Two](two.md)\n* [Three](three.md)\n'
  await repository.commit({ 'README.md': null, 'SUMMARY.md': first })
  const waiting = async () => {
    const { changeRequest, changes } = (await space.import()).result
    assert.ok(changeRequest, 'the page is not brought back unasked')
    assert.equal(changes, 1)
    const at = `${space.path}/change-requests/${changeRequest.id}`
    const { items } = (await space.who.get(`${at}/conflicts`)).body
    assert.deepEqual(
      items.map(({ state, kind, entry }: any) => [state, kind, entry.id]),
      [['open', 'deleted-here', page]],
    )
    assert.match((await space.export()).error, /not in the main content yet/)
    return { id: changeRequest.id, at }
  }
  await waiting()
  await repository.commit({ 'SUMMARY.md': `${first}***\n` })
  const { id, at } = await waiting()
  assert.equal((await merge(space, id)).result, 'conflicts')
  const changes = [{ operation: 'delete_page', page }]
  assert.equal((await space.who.post(`${at}/content`, { changes })).status, 200)
  assert.equal((await merge(space, id)).result, 'merge')
  assert.equal((await space.export()).state, 'success')
  assert.ok(!('README.md' in (await repository.files())), 'it stays deleted')
  assert.equal((await space.import()).result.changeRequest, undefined, 'both say the same again')
})

test('an export does not revert an import that waits in a change request, unless forced', async () => {
  const { repository, space } = await anEditedSpace()
  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  await space.import()
  const refused = await space.export()
  assert.equal(refused.state, 'failure')
  assert.match(refused.error, /not in the main content yet.*change request #1/)
  assert.equal((await space.export({ force: true })).state, 'success')
  assert.match(String((await repository.files())['two.md']), /Text/)
})

test('an export does not overwrite unimported changes of pages, and ignores changes of other files in the repository', async () => {
  const { repository, space, edit } = await anEditedSpace()
  await repository.commit({ 'src/code.c': 'int x;\n', LICENSE: 'Free\n' })
  assert.equal((await space.export()).state, 'success')
  await repository.commit({ LICENSE: 'Freer\n' })
  assert.equal((await space.export()).state, 'success')
  assert.deepEqual(Object.keys(await repository.files()), [
    'LICENSE',
    'README.md',
    'SUMMARY.md',
    'src/code.c',
    'three.md',
    'two.md',
  ])
  await space.import()
  await repository.commit({ LICENSE: 'Freest\n' })
  await edit('README.md', paragraphs('# One', 'Once more'))
  assert.deepEqual([(await space.export()).state, (await repository.files())['LICENSE']], ['success', 'Freest\n'])

  await repository.commit({ 'three.md': paragraphs('# Three', 'In git') })
  const { state, error } = await space.export()
  assert.deepEqual(
    [state, error],
    ['failure', 'The branch has changes that have not been imported. Import it first, or export with force.'],
  )
  const other = await server.repository(`other-${number++}`, { 'README.md': '# Theirs\n' })
  assert.equal((await space.export({ url: other.url })).state, 'failure', 'nor is what somebody else wrote')
  const empty = await server.repository(`empty-${number++}`)
  assert.equal((await space.export({ url: empty.url })).state, 'success')
  assert.deepEqual(Object.keys(await empty.files()), [
    'LICENSE',
    'README.md',
    'SUMMARY.md',
    'src/code.c',
    'three.md',
    'two.md',
  ])
})

test('a forced import makes main equal to the repository, and a standalone import never changes main', async () => {
  const { repository, space, pages } = await anEditedSpace()
  const { result } = await space.import({ standalone: true })
  assert.ok(result.changeRequest === undefined && result.changes === 0, 'the repository has nothing new')
  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  assert.ok((await space.import({ standalone: true })).result.changeRequest)
  const forced = await space.import({ force: true })
  assert.deepEqual([forced.result.changeRequest, forced.result.changes], [undefined, 2])
  assert.equal(await space.markdown(pages.get('README.md').id), book['README.md'])
})

test('with merge rules an import is a change request, and only those who may bypass the rules can force it', async () => {
  const repository = await server.repository(`rules-${number++}`, book)
  const space = await aSyncedSpace(app, repository)
  const other = await space.org.member('admin')
  const rules = [{ type: 'allow_bypass', users: [other.id] }, { type: 'require_at_least_one_approved_review' }]
  await space.who.patch(space.path, { mergeRules: { type: 'rules', rules } })
  const body = { url: repository.url, ref: 'main', force: true }
  const refused = await space.who.post(`${space.path}/git/import`, body)
  assert.deepEqual([refused.status, refused.body.error.type], [412, 'merge_rule'])
  assert.deepEqual(
    refused.body.error.details.map(({ path }: { path: string }) => path),
    ['mergeRules.rules.1'],
  )
  assert.ok((await space.import()).result.changeRequest)
  assert.equal(await space.outline(), 'Untitled/untitled')

  const bypass = [{ type: 'allow_bypass', users: [other.id, space.org.admin.id] }, ...rules.slice(1)]
  await space.who.patch(space.path, { mergeRules: { type: 'rules', rules: bypass } })
  assert.equal((await space.import({ force: true })).result.changeRequest, undefined)
  assert.equal(await space.outline(), 'One/one, Two/two, Three/three')
})

test('a first import does not discard content that was never in a repository', async () => {
  const repository = await server.repository(`first-${number++}`, book)
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  const document = { markdown: '# Mine\n\nWritten here\n' }
  await space.who.post(`${space.path}/content`, { changes: [{ operation: 'insert_page', document }] })
  const { changeRequest } = (await space.import()).result
  assert.ok(changeRequest)
  assert.equal(await space.outline(), 'Untitled/untitled, Mine/mine')
  assert.equal(
    await space.outline(`${space.path}/change-requests/${changeRequest.id}`),
    'One/one, Two/two, Three/three',
  )
})

test('chapters that are renumbered remain the pages that they were, with what was written here meanwhile', async () => {
  const chapter = (title: string, last = 'the end') =>
    `# ${title}\n\n${['begins', 'goes on', last].map((words) => `${title} ${words}.`).join('\n\n')}\n`
  const listing = (...numbers: number[]) => numbers.map((number) => `* [Chapter](chapter-${number}.md)\n`).join('')
  const repository = await server.repository('renumbered', {
    'SUMMARY.md': `* [Start](README.md)\n${listing(1, 2)}`,
    'README.md': '# Start\n\n[Fish](chapter-1.md)\n',
    'chapter-1.md': chapter('Fish'),
    'chapter-2.md': chapter('Birds'),
  })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await space.import()
  const before = await space.pages()
  const [fish, birds] = [before.get('chapter-1.md').id, before.get('chapter-2.md').id]
  const comment = { body: { markdown: 'Do fish fly?' }, page: fish }
  const { id: commentId } = expect(await space.who.post(`${space.path}/comments`, comment), 200)
  const changes = [{ operation: 'update_page', page: fish, document: { markdown: chapter('Fish', 'swim away') } }]
  expect(await space.who.post(`${space.path}/content`, { changes }), 200)

  await repository.commit({
    'SUMMARY.md': `* [Start](README.md)\n${listing(1, 2, 3)}`,
    'README.md': '# Start\n\n[Fish](chapter-2.md)\n',
    'chapter-1.md': '# Plants\n\nWhat grows.\n',
    'chapter-2.md': chapter('Fish'),
    'chapter-3.md': chapter('Birds'),
  })
  const { changeRequest } = (await space.import()).result
  const merged = expect(await space.who.post(`${space.path}/change-requests/${changeRequest.id}/merge`), 200)
  assert.equal(merged.result, 'merge', 'a page that was moved there and edited here is no conflict')
  await space.export()
  assert.equal(await space.outline(), 'Start/start, Plants/chapter-1, Fish/chapter-2, Birds/chapter-3')
  const after = await space.pages()
  assert.deepEqual([after.get('chapter-2.md').id, after.get('chapter-3.md').id], [fish, birds])
  const { target } = expect(await space.who.get(`${space.path}/comments/${commentId}`), 200)
  assert.deepEqual([target.page.title, target.page.outdated], ['Fish', false])
  const files = await repository.files()
  assert.equal(files['chapter-2.md'], chapter('Fish', 'swim away'))
  assert.deepEqual([files['chapter-1.md'], files['chapter-3.md']], ['# Plants\n\nWhat grows.\n', chapter('Birds')])
})

test('a page stays itself when its file is rewritten while another one keeps a copy of it, or begins as it did', async () => {
  const text = '# Guide\n\nFirst do this.\n\nThen do that.\n'
  const repository = await server.repository('copied', {
    'SUMMARY.md': '* [Start](README.md)\n* [Guide](guide.md)\n* [Empty](empty.md)\n',
    'README.md': '# Start\n',
    'guide.md': text,
    'empty.md': '# Empty\n',
  })
  const space = await aSyncedSpace(app, repository)
  await space.import()
  const before = await space.pages()
  await repository.commit({
    'SUMMARY.md':
      '* [Start](README.md)\n* [Copy](copy.md)\n* [Guide](guide.md)\n* [New](new.md)\n* [Empty](empty.md)\n',
    'copy.md': text,
    'guide.md': `${text}\nAnd this.\n`,
    'new.md': '# Empty\n',
    'empty.md': '# Full\n\nNow it says something.\n',
  })
  await space.import()
  const after = await space.pages()
  for (const path of ['guide.md', 'empty.md']) assert.equal(after.get(path).id, before.get(path).id, path)
})

test('the invariants of the data hold after all tests of this file', async () => {
  await assertSound(app.db)
})
