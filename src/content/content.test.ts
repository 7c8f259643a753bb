import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fromDocument } from './from-document.ts'
import { links } from './links.ts'
import { writeBlocks } from './markdown/write-blocks.ts'
import { parse } from './parse.ts'
import { bare } from './testing/trees.ts'
import { toDocument } from './to-document.ts'
import { toHtml } from './to-html.ts'
import { write } from './write.ts'

/**
 * A case is a folder: `in.md` and the expected results. `UPDATE=1` rewrites the files; review the diff before you
 * commit it. `broken` in the name means that the source is malformed, so its canonical form may be parsed differently.
 */
const folder = join(import.meta.dirname, 'cases')

for (const name of readdirSync(folder).toSorted()) {
  test(`case ${name} has the expected tree, document and HTML, and is written back unchanged`, () => {
    const source = readFileSync(join(folder, name, 'in.md'), 'utf8')
    const { parsed: _, source: __, ...tree } = parse(source)
    const expect = (file: string, actual: string) => expectFile(join(folder, name, file), actual)

    expect('tree.json', json({ ...tree, links: links(parse(source)) }))
    expect('document.json', json(toDocument(tree.blocks)))
    expect('out.html', `${toHtml(tree.blocks)}\n`)

    const document = parse(source)
    assert.equal(write({ ...document, blocks: document.blocks.map((block) => ({ ...block })) }), source)
    const received = fromDocument(toDocument(tree.blocks))
    assert.ok('markdown' in received)
    if (name.includes('broken')) return
    assert.deepEqual(bare(parse(writeBlocks(tree.blocks)).blocks), bare(tree.blocks))
  })
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

function expectFile(path: string, actual: string): void {
  if (process.env['UPDATE']) writeFileSync(path, actual)
  assert.equal(actual, readFileSync(path, 'utf8'))
}
