import type { Block } from '../blocks.ts'
import { fragment, type DocumentBlock, type DocumentFragment } from '../document/shape.ts'
import type { DocumentWriter } from './kind.ts'
import type { DocumentReader, TagContent } from './reading.ts'

/** In a document, a caption is a fragment of the block; in Markdown, it is the content of the tag. */
export function captionFragments(blocks: readonly Block[], to: DocumentWriter): { fragments?: DocumentFragment[] } {
  return blocks.length === 0 ? {} : { fragments: [fragment('caption', to.blocks(blocks))] }
}

/**
 * Reads `caption="…"` of a tag, as GitBook wrote it until 2021, if the tag has no content. Returns the attributes and
 * the blocks.
 */
export function withCaption({ attributes, blocks }: TagContent): Pick<TagContent, 'attributes' | 'blocks'> {
  const { caption, ...others } = attributes
  if (typeof caption !== 'string' || caption.trim() === '' || blocks.length > 0) return { attributes, blocks }
  return { attributes: others, blocks: [{ type: 'paragraph', inlines: [{ type: 'text', text: caption.trim() }] }] }
}

export function captionBlocks(node: DocumentBlock, read: DocumentReader): Block[] {
  return read.blocks(read.fragment(node, 'caption')?.nodes)
}
