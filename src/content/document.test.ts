import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromDocument } from './from-document.ts'
import { writeBlocks } from './markdown/write-blocks.ts'
import { parse } from './parse.ts'
import { flawsOf } from './testing/official.ts'
import { check, sources } from './testing/sources.ts'
import { trees } from './testing/trees.ts'
import { withoutKeys } from './testing/without-keys.ts'
import { toDocument } from './to-document.ts'
import { toHtml } from './to-html.ts'
import { toPlainText } from './text.ts'

const folder = join(import.meta.dirname, 'cases')
const cases = readdirSync(folder).map((name) => ({ name, source: readFileSync(join(folder, name, 'in.md'), 'utf8') }))

/** The document as it is sent over the wire. */
const sent = (source: string) => JSON.parse(JSON.stringify(toDocument(parse(source).blocks)))

function received(document: unknown): string {
  const result = fromDocument(document)
  assert.ok('markdown' in result, JSON.stringify(result))
  return result.markdown
}

test('every document conforms to the schema of the official client', () => {
  for (const { name, source } of cases) assert.deepEqual(flawsOf(sent(source)), [], name)
})

test('a document sent back unchanged makes the same document and says the same words', () => {
  for (const { name, source } of cases) {
    const document = sent(source)
    const again = received(document)
    assert.deepEqual(withoutKeys(sent(again)), withoutKeys(document), name)
    assert.deepEqual(words(again), words(source), name)
  }
})

test('underline is converted the same inside another mark and around it', () => {
  for (const source of [
    '<sub><u>a</u></sub><u><sub>b</sub></u>',
    '<u>a</u><u>b</u>',
    '<u>a<br>b</u>',
    '<u><kbd>a</kbd></u><u><kbd>b</kbd></u>',
  ]) {
    const document = sent(`${source}\n`)
    assert.deepEqual(withoutKeys(sent(received(document))), withoutKeys(document), source)
  }
})

test('a mark without a colour and an aligned column of numbers look the same after a document is sent back', () => {
  const column = '<th align="right" data-type="number">Size</th>'
  const cell = '<td align="right">1</td>'
  for (const source of [
    'Some <mark>marked</mark> words\n',
    `<table><thead><tr>${column}</tr></thead><tbody><tr>${cell}</tr></tbody></table>\n`,
  ]) {
    const html = toHtml(parse(source).blocks)
    assert.match(html, /<mark>|align="right"/)
    assert.equal(toHtml(parse(received(sent(source))).blocks), html)
  }
})

/** The words that a reader sees, wherever footnotes are placed. */
const words = (source: string) => toPlainText(parse(source).blocks).split(/\s+/).toSorted()

test('documents of random trees and damaged sources conform to the schema of the official client', () => {
  check(
    fc.property(trees, (blocks) => assert.deepEqual(flawsOf(sent(writeBlocks(blocks))), [])),
    300,
  )
  check(
    fc.property(sources, (source) => assert.deepEqual(flawsOf(sent(source)), [])),
    700,
  )
})
