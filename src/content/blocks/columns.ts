import type { Block } from '../blocks.ts'
import { readLength, writeLength } from '../document/length.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, saysExtra, textField, type BlockFromDocument, type TagContent } from './reading.ts'

export interface Columns extends BlockBase {
  readonly type: 'columns'
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export interface Column extends BlockBase {
  readonly type: 'column'
  /** As written: `50%`. */
  readonly width?: string
  readonly valign?: string
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
  ...textAttributes(attributes, ['width', 'valign']),
  ...otherAttributes(attributes, ['width', 'valign']),
  blocks,
})

export const columns: BlockKind<Columns> = {
  toMarkdown: (block, write) => writeTagBlock('columns', { ...block.others }, write.blocks(block.blocks)),
  toHtml: (block, draw) => html`<div class="columns">${draw.blocks(block.blocks)}</div>`,
  toDocument(block, to) {
    const { data, extra } = otherFields(block.others, ['fullWidth'])
    return node('columns', { data, nodes: to.parts(block.blocks, 'column'), extra })
  },
}

export const column: BlockKind<Column> = {
  toMarkdown: ({ width, valign, others, blocks }, write) =>
    writeTagBlock('column', { width, valign, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => html`<div class="column">${draw.blocks(block.blocks)}</div>`,
  toDocument({ width, valign, others, blocks }, to) {
    const [length, alignment] = [readLength(width), alignments.find((value) => value === valign)]
    return node('column', {
      data: { width: length, verticalAlignment: alignment },
      nodes: to.blocks(blocks),
      extra: { width: length === undefined ? width : undefined, ...otherFields(others).extra },
    })
  },
}

const alignments = ['top', 'middle', 'bottom'] as const

export const columnsFromDocument: BlockFromDocument = (node, read) => {
  const blocks = read.blocks(node.nodes)
  return saysExtra(node, 'bare') ? blocks : { type: 'columns', ...othersFrom(node, ['fullWidth']), blocks }
}

export const columnFromDocument: BlockFromDocument = (node, read) => {
  const blocks = read.blocks(node.nodes)
  const [width, valign] = [
    writeLength(node.data?.['width'] ?? node.extra?.['width']),
    textField(node, 'verticalAlignment'),
  ]
  if (saysExtra(node, 'stray')) return blocks
  return {
    type: 'column',
    ...(width === undefined ? {} : { width }),
    ...(valign === undefined ? {} : { valign }),
    ...othersFrom(node),
    blocks,
  }
}
