import type { Block } from '../blocks.ts'
import { data } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textFields, type BlockFromDocument, type TagContent } from './reading.ts'

export interface Columns extends BlockBase {
  readonly type: 'columns'
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export interface Column extends BlockBase {
  readonly type: 'column'
  /** As written: `50%`. */
  readonly width?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export const readColumns = ({ attributes, blocks }: TagContent): Columns => ({
  type: 'columns',
  ...otherAttributes(attributes, []),
  blocks,
})

export const readColumn = ({ attributes, blocks }: TagContent): Column => ({
  type: 'column',
  ...textAttributes(attributes, ['width']),
  ...otherAttributes(attributes, ['width']),
  blocks,
})

export const columns: BlockKind<Columns> = {
  toMarkdown: (block, write) => writeTagBlock('columns', { ...block.others }, write.blocks(block.blocks)),
  toHtml: (block, draw) => html`<div class="columns">${draw.blocks(block.blocks)}</div>`,
  toDocument: (block, to) => ({ object: 'block', type: 'columns', nodes: to.blocks(block.blocks) }),
}

export const column: BlockKind<Column> = {
  toMarkdown: ({ width, others, blocks }, write) => writeTagBlock('column', { width, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => html`<div class="column">${draw.blocks(block.blocks)}</div>`,
  toDocument: ({ width, blocks }, to) => ({
    object: 'block',
    type: 'column',
    data: data({ width }),
    nodes: to.blocks(blocks),
  }),
}

export const columnsFromDocument: BlockFromDocument = (node, read) => ({
  type: 'columns',
  blocks: read.blocks(node.nodes),
})

export const columnFromDocument: BlockFromDocument = (node, read) => ({
  type: 'column',
  ...textFields(node, ['width']),
  blocks: read.blocks(node.nodes),
})
