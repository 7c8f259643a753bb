import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'

/**
 * Stands where evaluating a page failed: an include that is missing or includes itself. No source has it; whoever asks
 * for Markdown or for a document gets it as a hint.
 */
export interface ErrorBlock extends BlockBase {
  readonly type: 'error'
  readonly message: string
}

export const error: BlockKind<ErrorBlock> = {
  toMarkdown: (block, write) => write.blocks([asHint(block)]),
  toHtml: (block) => html`<p class="error" role="alert">${block.message}</p>`,
  toDocument: (block, to) =>
    node('hint', { data: { style: 'danger' }, nodes: [to.paragraph(words(block))], extra: { error: true } }),
}

const words = ({ message }: ErrorBlock): Inline[] => [{ type: 'text', text: message }]

const asHint = (block: ErrorBlock): Block => ({
  type: 'hint',
  style: 'danger',
  blocks: [{ type: 'paragraph', inlines: words(block) }],
})
