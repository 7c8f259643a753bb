import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DocumentNode, JSONDocument } from './document/shape.ts'
import { fromDocument } from './from-document.ts'
import { keepSource } from './keep-source.ts'
import { parse } from './parse.ts'
import { check, sources } from './testing/sources.ts'
import { toDocument } from './to-document.ts'

const folder = join(import.meta.dirname, 'cases')
const cases = readdirSync(folder).map((name) => ({ name, source: readFileSync(join(folder, name, 'in.md'), 'utf8') }))

/** Returns a text after a client read it as a document, changed the document, and sent it back. */
function edited(source: string, change: (document: JSONDocument) => void): string {
  const document: JSONDocument = JSON.parse(JSON.stringify(toDocument(parse(source).blocks)))
  change(document)
  const made = fromDocument(document)
  assert.ok('markdown' in made, JSON.stringify(made))
  return keepSource(parse(source), made.markdown, {})
}

const paragraph = (words: string) => ({
  object: 'block' as const,
  type: 'paragraph',
  data: {},
  isVoid: false,
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] } as DocumentNode],
})

const unusual = `Setext heading
==============

* starred,   with  blanks
* and __bold__ by lines

| a | b |
|-|-|
| 1 |2|

A [link][far] &amp; more.

\`\`\`js  
code
\`\`\`


Last one.

[far]: https://example.com  'The title'
`

test('a document sent back unchanged leaves the Markdown byte for byte', () => {
  assert.equal(
    edited(unusual, () => {}),
    unusual,
  )
  assert.equal(
    edited(unusual.replaceAll('\n', '\r\n'), () => {}),
    unusual.replaceAll('\n', '\r\n'),
  )
  const changed = cases.filter(({ source }) => edited(source, () => {}) !== source)
  assert.deepEqual(
    changed.map(({ name }) => name),
    [],
  )
})

test('only the blocks that were edited, added or removed are written anew', () => {
  const next = edited(unusual, ({ nodes }) => {
    nodes[nodes.findIndex(({ type }) => type === 'code')] = paragraph('No code.')
    nodes.splice(1, 0, paragraph('New.'))
  })
  assert.equal(
    next,
    unusual.replace('```js  \ncode\n```\n\n\n', 'No code.\n\n').replace('* starred', 'New.\n\n* starred'),
  )
})

test('a link keeps its address and title when the block that defines them is removed', () => {
  const next = edited(unusual, ({ nodes }) => void nodes.pop())
  assert.match(next, /A \[link\]\(https:\/\/example\.com "The title"\) & more\./)
})

test('an edited document makes Markdown that says what was sent, for any text and edit', () => {
  const said = (text: string) =>
    JSON.stringify(toDocument(parse(text).blocks)).replaceAll(/"key":"[^"]*",|"meta":\{"id":"[^"]*"\},?/g, '')
  check(
    fc.property(sources, fc.nat(), (source, at) => {
      const change = ({ nodes }: JSONDocument) => void nodes.splice(at % (nodes.length + 1), 1, paragraph('Edited.'))
      const document = toDocument(parse(source).blocks)
      change(document)
      const made = fromDocument(JSON.parse(JSON.stringify(document)))
      assert.ok('markdown' in made)
      assert.equal(said(edited(source, change)), said(made.markdown))
    }),
    300,
  )
})
