import type * as mdast from 'mdast'
import { isVoidTag, tagReader } from '../blocks/from-tag.ts'
import type { Block } from '../blocks.ts'
import { readCode } from '../blocks/code.ts'
import { readDefinition } from '../blocks/definition.ts'
import { readFootnote } from '../blocks/footnote.ts'
import { readHeading } from '../blocks/heading.ts'
import { readAlert } from '../blocks/hint.ts'
import { readList, readListItem } from '../blocks/list.ts'
import { readMath } from '../blocks/math.ts'
import { readParagraph } from '../blocks/paragraph.ts'
import { readQuote } from '../blocks/quote.ts'
import { readTable } from '../blocks/table.ts'
import { readUnknown } from '../blocks/unknown.ts'
import type { MarkdownReader } from '../blocks/reading.ts'
import { limits } from '../limits.ts'
import { blockFromHtml, blockFromHtmlPair, htmlMark } from './html-blocks.ts'
import { nest, Pair, type Mark, type Piece } from './nest.ts'
import { readInlines } from './read-inlines.ts'
import type { Source } from './source.ts'
import { markOfTag, readAttributes } from './tag.ts'

/** Converts siblings of the parser's tree to blocks, with `{% tags %}` and HTML wrappers nested. */
export function readBlocks(nodes: readonly mdast.RootContent[], source: Source): Block[] {
  return readSiblings(nodes, { source, depth: 0, limit: source.length })
}

/** Where the siblings are: how deep, and the offset where their parent ends. */
interface Place {
  readonly source: Source
  readonly depth: number
  readonly limit: number
}

function readSiblings(nodes: readonly mdast.RootContent[], place: Place): Block[] {
  const hasMarks = nodes.some((node) => node.type === 'html')
  const pieces = hasMarks ? nest(nodes, (node) => markOf(node, place.source), limits.nesting - place.depth) : nodes
  return readPieces(pieces, place)
}

function readPieces(pieces: readonly Piece<mdast.RootContent>[], place: Place): Block[] {
  return pieces.map((piece, index) => {
    const next = pieces[index + 1]
    const limit = next ? place.source.range(firstNode(next)).start : place.limit
    return readPiece(piece, { ...place, limit: Math.min(limit, place.limit) })
  })
}

const firstNode = (piece: Piece<mdast.RootContent>): mdast.RootContent => (piece instanceof Pair ? piece.open : piece)

function markOf(node: mdast.RootContent, source: Source): Mark | undefined {
  if (node.type !== 'html') return undefined
  const tag = source.tag(node)
  return tag ? markOfTag(tag) : htmlMark(node.value)
}

function readPiece(piece: Piece<mdast.RootContent>, place: Place): Block {
  const { source, depth } = place
  if (!(piece instanceof Pair)) {
    const range = source.range(piece, place.limit)
    return { ...readNode(piece, { ...place, limit: range.end }), range }
  }
  const range = { start: source.range(piece.open).start, end: source.range(piece.close, place.limit).end }
  const blocks = readPieces(piece.inside, { source, depth: depth + 1, limit: source.range(piece.close).start })
  const tag = source.tag(piece.open)
  if (!tag) {
    const words = (node: mdast.RootContent) => (node.type === 'html' ? source.words(node, node.value) : '')
    return { ...blockFromHtmlPair(words(piece.open), words(piece.close), blocks), range }
  }
  const content = { ...tag, attributes: readAttributes(tag.rest), blocks, closed: true }
  return { ...(tagReader(tag.name)?.(content) ?? readUnknown(content)), range }
}

function readNode(node: mdast.RootContent, place: Place): Block {
  const { source, depth } = place
  const raw = (): Block => ({ type: 'raw', text: source.text(node) })
  if (depth >= limits.nesting && holdsBlocks(node)) return raw()
  const read: MarkdownReader = {
    // A list and its items are one level, not two.
    blocks: (nodes) => readSiblings(nodes, { ...place, depth: node.type === 'list' ? depth : depth + 1 }),
    inlines: (nodes) => readInlines(nodes, source),
    words: source.words,
    source: source.text,
  }
  switch (node.type) {
    case 'paragraph':
      return readParagraph(node, read)
    case 'heading':
      return readHeading(node, read)
    case 'list':
      return readList(node, read)
    case 'listItem':
      return readListItem(node, read)
    case 'thematicBreak':
      return { type: 'divider' }
    case 'blockquote':
      return readAlert(node, read) ?? readQuote(node, read)
    case 'code':
      return readCode(node, read)
    case 'math':
      return readMath(node, read)
    case 'table':
      return readTable(node, read) ?? raw()
    case 'definition':
      return readDefinition(node, read)
    case 'footnoteDefinition':
      return readFootnote(node, read)
    case 'html':
      return readSingleTag(node, source) ?? blockFromHtml(source.words(node, node.value))
    default:
      return raw()
  }
}

/**
 * Reads a tag without a partner. Some blocks are written that way, and unknown ones may be. All others are broken and
 * stay text.
 */
function readSingleTag(node: mdast.Html, source: Source): Block | undefined {
  const tag = source.tag(node)
  if (!tag) return undefined
  const content = { ...tag, attributes: readAttributes(tag.rest), blocks: [], closed: false }
  if (isVoidTag(tag.name)) return tagReader(tag.name)?.(content) ?? readUnknown(content)
  const known = tagReader(tag.name) !== undefined || tag.name.startsWith('end')
  return known ? { type: 'raw', text: source.text(node) } : readUnknown(content)
}

const holdsBlocks = (node: mdast.RootContent): boolean =>
  node.type === 'list' || node.type === 'blockquote' || node.type === 'footnoteDefinition'
