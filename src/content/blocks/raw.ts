import { html } from '../html/template.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument } from './reading.ts'

/** Text that could not be read as anything else: a tag without its partner, nesting or tables beyond the limit. */
export interface Raw extends BlockBase {
  readonly type: 'raw'
  readonly text: string
}

export const raw: BlockKind<Raw> = {
  toMarkdown: (block) => block.text.trim(),
  toHtml: (block) => html`<p>${block.text}</p>`,
  toDocument: (block, to) => ({ object: 'block', type: 'raw', nodes: to.text(block.text), data: { text: block.text } }),
}

export const rawFromDocument: BlockFromDocument = (node) => ({ type: 'raw', text: textField(node, 'text') ?? '' })
