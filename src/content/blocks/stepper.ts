import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, saysExtra, type BlockFromDocument, type TagContent } from './reading.ts'

export interface Stepper extends BlockBase {
  readonly type: 'stepper'
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export interface Step extends BlockBase {
  readonly type: 'step'
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export const readStepper = ({ attributes, blocks }: TagContent): Stepper => ({
  type: 'stepper',
  ...otherAttributes(attributes, []),
  blocks,
})

export const readStep = ({ attributes, blocks }: TagContent): Step => ({
  type: 'step',
  ...otherAttributes(attributes, []),
  blocks,
})

export const stepper: BlockKind<Stepper> = {
  toMarkdown: (block, write) => writeTagBlock('stepper', { ...block.others }, write.blocks(block.blocks)),
  toHtml: (block, draw) =>
    html`<ol class="stepper">
      ${draw.blocks(block.blocks)}
    </ol>`,
  toDocument: ({ others, blocks }, to) =>
    node('stepper', { nodes: to.parts(blocks, 'step'), extra: otherFields(others).extra }),
}

export const step: BlockKind<Step> = {
  toMarkdown: (block, write) => writeTagBlock('step', { ...block.others }, write.blocks(block.blocks)),
  toHtml: (block, draw) => html`<li class="step">${draw.blocks(block.blocks)}</li>`,
  toDocument({ others: { icon, ...others } = {}, blocks }, to) {
    return node('stepper-step', { data: { icon }, nodes: to.blocks(blocks), extra: otherFields(others).extra })
  },
}

export const stepperFromDocument: BlockFromDocument = (node, read) => {
  const blocks = read.blocks(node.nodes)
  return saysExtra(node, 'bare') ? blocks : { type: 'stepper', ...othersFrom(node), blocks }
}

export const stepFromDocument: BlockFromDocument = (node, read) => {
  const blocks = read.blocks(node.nodes)
  return saysExtra(node, 'stray') ? blocks : { type: 'step', ...othersFrom(node, [], ['icon']), blocks }
}
