import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { flawsOf } from '../content/testing/official.ts'
import { withoutKeys } from '../content/testing/without-keys.ts'

const app = await startApp()
const cases = join(import.meta.dirname, '../content/cases')

test('every page reads as a valid document for the official client, and writing that document back changes nothing', async () => {
  const space = await aLiveSpace(app)
  const names = readdirSync(cases).filter((name) => !name.startsWith('front-matter'))
  // Some of them link to pages that exist.
  await space.edit(newPage('Page'), newPage('Start'), newPage('A'))
  const batches = Array.from({ length: Math.ceil(names.length / 40) }, (_, at) => names.slice(at * 40, at * 40 + 40))
  const made = await Promise.all(
    batches.map(async (batch) => {
      const pages = batch.map((name) => ({
        operation: 'insert_page',
        document: { markdown: `# ${name}\n\n${readFileSync(join(cases, name, 'in.md'), 'utf8')}` },
      }))
      return idsOf(await space.edit(...pages))
    }),
  )
  const documentOf = async (id: string) =>
    (await space.who.get(`${space.path}/content/page/${id}?format=document`)).body.document
  for (const [at, ids] of made.entries()) {
    const before = await Promise.all(ids.map(documentOf))
    before.forEach((document, index) => assert.deepEqual(flawsOf(document), [], batches[at]?.[index] ?? ''))
    const edited = await space.edit(
      ...ids.map((page, index) => ({ operation: 'update_page', page, document: { document: before[index] } })),
    )
    assert.equal(edited.status, 200, edited.text)
    const after = await Promise.all(ids.map(documentOf))
    after.forEach((document, index) =>
      assert.deepEqual(withoutKeys(document), withoutKeys(before[index]), batches[at]?.[index] ?? ''),
    )
  }
})

test('an edit sent as a document changes only the edited text, and merges with other edits of the page', async () => {
  const space = await aLiveSpace(app)
  const body = (first: string, last: string) =>
    `${first}\n\n* one  \n* __two__, see [there](target.md)\n\n| a | b |\n|-|-|\n| 1 |2|\n\n${last}\n`
  const [page = '', target = ''] = idsOf(
    await space.edit(
      { operation: 'insert_page', document: { markdown: `# Page\n\n${body('First', 'Last')}` } },
      newPage('Target'),
    ),
  )
  const read = async (at: string, format: string) =>
    (await space.who.get(`${at}/content/page/${page}?format=${format}`)).body
  const request = await space.changeRequest()
  const { document } = await read(request.path, 'document')
  assert.equal((await request.edit({ operation: 'update_page', page, document: { document } })).status, 200)
  assert.deepEqual((await space.who.get(`${request.path}/changes`)).body.changes, [])

  document.nodes[0].nodes[0].leaves[0].text = 'Edited'
  await request.edit({ operation: 'update_page', page, document: { document } })
  // Meanwhile, an editor changes another part, and the target of a link gets another address.
  await space.edit(
    { operation: 'update_page', page, document: { markdown: `# Page\n\n${body('First', 'Last, edited')}` } },
    { operation: 'update_page', page: target, slug: 'elsewhere' },
  )
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  assert.ok((await read(space.path, 'markdown')).markdown.endsWith(body('Edited', 'Last, edited')))
  const links = JSON.stringify((await read(space.path, 'document')).document)
  assert.ok(links.includes(target), links)
})

test('an edit of a reusable content sent as a document changes only the edited text', async () => {
  const space = await aLiveSpace(app)
  const markdown = '* one\n* two\n\nText\n'
  const [piece] = idsOf(
    await space.edit({ operation: 'insert_reusable_content', title: 'Piece', document: { markdown } }),
  )
  const path = `${space.path}/content/reusable-contents/${piece}`
  const { document: documentId } = (await space.who.get(path)).body
  const { body: document } = await space.who.get(`${space.path}/documents/${documentId}`)
  document.nodes[1].nodes[0].leaves[0].text = 'Edited'
  await space.edit({ operation: 'update_reusable_content', reusableContent: piece, document: { document } })
  const { body } = await space.who.get(`${path}?format=markdown`)
  assert.equal(body.markdown, '* one\n* two\n\nEdited\n')
})
