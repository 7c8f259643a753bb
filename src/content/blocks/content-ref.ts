import type { Block } from '../blocks.ts'
import { attributes, html } from '../html/template.ts'
import { otherAttributes, textAttributes, textValue, writeTag, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import { block as node, fragment } from '../document/shape.ts'
import { plainText, saysAddress } from '../inlines/text.ts'
import { fileFromDocument } from './file.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, type BlockFromDocument, type TagContent } from './reading.ts'

/** A link to a page in a block of its own, shown as a card. */
export interface ContentRef extends BlockBase {
  readonly type: 'content-ref'
  readonly url: string
  readonly others?: Attributes
  /** GitBook repeats the link inside, for people who read the plain Markdown. */
  readonly blocks: readonly Block[]
}

export const readContentRef = ({ attributes, blocks }: TagContent): ContentRef => ({
  type: 'content-ref',
  url: '',
  ...textAttributes(attributes, ['url']),
  ...otherAttributes(attributes, ['url']),
  blocks,
})

/** `{% page-ref page="…" %}`, as GitBook wrote it until 2021. */
export const readPageRef = ({ attributes, blocks }: TagContent): ContentRef => ({
  type: 'content-ref',
  url: textValue(attributes['page']) ?? '',
  ...otherAttributes(attributes, ['page']),
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
  toDocument: (block, to) =>
    node('content-ref', {
      data: { ref: to.ref(block.url) },
      // Omitted if it merely repeats the address: reading the document back creates the same again.
      ...(repeatsAddress(block) ? {} : { fragments: [fragment('fallback', to.blocks(block.blocks))] }),
      extra: otherFields(block.others).extra,
    }),
}

/**
 * Whether it has text of its own. Text that only repeats the address is useless to a reader for whom the target does
 * not exist.
 */
export function hasWords(block: ContentRef): boolean {
  const link = onlyLink(block)
  return block.blocks.length > 0 && !(link?.href === block.url && saysAddress(link))
}

function repeatsAddress(block: ContentRef): boolean {
  const link = onlyLink(block)
  return link?.href === block.url && plainText(link.inlines) === block.url
}

function onlyLink({ blocks: [only, ...more] }: ContentRef) {
  if (only?.type !== 'paragraph' || more.length > 0 || only.inlines.length !== 1) return undefined
  const [link] = only.inlines
  return link?.type === 'link' ? link : undefined
}

export const contentRefFromDocument: BlockFromDocument = (node, read) => {
  const url = read.href(node.data?.['ref'])
  if (node.extra?.['type'] === 'file') return fileFromDocument(node, read)
  const fallback = read.fragment(node, 'fallback')
  const link: Block = {
    type: 'paragraph',
    inlines: [{ type: 'link', href: url, inlines: [{ type: 'text', text: url }] }],
  }
  const blocks = fallback ? read.blocks(fallback.nodes) : url === '' ? [] : [link]
  return { type: 'content-ref', url, ...othersFrom(node), blocks }
}
