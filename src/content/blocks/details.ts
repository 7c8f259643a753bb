import type { Block } from '../blocks.ts'
import { attributes, html } from '../html/template.ts'
import { block as node, fragment } from '../document/shape.ts'
import type { Inline } from '../inlines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { booleanField, type BlockFromDocument } from './reading.ts'

/** `<details>` with Markdown inside: a section that a reader can open. */
export interface Details extends BlockBase {
  readonly type: 'details'
  readonly open: boolean
  readonly summary: readonly Inline[]
  readonly blocks: readonly Block[]
}

export const details: BlockKind<Details> = {
  toMarkdown(block, write) {
    const head = `<details${block.open ? ' open' : ''}>\n\n<summary>${write.inlines(block.summary, 'html')}</summary>`
    return [head, write.blocks(block.blocks), '</details>'].filter((part) => part !== '').join('\n\n')
  },
  toHtml: (block, draw) =>
    html`<details${attributes({ open: block.open })}><summary>${draw.inlines(block.summary)}</summary>${draw.blocks(block.blocks)}</details>`,
  toDocument({ open, summary, blocks }, to) {
    const body = to.blocks(blocks)
    return node('expandable', {
      fragments: [
        fragment('expandable-title', [to.paragraph(summary)]),
        fragment('expandable-body', body.length > 0 ? body : [to.paragraph([])]),
      ],
      extra: { open: open || undefined },
    })
  },
}

export const detailsFromDocument: BlockFromDocument = (node, read) => {
  const title = read.blocks(read.fragment(node, 'expandable-title')?.nodes)
  return {
    type: 'details',
    open: booleanField(node, 'open') ?? false,
    summary: title.flatMap((block) => ('inlines' in block ? block.inlines : [])),
    blocks: read.blocks(read.fragment(node, 'expandable-body')?.nodes ?? node.nodes),
  }
}
