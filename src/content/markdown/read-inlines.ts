import type * as mdast from 'mdast'
import { tagAttributes } from '../html/attributes.ts'
import { isVoidElement, readTag, type HtmlTag } from '../html/tags.ts'
import type { Inline } from '../inlines.ts'
import { mergeTexts } from '../inlines/merge.ts'
import { annotatedLabel, inlineFromElement } from '../inlines/element.ts'
import { inlinesFromWords } from '../inlines/words.ts'
import { limits } from '../limits.ts'
import { splitAddress } from './bare-addresses.ts'
import { nest, Pair, type Piece } from './nest.ts'
import type { Source } from './source.ts'

/** Converts the parser's phrasing content to the types of `inlines.ts`, with HTML tags paired up. */
export function readInlines(nodes: readonly mdast.PhrasingContent[], source: Source, depth = 0): Inline[] {
  const hasHtml = nodes.some((node) => node.type === 'html')
  const pieces = hasHtml ? nest(nodes, tagMark, limits.nesting - depth) : nodes
  const inlines = pieces.flatMap((piece) => readPiece(piece, source, depth))
  const merged = hasHtml || inlines.length > nodes.length ? mergeTexts(inlines) : inlines
  return nodes.some((node) => node.type === 'footnoteReference') ? withAnnotations(merged) : merged
}

/** In `[text](#user-content-fn-1)[^1]` the footnote annotates the text. It is not a link beside a footnote. */
function withAnnotations(inlines: readonly Inline[]): Inline[] {
  const found: Inline[] = []
  for (const inline of inlines) {
    const before = found.at(-1)
    const annotates =
      inline.type === 'footnote-reference' && before?.type === 'link' && annotatedLabel(before.href) === inline.label
    if (annotates) found[found.length - 1] = { ...inline, inlines: before.inlines }
    else found.push(inline)
  }
  return found
}

function readPiece(piece: Piece<mdast.PhrasingContent>, source: Source, depth: number): Inline[] {
  if (!(piece instanceof Pair)) return readInline(piece, source, depth)
  const { open } = piece
  const tag = open.type === 'html' ? tagIn(source.words(open, open.value)) : undefined
  if (!tag) return []
  const inside = piece.inside.flatMap((inner) => readPiece(inner, source, depth + 1))
  const range = { start: source.range(piece.open).start, end: source.range(piece.close).end }
  return [inlineFromElement(tag.name, tagAttributes(tag), inside, range)]
}

function readInline(node: mdast.PhrasingContent, source: Source, depth: number): Inline[] {
  if (depth >= limits.nesting && 'children' in node) return [{ type: 'text', text: source.text(node) }]
  switch (node.type) {
    case 'text':
      return inlinesFromWords(source.words(node, node.value), source.text(node))
    case 'emphasis':
      return [{ type: 'emphasis', inlines: readInlines(node.children, source, depth + 1) }]
    case 'strong':
      return [{ type: 'strong', inlines: readInlines(node.children, source, depth + 1) }]
    case 'delete':
      return [{ type: 'strikethrough', inlines: readInlines(node.children, source, depth + 1) }]
    case 'inlineCode':
      return [{ type: 'code', text: source.words(node, node.value).replace(/\r\n|\r|\n/g, ' ') }]
    case 'inlineMath':
      return [{ type: 'math', text: source.words(node, node.value) }]
    case 'break':
      return [{ type: 'break' }]
    case 'link':
      return readBareAddresses(node, source) ?? [readLink(node, source, depth)]
    case 'linkReference':
      return [readReference(node, source, depth)]
    case 'image':
      return [image(node, node.url, node.title, source)]
    case 'imageReference': {
      const definition = source.definition(node.identifier)
      return [
        { ...image(node, definition?.url ?? '', definition?.title, source), reference: node.label ?? node.identifier },
      ]
    }
    case 'footnoteReference':
      return [{ type: 'footnote-reference', label: source.words(node, node.label ?? node.identifier) }]
    case 'html':
      return [readHtml(node, source)]
    default:
      return [{ type: 'text', text: source.text(node) }]
  }
}

/** Reads a bare address if the parser took more than the address for it. Otherwise returns undefined. */
function readBareAddresses(node: mdast.Link, source: Source): Inline[] | undefined {
  const { start } = source.range(node)
  return splitAddress(source.text(node))?.flatMap(({ text, at, href }): Inline[] => {
    if (href === undefined) return inlinesFromWords(text)
    const range = { start: start + at, end: start + at + text.length }
    return [{ type: 'link', href, inlines: [{ type: 'text', text }], range }]
  })
}

function readLink(node: mdast.Link, source: Source, depth: number): Inline {
  // In a table, a `|` that ends no cell has a backslash before it, which the parser leaves in a bare address.
  if (node.url.includes('\\|') && /^<?https?:/i.test(source.text(node))) {
    const href = source.words(node, node.url).replaceAll('\\|', '|')
    return { type: 'link', href, inlines: [{ type: 'text', text: href }], range: source.range(node) }
  }
  const inlines = readInlines(node.children, source, depth + 1)
  const place = { href: source.words(node, node.url), inlines, range: source.range(node) }
  if (node.title === 'mention') return { type: 'mention', ...place }
  return { type: 'link', ...(node.title ? { title: source.words(node, node.title) } : {}), ...place }
}

function readReference(node: mdast.LinkReference, source: Source, depth: number): Inline {
  const definition = source.definition(node.identifier)
  return {
    type: 'link',
    href: definition?.url ?? '',
    ...(definition?.title ? { title: definition.title } : {}),
    reference: node.label ?? node.identifier,
    inlines: readInlines(node.children, source, depth + 1),
  }
}

function image(
  node: mdast.Image | mdast.ImageReference,
  src: string,
  title: string | null | undefined,
  source: Source,
): Extract<Inline, { type: 'image' }> {
  return {
    type: 'image',
    src: source.words(node, src),
    alt: source.words(node, node.alt ?? ''),
    ...(title ? { title: source.words(node, title) } : {}),
    range: source.range(node),
  }
}

function readHtml(node: mdast.Html, source: Source): Inline {
  const html = source.words(node, node.value)
  // A `{% tag %}` indented so far that it belongs to the paragraph above it.
  if (html.startsWith('{%')) return { type: 'text', text: html }
  const tag = tagIn(html)
  return tag && !tag.closing && isVoidElement(tag.name)
    ? inlineFromElement(tag.name, tagAttributes(tag), [], source.range(node))
    : { type: 'html', html }
}

function tagMark(node: mdast.PhrasingContent) {
  const tag = node.type === 'html' ? tagIn(node.value) : undefined
  return tag && !isVoidElement(tag.name) ? { name: tag.name, closes: tag.closing } : undefined
}

function tagIn(html: string): HtmlTag | undefined {
  const tag = readTag(html, 0)
  return typeof tag === 'object' ? tag : undefined
}
