import type { Inline, InlineImage } from '../inlines.ts'
import { emojiByCode } from '../inlines/emoji.ts'
import { onOneLine } from '../markdown/lines.ts'
import { writeLength } from './length.ts'
import type { Notes } from './notes.ts'
import { hrefOf } from './reference.ts'
import type { DocumentInline, DocumentLeaf, DocumentMark, DocumentNode } from './shape.ts'

/** Converts the nodes inside a block of text to inlines. */
export function toInlines(nodes: readonly DocumentNode[] | undefined, notes: Notes): Inline[] {
  return folded(piecesOf(nodes, notes), 0)
}

/** A piece of running text, with the marks that apply to it, outermost first. */
interface Piece {
  readonly marks: readonly DocumentMark[]
  readonly inlines: readonly Inline[]
  /** Its text as code, which can only contain text. */
  readonly text: string
}

function piecesOf(nodes: readonly DocumentNode[] = [], notes: Notes): Piece[] {
  return nodes.flatMap((node): Piece[] => {
    if (node.object === 'text') {
      return node.leaves.map((leaf) => ({ marks: marksOf(leaf), inlines: fromLeaf(leaf), text: leaf.text }))
    }
    if (node.object === 'block') return piecesOf(node.nodes, notes)
    const inside = piecesOf(node.nodes, notes)
    if (node.type === 'annotation') return [annotation(node, inside, notes)]
    // Marks around the whole content of a link become marks around the link.
    const shared = node.nodes ? sharedMarks(inside) : marksOf({ marks: marksFrom(node.extra), extra: node.extra })
    const own = inside.map((piece) => ({ ...piece, marks: piece.marks.slice(shared.length) }))
    return [{ marks: shared, inlines: fromInline(node, folded(own, 0)), text: '' }]
  })
}

/**
 * In documents, underlining is stored beside the marks; among inlines it is a mark like the others. Marks may be in any
 * order, but code can only contain text: it becomes the innermost.
 */
function marksOf({ marks, extra }: Pick<DocumentLeaf, 'marks' | 'extra'>): readonly DocumentMark[] {
  const own = (marks ?? []).toSorted((a, b) => Number(a.type === 'code') - Number(b.type === 'code'))
  return extra?.['underlined'] === true ? [{ object: 'mark', type: 'underline' }, ...own] : own
}

function marksFrom(extra: Record<string, unknown> = {}): DocumentMark[] {
  const marks = Array.isArray(extra['marks']) ? (extra['marks'] as unknown[]) : []
  return marks.filter((mark) => typeof mark === 'object' && mark !== null && 'type' in mark) as DocumentMark[]
}

function sharedMarks(pieces: readonly Piece[]): readonly DocumentMark[] {
  const [first, ...others] = pieces
  const marks = first?.marks ?? []
  const end = marks.findIndex(
    (mark, at) => mark.type === 'code' || others.some((piece) => !sameMark(piece.marks[at], mark)),
  )
  return end === -1 ? marks : marks.slice(0, end)
}

/** Wraps adjacent pieces with a common mark in that mark together. */
function folded(pieces: readonly Piece[], depth: number): Inline[] {
  const inlines: Inline[] = []
  for (let at = 0; at < pieces.length;) {
    const mark = pieces[at]?.marks[depth]
    let end = at + 1
    while (end < pieces.length && sameMark(pieces[end]?.marks[depth], mark) && !isNextKey(pieces, end)) end++
    const run = pieces.slice(at, end)
    // One by one: as arguments of a single call, the inlines of a long text would overflow the stack.
    for (const each of mark ? marked(mark, run, depth) : run.flatMap((piece) => piece.inlines)) inlines.push(each)
    at = end
  }
  return inlines
}

/** Two adjacent leaves with the same marks would be a single leaf, unless they are two separate keys. */
function isNextKey(pieces: readonly Piece[], at: number): boolean {
  const [before, marks] = [pieces[at - 1]?.marks ?? [], pieces[at]?.marks ?? []]
  const isKey = marks.some(({ type }) => type === 'keyboard')
  return isKey && before.length === marks.length && marks.every((mark, index) => sameMark(mark, before[index]))
}

function sameMark(a: DocumentMark | undefined, b: DocumentMark | undefined): boolean {
  if (a?.type !== b?.type) return false
  const plain = !a?.data && !a?.extra && !b?.data && !b?.extra
  return plain || JSON.stringify([a?.data, a?.extra]) === JSON.stringify([b?.data, b?.extra])
}

/** There are fewer kinds of marks than this, so further ones add nothing. */
const maxMarks = 16

function marked(mark: DocumentMark, pieces: readonly Piece[], depth: number): Inline[] {
  if (mark.type === 'code') {
    const text = pieces.map((piece) => piece.text).join('')
    return text === '' ? [] : [{ type: 'code', text }]
  }
  const inside = depth < maxMarks ? folded(pieces, depth + 1) : pieces.flatMap((piece) => piece.inlines)
  if (inside.length === 0) return []
  switch (mark.type) {
    case 'bold':
      return [{ type: 'strong', inlines: inside }]
    case 'italic':
      return [{ type: 'emphasis', inlines: inside }]
    case 'strikethrough':
    case 'underline':
    case 'keyboard':
    case 'superscript':
    case 'subscript':
      return [{ type: mark.type, inlines: inside }]
    case 'color': {
      const [color, background] = [colorOf(mark, 'text', 'textColor'), colorOf(mark, 'background', 'backgroundColor')]
      if (color === undefined && background === undefined && mark.data !== undefined && !mark.extra) return inside
      return [{ type: 'color', ...(color ? { color } : {}), ...(background ? { background } : {}), inlines: inside }]
    }
    default:
      return inside
  }
}

/** Returns the colour in the data, or the one in `extra` if the format has no name for it. */
function colorOf(mark: DocumentMark, ...names: string[]): string | undefined {
  const named = names.map((name) => mark.data?.[name]).find((value) => value !== undefined && value !== 'default')
  const value = named ?? mark.extra?.[names[0]!]
  return typeof value === 'string' && /^[\w#(),.%$ -]{1,64}$/.test(value) ? value : undefined
}

/** One tag, an empty element or a comment, as leaves contain them. */
const tag = /^<(?:!--[^]*-->|\/?[a-zA-Z][^<>]*>|([a-z]{1,20})\b[^<>]*><\/\1>)$/

/** A line break in the text of a leaf is a real one. */
function fromLeaf({ text, extra }: DocumentLeaf): Inline[] {
  const html = extra?.['html']
  const tags: Inline[] = typeof html === 'string' && tag.test(html) ? [{ type: 'html', html }] : []
  const words = text
    .split(/\r\n|\r|\n/)
    .flatMap((line, index): Inline[] => [
      ...(index > 0 ? [{ type: 'break' } as const] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line } as const]),
    ])
  return [...tags, ...words]
}

function fromInline(node: DocumentInline, inside: Inline[]): Inline[] {
  const href = hrefOf(node.data?.['ref'])
  switch (node.type) {
    case 'link': {
      const title = textOf(node.extra?.['title'] ?? node.data?.['title'])
      return [{ type: 'link', href, ...(title === undefined ? {} : { title }), inlines: inside }]
    }
    case 'mention': {
      const text = textOf(node.extra?.['text'] ?? node.data?.['text']) ?? href
      return [{ type: 'mention', href, inlines: [{ type: 'text', text }] }]
    }
    case 'button': {
      const kind = node.data?.['kind'] === 'secondary' ? 'secondary' : 'primary'
      const [icon, label] = [textOf(node.data?.['icon']), textOf(node.data?.['label'])]
      const inlines: Inline[] = [{ type: 'text', text: label ?? href }]
      return [{ type: 'button', href, kind, ...(icon === undefined ? {} : { icon }), inlines }]
    }
    case 'inline-image':
      return [image(node, href)]
    case 'inline-math':
      return [{ type: 'math', text: onOneLine(textOf(node.data?.['formula']) ?? '') }]
    case 'expression':
      return [{ type: 'expression', source: oneLine(textOf(node.data?.['expression']) ?? '') }]
    case 'emoji':
      return emojiByCode(textOf(node.data?.['code']) ?? '', textOf(node.extra?.['name']))
    case 'icon':
      return [{ type: 'icon', name: (textOf(node.data?.['icon']) ?? '').replace(/[^\w-]/g, '') }]
    default:
      return inside
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Turns the text of an annotation into a footnote at the end of the page. If the annotated text is only the label in
 * superscript, nothing is annotated.
 */
function annotation(node: DocumentInline, inside: readonly Piece[], notes: Notes): Piece {
  const wanted = textOf(node.extra?.['label'])
  const body = node.fragments?.find((part) => part.type === 'annotation-body')
  const label = notes.add(wanted, body?.nodes)
  const [only, ...more] = inside
  const isLabel = only?.text === wanted && only?.marks.at(-1)?.type === 'superscript' && more.length === 0
  const shared = isLabel ? only.marks.slice(0, -1) : sharedMarks(inside)
  const own = inside.map((piece) => ({ ...piece, marks: piece.marks.slice(shared.length) }))
  const inlines = isLabel ? [] : folded(own, 0)
  const reference: Inline = { type: 'footnote-reference', label, ...(inlines.length > 0 ? { inlines } : {}) }
  return { marks: shared, inlines: [reference], text: '' }
}

function image(node: DocumentInline, src: string): InlineImage {
  const field = (name: string) => node.extra?.[name] ?? node.data?.[name]
  const [title, size] = [textOf(field('title')), textOf(field('size'))]
  const [width, height, srcDark] = [
    writeLength(field('width')),
    writeLength(field('height')),
    hrefOf(node.data?.['refDark']),
  ]
  return {
    type: 'image',
    src,
    alt: textOf(node.data?.['caption'] ?? node.data?.['alt']) ?? '',
    ...(title === undefined ? {} : { title }),
    ...(srcDark === '' ? {} : { srcDark }),
    ...(size === 'line' || size === 'original' ? { size } : {}),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  }
}
