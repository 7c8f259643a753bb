import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromDocument } from './from-document.ts'

const document = (...nodes: unknown[]) => ({ object: 'document', data: {}, nodes })
const text = (...leaves: [string, ...string[]][]) => ({
  object: 'text',
  leaves: leaves.map(([content, ...marks]) => ({
    object: 'leaf',
    text: content,
    marks: marks.map((type) => ({ object: 'mark', type })),
  })),
})
const block = (type: string, fields: object) => ({ object: 'block', type, ...fields })
const markdown = (...nodes: unknown[]) => {
  const result = fromDocument(document(...nodes))
  assert.ok('markdown' in result, JSON.stringify(result))
  return result.markdown
}

test('marks nest, and leaves that share one are put into it together', () => {
  const leaves = text(['plain '], ['bold ', 'bold'], ['both', 'bold', 'italic'], ['\nnext'])
  assert.equal(markdown(block('paragraph', { nodes: [leaves] })), 'plain **bold _both_**\\\nnext\n')
})

test('references become the forms that links in Markdown have', () => {
  const link = (ref: object) => ({ object: 'inline', type: 'link', data: { ref }, nodes: [text(['x'])] })
  const paragraph = block('paragraph', {
    nodes: [
      link({ kind: 'page', page: 'p1', anchor: 'top' }),
      link({ kind: 'file', file: 'f1' }),
      link({ kind: 'url', url: 'https://a.b' }),
      link({ kind: 'anchor', anchor: 'here' }),
    ],
  })
  assert.equal(markdown(paragraph), '[x](/pages/p1#top)[x](/files/f1)[x](https://a.b)[x](#here)\n')
})

test('types that nobody knows give the text that they hold', () => {
  const odd = block('drawing', { nodes: [block('odd', { nodes: [text(['kept'])] })], data: { x: 1 } })
  assert.equal(markdown(odd, block('hologram', {})), 'kept\n')
})

test('text cannot become markup', () => {
  const tricky = '# {% hint %} <script> {{ x }} `a` *b* [c](d) | :rocket: $$'
  const written = markdown(block('paragraph', { nodes: [text([tricky])] }))
  assert.equal(written, '\\# \\{% hint %} \\<script> \\{{ x }} \\`a\\` \\*b\\* \\[c\\](d) | \\:rocket: \\$\\$\n')
})

test('a document of the wrong shape is answered with where and why', () => {
  const problems = (value: unknown) => {
    const result = fromDocument(value)
    return 'problems' in result ? result.problems : []
  }
  assert.deepEqual(problems(null), [{ path: '', message: 'must be an object' }])
  assert.deepEqual(problems({ object: 'document' }), [{ path: 'nodes', message: 'must be an array' }])
  assert.deepEqual(problems(document(block('paragraph', { nodes: [{ object: 'text', leaves: [{ text: 1 }] }] }))), [
    { path: 'nodes[0].nodes[0].leaves[0].text', message: 'must be a text' },
  ])
  let deep: unknown = text(['x'])
  for (let depth = 0; depth < 20_000; depth++) deep = block('blockquote', { nodes: [deep] })
  assert.match(problems(document(deep))[0]?.message ?? '', /nest at most 64 deep/)
})
