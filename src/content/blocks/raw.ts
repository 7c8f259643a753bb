import { html } from '../html/template.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'

/** Text that could not be parsed as anything else: a tag without its partner, nesting or tables beyond the limit. */
export interface Raw extends BlockBase {
  readonly type: 'raw'
  readonly text: string
}

export const raw: BlockKind<Raw> = {
  toMarkdown: (block) => block.text.trim(),
  toHtml: (block) => html`<p>${block.text}</p>`,
  toDocument: (block, to) => to.source(block.text, block.text),
}
