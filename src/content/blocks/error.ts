import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'

/**
 * Replaces a block that could not be evaluated: an include that is missing or includes itself. It occurs in no source;
 * in Markdown and documents it becomes a hint.
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
