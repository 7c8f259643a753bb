import type * as mdast from 'mdast'
import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { prefixLines, withoutBlanksAtEnd } from '../markdown/lines.ts'
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
  toMarkdown: (block, write) => withoutBlanksAtEnd(prefixLines(write.blocks(block.blocks), '> ', '> ')),
  toHtml: (block, draw) => html`<blockquote>${draw.blocks(block.blocks)}</blockquote>`,
  toDocument: (block, to) => node('blockquote', { nodes: to.blocks(block.blocks) }),
}

export const quoteFromDocument: BlockFromDocument = (node, read) => ({ type: 'quote', blocks: read.blocks(node.nodes) })
