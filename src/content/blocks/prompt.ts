import type { Block } from '../blocks.ts'
import { data } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textFields, type BlockFromDocument, type TagContent } from './reading.ts'

/** Text that a reader hands to an assistant of their own. */
export interface Prompt extends BlockBase {
  readonly type: 'prompt'
  readonly description?: string
  readonly icon?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export const readPrompt = ({ attributes, blocks }: TagContent): Prompt => ({
  type: 'prompt',
  ...textAttributes(attributes, ['description', 'icon']),
  ...otherAttributes(attributes, ['description', 'icon']),
  blocks,
})

export const prompt: BlockKind<Prompt> = {
  toMarkdown: ({ description, icon, others, blocks }, write) =>
    writeTagBlock('prompt', { description, icon, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<section class="prompt">
      ${block.description && html`<p>${block.description}</p>`}${draw.blocks(block.blocks)}
    </section>`,
  toDocument: ({ description, icon, blocks }, to) => ({
    object: 'block',
    type: 'prompt',
    data: data({ description, icon }),
    nodes: to.blocks(blocks),
  }),
}

export const promptFromDocument: BlockFromDocument = (node, read) => ({
  type: 'prompt',
  ...textFields(node, ['description', 'icon']),
  blocks: read.blocks(node.nodes),
})
