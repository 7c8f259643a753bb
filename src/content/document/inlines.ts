import type { Inline } from '../inlines.ts'
import { emojiByCode } from './emoji.ts'
import { hrefOf } from './reference.ts'
import type { DocumentInline, DocumentLeaf, DocumentMark, DocumentNode } from './shape.ts'

/** The nodes inside a block of text as inlines. */
export function toInlines(nodes: readonly DocumentNode[] | undefined): Inline[] {
  return (nodes ?? []).flatMap((node) => {
    if (node.object === 'text') return fromLeaves(node.leaves, 0)
    return node.object === 'inline' ? fromInline(node) : toInlines(node.nodes)
  })
}

/** Leaves that share a mark are put into it together, outermost mark first. */
function fromLeaves(leaves: readonly DocumentLeaf[], depth: number): Inline[] {
  const inlines: Inline[] = []
  for (let at = 0; at < leaves.length;) {
    const mark = leaves[at]?.marks?.[depth]
    let end = at + 1
    while (end < leaves.length && sameMark(leaves[end]?.marks?.[depth], mark)) end++
    const run = leaves.slice(at, end)
    inlines.push(...(mark ? marked(mark, run, depth) : run.flatMap((leaf) => fromText(leaf.text))))
    at = end
  }
  return inlines
}

function sameMark(a: DocumentMark | undefined, b: DocumentMark | undefined): boolean {
  return a?.type === b?.type && JSON.stringify(a?.data) === JSON.stringify(b?.data)
}

/** More marks than there are kinds of them say nothing new. */
const maxMarks = 16

function marked(mark: DocumentMark, leaves: readonly DocumentLeaf[], depth: number): Inline[] {
  if (mark.type === 'code') {
    const text = leaves.map((leaf) => leaf.text).join('')
    return text === '' ? [] : [{ type: 'code', text }]
  }
  const inside = depth < maxMarks ? fromLeaves(leaves, depth + 1) : leaves.flatMap((leaf) => fromText(leaf.text))
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
      const [color, background] = [colorName(mark.data?.['textColor']), colorName(mark.data?.['backgroundColor'])]
      return [{ type: 'color', ...(color ? { color } : {}), ...(background ? { background } : {}), inlines: inside }]
    }
    default:
      return inside
  }
}

const colorName = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w#(),.%$ -]{1,64}$/.test(value) ? value : undefined

/** A line break in a leaf is a real one. */
function fromText(text: string): Inline[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line, index): Inline[] => [
      ...(index > 0 ? [{ type: 'break' } as const] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line } as const]),
    ])
}

function fromInline(node: DocumentInline): Inline[] {
  const text = (name: string) => {
    const value = node.data?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const inside = toInlines(node.nodes)
  const href = hrefOf(node.data?.['ref'])
  switch (node.type) {
    case 'link': {
      const title = text('title')
      return [{ type: 'link', href, ...(title === undefined ? {} : { title }), inlines: inside }]
    }
    case 'mention':
      return [{ type: 'mention', href, inlines: [{ type: 'text', text: text('text') ?? href }] }]
    case 'button': {
      const [kind, icon] = [text('kind') === 'secondary' ? 'secondary' : 'primary', text('icon')] as const
      const label: Inline[] = [{ type: 'text', text: text('label') ?? href }]
      return [{ type: 'button', href, kind, ...(icon === undefined ? {} : { icon }), inlines: label }]
    }
    case 'inline-image':
      return [image(node, href)]
    case 'inline-math':
      return [{ type: 'math', text: (text('formula') ?? '').replace(/\s*[\r\n]+\s*/g, ' ') }]
    case 'expression':
      return [{ type: 'expression', source: (text('expression') ?? '').replace(/\s+/g, ' ').trim() }]
    case 'emoji':
      return emojiByCode(text('code') ?? '')
    case 'icon':
      return [{ type: 'icon', name: (text('icon') ?? '').replace(/[^\w-]/g, '') }]
    case 'anchor':
      return [{ type: 'anchor', id: text('id') ?? '' }]
    case 'annotation': {
      const label = text('label')?.replace(/[[\]\\\s]+/g, '-')
      return label === undefined ? inside : [...inside, { type: 'footnote-reference', label }]
    }
    default:
      return inside
  }
}

function image(node: DocumentInline, src: string): Inline {
  const text = (name: string) => {
    const value = node.data?.[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const [title, width, height, srcDark] = [text('title'), text('width'), text('height'), hrefOf(node.data?.['refDark'])]
  return {
    type: 'image',
    src,
    alt: text('alt') ?? '',
    ...(title === undefined ? {} : { title }),
    ...(srcDark === '' ? {} : { srcDark }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  }
}
