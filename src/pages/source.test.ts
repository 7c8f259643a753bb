import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPageSource, writePageSource } from './source.ts'

const sources = [
  '',
  'Just text\n',
  '# Title\n\nText\n',
  '---\ndescription: >-\n  Folded\n  text\nhidden: true\n---\n\n# Title\n\nText\n',
  '---\ntitle: "In front"\nlayout:\n  title:\n    visible: false\n  width: wide\nunknown: [1, 2]\n---\nText',
  '---\ncover: .gitbook/assets/x.png\ncoverY: 10\nhidden: "yes"\nvars:\n  a: b\nif: visitor.claims.x\n---\r\n\r\nText\r\n',
]

test('a page source that was not changed is written back byte for byte', () => {
  for (const markdown of sources) {
    const { fields, body, source } = readPageSource(markdown)
    assert.equal(writePageSource({ ...fields, source }, body), markdown)
  }
})

test('front matter and the heading become page fields under their API names', () => {
  const { fields, body } = readPageSource(sources[4]!)
  assert.deepEqual(fields, { title: 'In front', layout: { title: false, width: 'wide' } })
  assert.equal(body, 'Text')
  assert.deepEqual(readPageSource(sources[5]!).fields, { variables: { a: 'b' }, condition: 'visitor.claims.x' })
})

test('a changed field touches only its own line, and values that cannot be read stay', () => {
  const { fields, body, source } = readPageSource(sources[4]!)
  const renamed = writePageSource({ ...fields, title: 'Other', source }, body)
  assert.equal(renamed, sources[4]!.replace('"In front"', 'Other').replace('---\nText', '---\n\nText'))
  const { condition: _, ...unconditional } = readPageSource(sources[5]!).fields
  const written = writePageSource({ ...unconditional, source: readPageSource(sources[5]!).source }, 'Text\r\n')
  assert.ok(!written.includes('visitor'))
  assert.ok(written.includes('cover: .gitbook/assets/x.png') && written.includes('hidden: "yes"'))
})

test('front matter written for a page without a source reads back as the same fields', () => {
  const fields = {
    title: 'A # title',
    description: 'Two: words',
    hidden: true,
    condition: 'visitor.claims.a == "b"',
    layout: { outline: false, coverSize: 'full' as const },
    cover: { ref: { kind: 'url' as const, url: 'https://example.com/a.png' }, yPos: 3 },
    variables: { a: 'b', c: 1 },
  }
  const read = readPageSource(writePageSource(fields, 'Body\n'))
  assert.deepEqual([read.fields, read.body], [fields, 'Body\n'])
})
