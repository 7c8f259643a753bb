import type { Block } from '../blocks.ts'
import { html } from '../html/template.ts'
import { otherAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import type { BlockFromDocument, TagContent } from './reading.ts'

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
  toDocument: (block, to) => ({ object: 'block', type: 'stepper', nodes: to.blocks(block.blocks) }),
}

export const step: BlockKind<Step> = {
  toMarkdown: (block, write) => writeTagBlock('step', { ...block.others }, write.blocks(block.blocks)),
  toHtml: (block, draw) => html`<li class="step">${draw.blocks(block.blocks)}</li>`,
  toDocument: (block, to) => ({ object: 'block', type: 'stepper-step', nodes: to.blocks(block.blocks) }),
}

export const stepperFromDocument: BlockFromDocument = (node, read) => ({
  type: 'stepper',
  blocks: read.blocks(node.nodes),
})

export const stepFromDocument: BlockFromDocument = (node, read) => ({ type: 'step', blocks: read.blocks(node.nodes) })
