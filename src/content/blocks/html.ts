import { textOfHtml } from '../html/text.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'

/** HTML that is no other type of block. Kept as written, shown sanitized. */
export interface HtmlBlock extends BlockBase {
  readonly type: 'html'
  readonly html: string
}

export const htmlBlock: BlockKind<HtmlBlock> = {
  toMarkdown: (block) => block.html.trim(),
  toHtml: (block, draw) => draw.raw(block.html),
  toDocument: (block, to) => to.source(block.html, textOfHtml(block.html)),
}
