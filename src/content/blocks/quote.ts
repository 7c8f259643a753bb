import type * as mdast from 'mdast'
import type { Block } from '../blocks.ts'
import { html } from '../html/template.ts'
import { prefixLines } from '../markdown/lines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import type { BlockFromDocument, MarkdownReader } from './reading.ts'

export interface Quote extends BlockBase {
  readonly type: 'quote'
  readonly blocks: readonly Block[]
}

export function readQuote(node: mdast.Blockquote, read: MarkdownReader): Quote {
  return { type: 'quote', blocks: read.blocks(node.children) }
}

export const quote: BlockKind<Quote> = {
  toMarkdown: (block, write) => prefixLines(write.blocks(block.blocks), '> ', '> ').trimEnd(),
  toHtml: (block, draw) => html`<blockquote>${draw.blocks(block.blocks)}</blockquote>`,
  toDocument: (block, to) => ({ object: 'block', type: 'blockquote', nodes: to.blocks(block.blocks) }),
}

export const quoteFromDocument: BlockFromDocument = (node, read) => ({ type: 'quote', blocks: read.blocks(node.nodes) })
