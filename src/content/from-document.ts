import { blocksFromDocument } from './blocks/from-document.ts'
import type { DocumentReader } from './blocks/reading.ts'
import type { Block } from './blocks.ts'
import { toInlines } from './document/inlines.ts'
import { hrefOf } from './document/reference.ts'
import type { DocumentBlock, DocumentNode } from './document/shape.ts'
import { validateDocument, type DocumentProblem } from './document/validate.ts'
import { writeBlocks } from './markdown/write-blocks.ts'

export type FromDocument = { readonly markdown: string } | { readonly problems: readonly DocumentProblem[] }

/** Markdown from a document that a client sent. Types that are not known give what they hold. */
export function fromDocument(json: unknown): FromDocument {
  const checked = validateDocument(json)
  if (!('object' in checked)) return { problems: checked }
  const markdown = writeBlocks(readNodes(checked.nodes))
  return { markdown: markdown === '' ? '' : `${markdown}\n` }
}

function readNodes(nodes: readonly DocumentNode[] | undefined): Block[] {
  const blocks: Block[] = []
  let run: DocumentNode[] = []
  // Text that stands between blocks becomes a paragraph.
  const flush = () => {
    const inlines = toInlines(run)
    if (inlines.length > 0) blocks.push({ type: 'paragraph', inlines })
    run = []
  }
  for (const node of nodes ?? []) {
    if (node.object === 'block') {
      flush()
      blocks.push(...readBlock(node))
    } else {
      run.push(node)
    }
  }
  flush()
  return blocks
}

const reader: DocumentReader = {
  blocks: readNodes,
  inlines: toInlines,
  fragment: (node, type) => node.fragments?.find((fragment) => fragment.type === type),
  href: hrefOf,
}

function readBlock(node: DocumentBlock): readonly Block[] {
  const made = blocksFromDocument.get(node.type)?.(node, reader)
  if (made === undefined)
    return readNodes([...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((part) => part.nodes)])
  return 'type' in made ? [made] : made
}
