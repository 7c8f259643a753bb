import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { everyBlock, type Block } from './blocks.ts'
import { fromDocument } from './from-document.ts'
import { links } from './links.ts'
import { writeBlocks } from './markdown/write-blocks.ts'
import { joinPage, splitPage } from './page/split.ts'
import { parse } from './parse.ts'
import { outline, sections } from './sections.ts'
import { check, sources } from './testing/sources.ts'
import { bare, trees } from './testing/trees.ts'
import { withoutKeys } from './testing/without-keys.ts'
import { toDocument } from './to-document.ts'
import { toHtml } from './to-html.ts'
import { write } from './write.ts'

test('parsing and writing returns every byte of any source', () => {
  check(
    fc.property(sources, (source) => {
      const document = parse(source)
      assert.equal(write(document), source)
      assert.equal(write({ ...document, blocks: [...document.blocks] }), source)
      assert.equal(write({ ...document, blocks: document.blocks.map(copied) }), source)
    }),
    3000,
  )
})

/** Returns the same tree made of new objects, so that nothing in it is recognized by identity. */
function copied(block: Block): Block {
  return 'blocks' in block ? { ...block, blocks: block.blocks.map(copied) } : { ...block }
}

test('replacing one block keeps every byte of its neighbours and of everything before and after them', () => {
  const paragraph: Block = { type: 'paragraph', inlines: [{ type: 'text', text: 'REPLACED' }] }
  check(
    fc.property(sources, (source) => {
      const document = parse(source)
      document.blocks.forEach((_, place) => {
        const written = write({ ...document, blocks: document.blocks.with(place, paragraph) })
        const before = document.blocks[place - 1]?.range?.end ?? 0
        const after = document.blocks[place + 1]?.range?.start
        assert.ok(written.startsWith(source.slice(0, before)))
        assert.ok(after === undefined || written.endsWith(source.slice(after)))
        assert.ok(written.includes('REPLACED'))
      })
    }),
    1000,
  )
})

test('block ranges are in order, apart and inside their parent, and cover all but white space at the top level', () => {
  check(
    fc.property(sources, (source) => {
      const document = parse(source)
      const inOrder = (blocks: readonly Block[], start: number, end: number) => {
        let last = start
        for (const { range, ...block } of blocks) {
          if (!range) continue
          assert.ok(last <= range.start && range.start <= range.end && range.end <= end)
          if ('blocks' in block) inOrder(block.blocks, range.start, range.end)
          last = range.end
        }
      }
      inOrder(document.blocks, document.frontMatter?.range.end ?? 0, source.length)
      let rest = document.frontMatter?.range.end ?? 0
      for (const { range } of document.blocks) {
        assert.match(source.slice(rest, range?.start), /^\s*$/)
        rest = range?.end ?? rest
      }
      assert.match(source.slice(rest), /^\s*$/)
    }),
    2000,
  )
})

test('a tree built in code is written as Markdown that parses to the same tree', () => {
  check(
    fc.property(trees, (blocks) => assert.deepEqual(bare(parse(writeBlocks(blocks)).blocks), bare(blocks))),
    2000,
  )
})

test('a document that is sent out comes back as Markdown that makes the same document', () => {
  check(
    fc.property(trees, (blocks) => {
      const sent = JSON.parse(JSON.stringify(toDocument(parse(writeBlocks(blocks)).blocks)))
      const received = fromDocument(sent)
      assert.ok('markdown' in received)
      const again = toDocument(parse(received.markdown).blocks)
      assert.deepEqual(withoutKeys(JSON.parse(JSON.stringify(again))), withoutKeys(sent))
    }),
    1000,
  )
})

test('no source makes parsing, rendering, links, outline or sections fail', () => {
  check(
    fc.property(sources, (source) => {
      const document = parse(source)
      const html = toHtml(document.blocks)
      assert.doesNotMatch(html, /<script|javascript:/i)
      for (const link of links(document)) assert.equal(source.slice(link.start, link.end), link.raw)
      assert.ok('markdown' in fromDocument(toDocument(document.blocks)))
      const anchors = outline(document).map((entry) => entry.anchor)
      assert.equal(new Set(anchors).size, anchors.length)
      sections(document)
    }),
    2000,
  )
})

test('block keys are unique in a page and do not depend on the blocks around', () => {
  check(
    fc.property(sources, (source) => {
      const keys = [...everyBlock(parse(source).blocks)].map((block) => block.key)
      assert.equal(new Set(keys).size, keys.length)
    }),
    1000,
  )
  const alone = parse('Some text.').blocks[0]?.key
  assert.equal(parse('# Title\n\nOther.\n\nSome *text*.').blocks[2]?.key, alone)
})

test('a page that was split is joined to the same bytes', () => {
  check(
    fc.property(fc.constantFrom('', '---\ntitle: T\n---\n', '---\r\nicon: x\r\n---\r\n\r\n'), sources, (head, rest) => {
      const { fields, body, original } = splitPage(head + rest)
      assert.equal(original + body, head + rest)
      assert.equal(joinPage(fields, body, original), head + rest)
    }),
    2000,
  )
})
