import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument } from './reading.ts'

/** HTML that is no block of its own. Kept as written, shown sanitized. */
export interface HtmlBlock extends BlockBase {
  readonly type: 'html'
  readonly html: string
}

export const htmlBlock: BlockKind<HtmlBlock> = {
  toMarkdown: (block) => block.html.trim(),
  toHtml: (block, draw) => draw.raw(block.html),
  toDocument: (block) => ({ object: 'block', type: 'html', isVoid: true, data: { html: block.html } }),
}

export const htmlFromDocument: BlockFromDocument = (node) => ({ type: 'html', html: textField(node, 'html') ?? '' })
