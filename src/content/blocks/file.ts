import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { attributes, html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTag, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import { captionBlocks, captionFragments, withCaption } from './caption.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, textFields, type BlockFromDocument, type TagContent } from './reading.ts'

export interface File extends BlockBase {
  readonly type: 'file'
  readonly src: string
  readonly name?: string
  readonly others?: Attributes
  /** The caption. */
  readonly blocks: readonly Block[]
}

export function readFile(tag: TagContent): File {
  const { attributes, blocks } = withCaption(tag)
  return {
    type: 'file',
    src: '',
    ...textAttributes(attributes, ['src', 'name']),
    ...otherAttributes(attributes, ['src', 'name']),
    blocks,
  }
}

export const file: BlockKind<File> = {
  toMarkdown: ({ src, name, others, blocks }, write) =>
    blocks.length === 0
      ? writeTag('file', { src, name, ...others })
      : writeTagBlock('file', { src, name, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<figure class="file"><a${attributes({ href: draw.link(block.src), download: true })}>${block.name ?? block.src}</a>${block.blocks.length > 0 && html`<figcaption>${draw.blocks(block.blocks)}</figcaption>`}</figure>`,
  // A file in the format is a file of the space; any other address becomes a link that is marked as a file.
  toDocument(block, to) {
    const ref = to.ref(block.src)
    const isFile = ref.kind === 'file'
    return node(isFile ? 'file' : 'content-ref', {
      data: { ref },
      ...captionFragments(block.blocks, to),
      extra: { type: isFile ? undefined : 'file', name: block.name, ...otherFields(block.others).extra },
    })
  },
}

export const fileFromDocument: BlockFromDocument = (node, read) => ({
  type: 'file',
  src: read.href(node.data?.['ref']),
  ...textFields(node, ['name']),
  ...othersFrom(node),
  blocks: captionBlocks(node, read),
})
