import { blocksFromDocument } from './blocks/from-document.ts'
import type { DocumentReader } from './blocks/reading.ts'
import type { Block } from './blocks.ts'
import { toInlines } from './document/inlines.ts'
import { Notes } from './document/notes.ts'
import { hrefOf } from './document/reference.ts'
import { sourceOf } from './document/source.ts'
import type { DocumentBlock, DocumentNode } from './document/shape.ts'
import { validateDocument, type DocumentProblem } from './document/validate.ts'
import { textOfHtml } from './html/text.ts'
import { writeBlocks } from './markdown/write-blocks.ts'
import { parse } from './parse.ts'
import { toPlainText } from './text.ts'

export type FromDocument = { readonly markdown: string } | { readonly problems: readonly DocumentProblem[] }

/** Converts a document that a client sent to Markdown. Blocks of unknown types are replaced by their content. */
export function fromDocument(json: unknown): FromDocument {
  const checked = validateDocument(json)
  if (!('object' in checked)) return { problems: checked }
  const notes = new Notes((nodes) => read.blocks(nodes))
  const read = readerWith(notes)
  const blocks = read.blocks(checked.nodes)
  const markdown = writeBlocks([...blocks, ...notes.footnotes()])
  return { markdown: markdown === '' ? '' : `${markdown}\n` }
}

function readerWith(notes: Notes): DocumentReader {
  const read: DocumentReader = {
    blocks: (nodes) => readNodes(nodes, read),
    inlines: (nodes) => toInlines(nodes, notes),
    fragment: (node, type) => node.fragments?.find((part) => part.type === type || part.fragment === type),
    href: hrefOf,
    source(markdown) {
      notes.noteSource(markdown)
      return { type: 'raw', text: markdown }
    },
  }
  return read
}

function readNodes(nodes: readonly DocumentNode[] | undefined, read: DocumentReader): Block[] {
  const blocks: Block[] = []
  let run: DocumentNode[] = []
  // Text between blocks becomes a paragraph.
  const flush = () => {
    const inlines = read.inlines(run)
    if (inlines.length > 0) blocks.push({ type: 'paragraph', inlines })
    run = []
  }
  for (const node of nodes ?? []) {
    if (node.object === 'block') {
      flush()
      // One by one: as arguments of a single call, very many blocks would overflow the stack.
      for (const block of readBlock(node, read)) blocks.push(block)
    } else {
      run.push(node)
    }
  }
  flush()
  return blocks
}

function readBlock(node: DocumentBlock, read: DocumentReader): readonly Block[] {
  const source = node.type === 'paragraph' ? sourceOf(node, shows) : undefined
  if (source !== undefined) return [read.source(source)]
  const made = blocksFromDocument.get(node.type)?.(node, read)
  if (made === undefined)
    return read.blocks([...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((part) => part.nodes)])
  return 'type' in made ? [made] : made
}

/** The last lines of a block of HTML may be Markdown when they are read alone, such as a text with a link in it. */
const shows = (markdown: string, text: string): boolean =>
  text === toPlainText(parse(markdown).blocks) || text === textOfHtml(markdown)
