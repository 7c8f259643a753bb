import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { aSite } from './testing/site.ts'
import { type Packed, zipOf } from './testing/zip.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

async function importZip(files: Packed[]) {
  const space = await aLiveSpace(app)
  const site = await aSite({ '/x.zip': zipOf(files) })
  const made = await space.who.post(`${space.path}/content/import`, { url: site.url('/x.zip'), source: 'zip' })
  assert.equal(made.status, 201, made.text)
  const told = made.body.skipped.map(({ source, reason }: any) => `${source} ${reason}`)
  return { outline: await space.outline(), told }
}

const pages = [
  { name: 'a.md', bytes: '# A\n' },
  { name: 'b/c.md', bytes: '# C\n' },
]

test('an archive with a damaged table of contents, index or variables is imported without those, and they are reported', async () => {
  const claims = { size: 3 }
  const { outline, told } = await importZip([
    { name: 'SUMMARY.md', bytes: '* [A](a.md)\n', claims },
    { name: 'index.html', bytes: '<h1>Index</h1>', claims },
    { name: '.gitbook/vars.yaml', bytes: 'version: "1.2"\n', claims },
    ...pages,
  ])
  assert.equal(outline, 'A B (C)')
  assert.deepEqual(told.toSorted(), [
    '.gitbook/vars.yaml cannot be unpacked',
    'SUMMARY.md cannot be unpacked',
    'index.html cannot be unpacked',
  ])
})

test('a table of contents in an archive without pages is reported, and the folders are used instead', async () => {
  for (const bytes of ['', 'No list is here.\n']) {
    const { outline, told } = await importZip([{ name: 'SUMMARY.md', bytes }, ...pages])
    assert.equal(outline, 'A B (C)')
    assert.deepEqual(told, ['SUMMARY.md lists no pages: the folders are the table of contents instead'])
  }
})

test('texts of an archive in unsupported formats are reported with advice', async () => {
  const { outline, told } = await importZip([
    { name: 'index.rst', bytes: 'Title\n=====\n' },
    { name: 'b/more.adoc', bytes: '= More\n' },
    { name: 'code.py', bytes: 'pass\n' },
    ...pages,
  ])
  assert.equal(outline, 'A B (C)')
  assert.deepEqual(told, [
    'b/more.adoc is not Markdown, HTML or docx: convert it, or import the website that is built from it',
    'index.rst is not Markdown, HTML or docx: convert it, or import the website that is built from it',
  ])
})

test('invalid Unicode in settings of an archive does not prevent its import', async () => {
  const said = [
    { name: 'b/_category_.json', bytes: String.raw`{"label":"B\ud800"}` },
    {
      name: 'a.md',
      bytes: String.raw`---
description: "\uD800"
---
# A`,
    },
    { name: 'b/c.md', bytes: '# C\n' },
  ]
  const navigation = String.raw`{"navigation":["\ud800",{"group":"G\ud800","pages":["a","b/c"]}]}`
  const mintlify = await importZip([{ name: 'docs.json', bytes: navigation }, ...said])
  assert.equal(mintlify.outline, 'G\ufffd (A C)')
  assert.deepEqual(mintlify.told, ['docs.json lists \ufffd, which is not in the archive'])

  const nav = String.raw`nav: ["\uD800.md"]`
  const mkdocs = await importZip([{ name: 'mkdocs.yml', bytes: `docs_dir: .\n${nav}\n` }, ...said])
  assert.equal(mkdocs.outline, 'A B\ufffd (C)')
  assert.deepEqual(mkdocs.told, ['mkdocs.yml lists \ufffd.md, which is not in the archive'])
})

test('a table of contents that lists pages again and again creates only a limited number of links', async () => {
  const { outline, told } = await importZip([
    {
      name: 'SUMMARY.md',
      bytes: `* [A](a.md)\n* [C](b/c.md)\n${'* [Again](a.md)\n* [There](b/c.md#x)\n'.repeat(150)}`,
    },
    ...pages,
  ])
  assert.equal(outline.split(' ').length, 2 + 200)
  assert.equal(told.length, 100)
  assert.deepEqual(new Set(told), new Set(['a.md', 'b/c.md'].map((at) => `SUMMARY.md lists ${at}, one link too many`)))
})
