import type * as mdast from 'mdast'
import { fromAlignment, toAlignment, type Align } from '../document/alignment.ts'
import { block as node } from '../document/shape.ts'
import { writeOpenTag } from '../html/attributes.ts'
import { attributes, html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import type { BlockBase } from '../tree.ts'
import { imagesFromParagraph, type Images } from './images.ts'
import type { BlockKind } from './kind.ts'
import type { BlockFromDocument, MarkdownReader } from './reading.ts'

export interface Paragraph extends BlockBase {
  readonly type: 'paragraph'
  /** Only possible in HTML: `<p align="center">`. */
  readonly align?: Align
  readonly inlines: readonly Inline[]
}

/** A paragraph that contains only images becomes a block of images. */
export function readParagraph(node: mdast.Paragraph, read: MarkdownReader): Paragraph | Images {
  const inlines = read.inlines(node.children)
  return imagesFromParagraph(inlines) ?? { type: 'paragraph', inlines }
}

export const paragraph: BlockKind<Paragraph> = {
  toMarkdown: ({ align, inlines }, write) =>
    align ? `${writeOpenTag('p', { align })}${write.inlines(inlines, 'html')}</p>` : write.inlines(inlines),
  toHtml: ({ align, inlines }, draw) => html`<p${attributes({ align })}>${draw.inlines(inlines)}</p>`,
  toDocument: ({ align, inlines }, to) =>
    node('paragraph', { data: { align: toAlignment(align) }, nodes: to.nodes(inlines) }),
}

export const paragraphFromDocument: BlockFromDocument = (node, read) => ({
  type: 'paragraph',
  ...fromAlignment(node.data?.['align']),
  inlines: read.inlines(node.nodes),
})
