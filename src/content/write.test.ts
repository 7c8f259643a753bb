import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from './blocks.ts'
import { parse } from './parse.ts'
import { write } from './write.ts'

const paragraph = (text: string): Block => ({ type: 'paragraph', inlines: [{ type: 'text', text }] })

/** Returns the document with each block replaced for which `change` returns another, at any depth. */
function edited(source: string, change: (block: Block) => Block | undefined): string {
  const visit = (block: Block): Block => {
    const changed = change(block)
    if (changed || !('blocks' in block)) return changed ?? block
    const blocks = block.blocks.map(visit)
    return blocks.some((child, index) => child !== block.blocks[index]) ? { ...block, blocks } : block
  }
  const document = parse(source)
  return write({ ...document, blocks: document.blocks.map(visit) })
}

const saying = (text: string) => (block: Block) =>
  block.type === 'paragraph' && JSON.stringify(block.inlines).includes(text) ? paragraph('new') : undefined

test('a change deep inside keeps every other byte, including the marks of quotes and lists', () => {
  assert.equal(edited('*  odd   list\n\n\n*  old\n\ntail  \n', saying('old')), '*  odd   list\n\n\n*  new\n\ntail  \n')
  assert.equal(edited('>  a\n>\n>  old\n> - _b_\n', saying('old')), '>  a\n>\n>  new\n>\n> - _b_\n')
  assert.equal(
    edited('1)  {% hint  style="info" %}\n    old\n    {% endhint %}\n1)  x\n', saying('old')),
    '1)  {% hint  style="info" %}\n    new\n    {% endhint %}\n1)  x\n',
  )
  assert.equal(
    edited('{% tabs %}\r\n{% tab title="A" %}\r\nold\r\n{% endtab %}\r\n{% endtabs %}', saying('old')),
    '{% tabs %}\r\n{% tab title="A" %}\r\nnew\r\n{% endtab %}\r\n{% endtabs %}',
  )
})

test('a block on one line with its tags gets its own lines when its text changes, and no other byte does', () => {
  const hint = '{% hint  style="info" %} old {% endhint %}'
  assert.equal(edited(`a\n${hint}\n_b_\n`, saying('old')), 'a\n{% hint  style="info" %}\nnew\n{% endhint %}\n_b_\n')
  assert.equal(
    edited(`> - ${hint}\n>   * b\n`, saying('old')),
    '> - {% hint  style="info" %}\n>   new\n>   {% endhint %}\n>   * b\n',
  )
  const tabs =
    '{% tabs %} {% tab title="A" %} one {% endtab %} {% tab title="B" %} old\n\n* odd {% endtab %} {% endtabs %}\n'
  assert.equal(edited(tabs, saying('old')), tabs.replace('{% tab title="B" %} old', '{% tab title="B" %}\nnew'))
  assert.equal(edited('> [!NOTE]\n>  old\n>\n>  _b_\n', saying('old')), '> [!NOTE]\n>  new\n>\n>  _b_\n')
})

test('a block whose own fields change is written anew and keeps its children', () => {
  const source = 'before\n\n{% hint style="info" %}\n*  odd   list\n{% endhint %}\n\nafter\n'
  const written = edited(source, (block) => (block.type === 'hint' ? { ...block, style: 'danger' } : undefined))
  assert.equal(written, 'before\n\n{% hint style="danger" %}\n- odd   list\n{% endhint %}\n\nafter\n')
})

test('blocks can be inserted, removed and moved', () => {
  const document = parse('a\n\n\nb\n***\nc')
  const [a, b, rule, c] = document.blocks as [Block, Block, Block, Block]
  const after = (blocks: Block[]) => write({ ...document, blocks })
  assert.equal(after([a, paragraph('x'), b, rule, c]), 'a\n\n\nx\n\n\nb\n***\nc')
  assert.equal(after([a, c]), 'a\n\n\nc')
  assert.equal(after([c, a]), 'c\n\na')
  assert.equal(after([]), '')
  assert.equal(write({ ...parse(''), blocks: [paragraph('x')] }), 'x\n')
})

test('code of nothing but white space, including tabs, reads as it was', () => {
  for (const text of ['  \t  ', '\t', ' ', '  ', ' \t', ' a ', ' ` ']) {
    const code: Block = {
      type: 'paragraph',
      inlines: [
        { type: 'text', text: 'x' },
        { type: 'code', text },
      ],
    }
    const [read] = parse(write({ ...parse(''), blocks: [code] })).blocks
    assert.deepEqual(read?.type === 'paragraph' && read.inlines, code.inlines)
  }
})

test('nested quotes that begin with a tag right below HTML keep their marks when a block in them changes', () => {
  const source = '<!-- a -->\n> > {% hint style="info" %}\n> > old\n> > {% endhint %}\n'
  assert.equal(edited(source, saying('old')), source.replace('old', 'new'))
  const { blocks } = parse('<!-- a -->\n> > {% endtabs %}')
  const [, outer] = blocks
  assert.ok(outer?.type === 'quote')
  assert.deepEqual([outer.range?.start, outer.blocks[0]?.range?.start], [11, 13])
})
