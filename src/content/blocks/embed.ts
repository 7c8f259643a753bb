import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { loneFrame } from '../html/frames.ts'
import { attributes, html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTag, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import { captionBlocks, captionFragments, withCaption } from './caption.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, textField, type BlockFromDocument, type TagContent } from './reading.ts'

export interface Embed extends BlockBase {
  readonly type: 'embed'
  readonly url: string
  readonly others?: Attributes
  /** The caption. */
  readonly blocks: readonly Block[]
}

export function readEmbed(tag: TagContent): Embed {
  const { attributes, blocks } = withCaption(tag)
  return {
    type: 'embed',
    url: '',
    ...textAttributes(attributes, ['url']),
    ...otherAttributes(attributes, ['url']),
    blocks,
  }
}

/** `<iframe src="https://…"></iframe>`, as other tools write it. */
export function embedFromHtml(html: string): Embed | undefined {
  const url = loneFrame(html)
  return url === undefined ? undefined : { type: 'embed', url, blocks: [] }
}

export const embed: BlockKind<Embed> = {
  toMarkdown: ({ url, others, blocks }, write) =>
    blocks.length === 0
      ? writeTag('embed', { url, ...others })
      : writeTagBlock('embed', { url, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<figure class="embed"><a${attributes({ href: draw.link(block.url) })}>${block.url}</a>${block.blocks.length > 0 && html`<figcaption>${draw.blocks(block.blocks)}</figcaption>`}</figure>`,
  toDocument({ url, others, blocks }, to) {
    const { data, extra } = otherFields(others, ['fullWidth'])
    return node('embed', { data: { url, ...data }, ...captionFragments(blocks, to), extra })
  },
}

export const embedFromDocument: BlockFromDocument = (node, read) => ({
  type: 'embed',
  url: textField(node, 'url') ?? '',
  ...othersFrom(node, ['fullWidth']),
  blocks: captionBlocks(node, read),
})
