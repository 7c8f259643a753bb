import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { flawsOf } from '../content/testing/official.ts'

const app = await startApp()
const cases = join(import.meta.dirname, '../content/cases')

test('every page is read as a document that the official client understands, and written back as it was', async () => {
  const space = await aLiveSpace(app)
  const names = readdirSync(cases).filter((name) => !name.startsWith('front-matter'))
  // Some of them lead to pages that are there.
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

function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) => (name === 'key' ? [] : [[name, withoutKeys(inside)]])),
  )
}
