import type * as mdast from 'mdast'
import { html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import type { BlockBase } from '../tree.ts'
import { imagesFromParagraph, type Images } from './images.ts'
import type { BlockKind } from './kind.ts'
import type { BlockFromDocument, MarkdownReader } from './reading.ts'

export interface Paragraph extends BlockBase {
  readonly type: 'paragraph'
  readonly inlines: readonly Inline[]
}

/** A paragraph that holds nothing but images is a block of images. */
export function readParagraph(node: mdast.Paragraph, read: MarkdownReader): Paragraph | Images {
  const inlines = read.inlines(node.children)
  return imagesFromParagraph(inlines) ?? { type: 'paragraph', inlines }
}

export const paragraph: BlockKind<Paragraph> = {
  toMarkdown: (block, write) => write.inlines(block.inlines),
  toHtml: (block, draw) => html`<p>${draw.inlines(block.inlines)}</p>`,
  toDocument: (block, to) => ({ object: 'block', type: 'paragraph', nodes: to.nodes(block.inlines) }),
}

export const paragraphFromDocument: BlockFromDocument = (node, read) => ({
  type: 'paragraph',
  inlines: read.inlines(node.nodes),
})
