import type { Block } from '../blocks.ts'
import { attributes, html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTag, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import type { BlockFromDocument, TagContent } from './reading.ts'

/** A link to a page that stands alone, shown as a card. */
export interface ContentRef extends BlockBase {
  readonly type: 'content-ref'
  readonly url: string
  readonly others?: Attributes
  /** GitBook repeats the link inside, for those who read the plain Markdown. */
  readonly blocks: readonly Block[]
}

export const readContentRef = ({ attributes, blocks }: TagContent): ContentRef => ({
  type: 'content-ref',
  url: '',
  ...textAttributes(attributes, ['url']),
  ...otherAttributes(attributes, ['url']),
  blocks,
})

export const contentRef: BlockKind<ContentRef> = {
  toMarkdown: ({ url, others, blocks }, write) =>
    blocks.length === 0
      ? writeTag('content-ref', { url, ...others })
      : writeTagBlock('content-ref', { url, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<div class="content-ref">
      ${block.blocks.length > 0 ? draw.blocks(block.blocks) : html`<a${attributes({ href: draw.link(block.url) })}>${block.url}</a>`}
    </div>`,
  toDocument: (block, to) => ({
    object: 'block',
    type: 'content-ref',
    isVoid: true,
    data: { ref: to.ref(block.url) },
  }),
}

export const contentRefFromDocument: BlockFromDocument = (node, read) => {
  const url = read.href(node.data?.['ref'])
  const link: Block = {
    type: 'paragraph',
    inlines: [{ type: 'link', href: url, inlines: [{ type: 'text', text: url }] }],
  }
  return { type: 'content-ref', url, blocks: url === '' ? [] : [link] }
}
