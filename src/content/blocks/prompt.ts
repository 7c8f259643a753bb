import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, textFields, type BlockFromDocument, type TagContent } from './reading.ts'

/** Text that readers pass on to their own assistant. */
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
  toDocument({ description, icon, others, blocks }, to) {
    const { data, extra } = otherFields(others, flags)
    return node('prompt', { data: { description, icon, ...data }, nodes: to.blocks(blocks), extra })
  },
}

const flags = ['openInAIProviders']

export const promptFromDocument: BlockFromDocument = (node, read) => ({
  type: 'prompt',
  ...textFields(node, ['description', 'icon']),
  ...othersFrom(node, flags),
  blocks: read.blocks(node.nodes),
})
