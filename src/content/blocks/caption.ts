import type { Block } from '../blocks.ts'
import { fragment, type DocumentBlock, type DocumentFragment } from '../document/shape.ts'
import type { DocumentWriter } from './kind.ts'
import type { DocumentReader } from './reading.ts'

/** In a document a caption is a fragment beside the block, in Markdown it is what stands inside it. */
export function captionFragments(blocks: readonly Block[], to: DocumentWriter): { fragments?: DocumentFragment[] } {
  return blocks.length === 0 ? {} : { fragments: [fragment('caption', to.blocks(blocks))] }
}

export function captionBlocks(node: DocumentBlock, read: DocumentReader): Block[] {
  return read.blocks(read.fragment(node, 'caption')?.nodes)
}
