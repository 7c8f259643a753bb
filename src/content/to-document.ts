import { kindOf } from './blocks/all.ts'
import type { DocumentWriter } from './blocks/kind.ts'
import type { Block } from './blocks.ts'
import { toNodes } from './document/nodes.ts'
import type { ContentReference, DocumentBlock, JSONDocument } from './document/shape.ts'

export interface DocumentOptions {
  /** What an address refers to; by default it is just an address. */
  ref?: (href: string) => ContentReference
}

/** The `document` format of the API. */
export function toDocument(blocks: readonly Block[], options: DocumentOptions = {}): JSONDocument {
  const ref = options.ref ?? urlReference
  const to: DocumentWriter = {
    blocks: (children) => children.map(writeBlock),
    nodes: (inlines) => toNodes(inlines, ref),
    text: (text) => [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    fragment: (type, inlines, name) => ({
      object: 'fragment',
      type,
      fragment: name ?? type,
      nodes: [{ object: 'block', type: 'paragraph', nodes: toNodes(inlines, ref) }],
    }),
    ref,
  }
  const writeBlock = (block: Block): DocumentBlock => {
    const { object, type, ...rest } = kindOf(block).toDocument(block, to)
    return { object, type, ...(block.key === undefined ? {} : { key: block.key }), ...rest }
  }
  return { object: 'document', data: { schemaVersion: 1 }, nodes: blocks.map(writeBlock) }
}

const urlReference = (url: string): ContentReference => ({ kind: 'url', url })
