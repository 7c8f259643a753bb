// Blocks that were written on one line with their tags: `{% hint %} text {% endhint %}`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { everyBlock, type Block } from './blocks.ts'
import { parse } from './parse.ts'
import { bare } from './testing/trees.ts'
import { write } from './write.ts'

const between = fc.constantFrom(' ', '', '\n', '\n\n')
const leaf = fc.constantFrom('text', '**b** c', 'a\nb', '- x\n- y', '# H', '`c`', '<b>x</b>', '[l](x.md)')
const within = (tag: string, content: fc.Arbitrary<string>) =>
  fc
    .tuple(between, content, between)
    .map(([head, text, tail]) => `{% ${tag} %}${head}${text}${tail}{% end${tag.split(' ', 1)[0]} %}`)
const hint = within('hint style="info"', leaf)
const tabs = fc
  .tuple(fc.array(within('tab title="A"', fc.oneof(leaf, hint)), { minLength: 1, maxLength: 3 }), between)
  .map(([all, gap]) => `{% tabs %}${gap}${all.join(gap)}${gap}{% endtabs %}`)
const marked = fc.tuple(fc.constantFrom('', '> ', '- ', '1. '), fc.oneof(hint, tabs)).map(([mark, text]) =>
  text
    .split('\n')
    .map((line, at) => (at === 0 || mark === '> ' ? mark : ' '.repeat(mark.length)) + line)
    .join('\n'),
)
const pages = fc.array(fc.oneof(leaf, marked), { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('\n\n')}\n`)

const instead: readonly Block[] = [
  { type: 'paragraph', inlines: [{ type: 'text', text: 'new {% x %} text' }] },
  { type: 'code', text: 'a {% endhint %}\nb' },
  { type: 'embed', url: 'https://a.b', blocks: [] },
  { type: 'table', columns: [{ inlines: [{ type: 'text', text: 'h' }] }], rows: [[[{ type: 'text', text: 'c' }]]] },
]

test('replacing any block of a page with one-line tags makes the page say exactly that, and the rest as before', () => {
  let read = 0
  const property = fc.property(pages, fc.nat(), fc.constantFrom(...instead), (source, pick, block) => {
    const document = parse(source)
    assert.equal(write({ ...document, blocks: document.blocks.map((each) => ({ ...each })) }), source)
    // A closing tag behind a quote, or a tag behind the text of an item, may really be meant as text.
    if (JSON.stringify(bare(document.blocks)).includes('{%')) return
    read++
    const all = [...everyBlock(document.blocks)].filter(({ type }) => type !== 'tab' && type !== 'list-item')
    const target = all[pick % all.length]
    const visit = (each: Block): Block =>
      each === target ? block : 'blocks' in each ? { ...each, blocks: each.blocks.map(visit) } : each
    const blocks = document.blocks.map(visit)
    assert.deepEqual(said(parse(write({ ...document, blocks })).blocks), said(blocks))
  })
  // The same pages each time: enough to find what is broken, without failing at random.
  fc.assert(property, { seed: 1, numRuns: 800, includeErrorInReport: true })
  assert.ok(read > 500, String(read))
})

/** Returns a tree without what only describes how it was written. */
function said(blocks: readonly Block[]): unknown {
  return JSON.parse(JSON.stringify(bare(blocks)), (name, value) =>
    name === 'loose' || name === 'attributes' ? undefined : value,
  )
}
