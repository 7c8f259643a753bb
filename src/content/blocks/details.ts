import type { Block } from '../blocks.ts'
import { attributes, html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { booleanField, type BlockFromDocument } from './reading.ts'

/** `<details>` with Markdown inside: a part that a reader opens. */
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
  toDocument: (block, to) => ({
    object: 'block',
    type: 'expandable',
    ...(block.open ? { data: { open: true } } : {}),
    fragments: [
      to.fragment('expandable-title', block.summary),
      { object: 'fragment', type: 'expandable-body', fragment: 'expandable-body', nodes: to.blocks(block.blocks) },
    ],
  }),
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
