import type { Block } from '../blocks.ts'
import { data } from '../document/shape.ts'
import { attributes, html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTag, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import { captionBlocks, captionFragments } from './caption.ts'
import type { BlockKind } from './kind.ts'
import { textFields, type BlockFromDocument, type TagContent } from './reading.ts'

export interface File extends BlockBase {
  readonly type: 'file'
  readonly src: string
  readonly name?: string
  readonly others?: Attributes
  /** The caption. */
  readonly blocks: readonly Block[]
}

export const readFile = ({ attributes, blocks }: TagContent): File => ({
  type: 'file',
  src: '',
  ...textAttributes(attributes, ['src', 'name']),
  ...otherAttributes(attributes, ['src', 'name']),
  blocks,
})

export const file: BlockKind<File> = {
  toMarkdown: ({ src, name, others, blocks }, write) =>
    blocks.length === 0
      ? writeTag('file', { src, name, ...others })
      : writeTagBlock('file', { src, name, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<figure class="file"><a${attributes({ href: draw.link(block.src), download: true })}>${block.name ?? block.src}</a>${block.blocks.length > 0 && html`<figcaption>${draw.blocks(block.blocks)}</figcaption>`}</figure>`,
  toDocument: (block, to) => ({
    object: 'block',
    type: 'file',
    isVoid: true,
    data: data({ ref: to.ref(block.src), name: block.name }),
    ...captionFragments(block.blocks, to),
  }),
}

export const fileFromDocument: BlockFromDocument = (node, read) => ({
  type: 'file',
  src: read.href(node.data?.['ref']),
  ...textFields(node, ['name']),
  blocks: captionBlocks(node, read),
})
