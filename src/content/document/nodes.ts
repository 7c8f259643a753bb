import { writeOpenTag } from '../html/attributes.ts'
import { isVoidElement } from '../html/tags.ts'
import type { Color, FootnoteReference, Inline, Mark } from '../inlines.ts'
import { emojiCode } from '../inlines/emoji.ts'
import { plainText } from '../inlines/text.ts'
import { writeInlineHtml } from '../markdown/write-inline-html.ts'
import { readLength } from './length.ts'
import {
  data,
  fragment,
  inline as inlineNode,
  text as textNode,
  type ContentReference,
  type DocumentBlock,
  type DocumentInline,
  type DocumentLeaf,
  type DocumentMark,
  type DocumentNode,
} from './shape.ts'

/** What inlines need to know about the document that contains them. */
export interface Surroundings {
  ref(href: string): ContentReference
  /** Returns the content of a footnote. */
  note(label: string): DocumentBlock[]
}

/** The marks of the format. It has none for underlined text, which is stored in the `extra` of the leaf. */
const markNames: Record<Exclude<Mark['type'], 'underline'>, string> = {
  strong: 'bold',
  emphasis: 'italic',
  strikethrough: 'strikethrough',
  keyboard: 'keyboard',
  superscript: 'superscript',
  subscript: 'subscript',
}

/** The marks that apply to a leaf. */
interface Marks {
  readonly marks: readonly DocumentMark[]
  readonly underlined: boolean
}

const unmarked: Marks = { marks: [], underlined: false }

/** Converts inlines to text leaves, each with the marks that apply to it, and inline nodes between them. */
export function toNodes(inlines: readonly Inline[], around: Surroundings, outer = unmarked): DocumentNode[] {
  const nodes: DocumentNode[] = []
  const addLeaf = (text: string, { marks, underlined }: Marks, html?: string) => {
    const extra = data({ underlined: underlined || undefined, html })
    const more = Object.keys(extra).length > 0 ? { extra } : {}
    const leaf: DocumentLeaf = { object: 'leaf', text, marks: [...marks], ...more }
    const last = nodes.at(-1)
    if (last?.object !== 'text') nodes.push({ object: 'text', leaves: [leaf] })
    else if (isOneWith(last.leaves.at(-1)!, leaf)) last.leaves.push({ ...leaf, text: last.leaves.pop()!.text + text })
    else last.leaves.push(leaf)
  }
  const visit = (list: readonly Inline[], within: Marks): void => {
    const marked = (mark: DocumentMark): Marks => {
      const isSaid = !mark.data && within.marks.some(({ type }) => type === mark.type)
      return isSaid ? within : { ...within, marks: [...within.marks, mark] }
    }
    for (const inline of list) {
      switch (inline.type) {
        case 'text':
          // A line break in the source is a blank; in a document it would be a real line break.
          addLeaf(inline.text.replace(/(?:\r\n|\r|\n)/g, ' '), within)
          break
        case 'break':
          addLeaf('\n', within)
          break
        case 'code':
          addLeaf(inline.text, marked({ object: 'mark', type: 'code' }))
          break
        // Tags become empty leaves, so that the text between them is as readable as any other.
        case 'html':
          addLeaf('', within, inline.html)
          break
        case 'anchor':
          addLeaf('', within, writeInlineHtml([inline]))
          break
        case 'element':
          addLeaf('', within, writeOpenTag(inline.name, inline.attributes))
          visit(inline.inlines, within)
          if (!isVoidElement(inline.name)) addLeaf('', within, `</${inline.name}>`)
          break
        case 'color':
          visit(inline.inlines, marked(colorMark(inline)))
          break
        case 'underline':
          visit(inline.inlines, { ...within, underlined: true })
          break
        case 'strong':
        case 'emphasis':
        case 'strikethrough':
        case 'keyboard':
        case 'superscript':
        case 'subscript':
          visit(inline.inlines, marked({ object: 'mark', type: markNames[inline.type] }))
          break
        default:
          nodes.push(nodeOf(inline, around, within))
      }
    }
  }
  visit(inlines, outer)
  return nodes.length > 0 ? nodes : [textNode('')]
}

/**
 * Whether two leaves are one. Documents do not record whether underlining is outside or inside of other marks: leaves
 * that differ only in that are merged.
 */
function isOneWith(before: DocumentLeaf, leaf: DocumentLeaf): boolean {
  const isText = before.text !== '\n' && leaf.text !== '\n' && !leaf.marks.some(({ type }) => type === 'keyboard')
  if (!isText || leaf.extra?.['underlined'] !== true || leaf.extra['html'] !== undefined) return false
  return JSON.stringify([before.marks, before.extra]) === JSON.stringify([leaf.marks, leaf.extra])
}

type NodeInline = Exclude<Inline, Mark | { type: 'text' | 'break' | 'code' | 'html' | 'color' | 'element' | 'anchor' }>

function nodeOf(inline: NodeInline, around: Surroundings, within: Marks): DocumentInline {
  switch (inline.type) {
    case 'link': {
      const nodes = toNodes(inline.inlines, around, within)
      return inlineNode('link', { data: { ref: around.ref(inline.href) }, nodes, extra: { title: inline.title } })
    }
    case 'footnote-reference':
      return annotation(inline, around, within)
    default: {
      const { type, data: fields, extra = {} } = voidNode(inline, around)
      // Only leaves have a field for marks.
      const marks = within.marks.length > 0 ? within.marks : undefined
      return inlineNode(type, { data: fields, extra: { ...extra, marks, underlined: within.underlined || undefined } })
    }
  }
}

interface VoidNode {
  readonly type: string
  readonly data: Record<string, unknown>
  readonly extra?: Record<string, unknown>
}

function voidNode(
  inline: Exclude<NodeInline, { type: 'link' | 'footnote-reference' }>,
  around: Surroundings,
): VoidNode {
  switch (inline.type) {
    case 'mention': {
      const text = plainText(inline.inlines)
      return { type: 'mention', data: { ref: around.ref(inline.href) }, extra: { text: text || undefined } }
    }
    case 'button': {
      const { href, kind, icon } = inline
      return { type: 'button', data: { label: plainText(inline.inlines), ref: around.ref(href), kind, icon } }
    }
    case 'image': {
      const { src, srcDark, alt, title, size, width, height } = inline
      const fields = {
        ref: fileReference(around.ref(src), src),
        refDark: srcDark === undefined ? undefined : fileReference(around.ref(srcDark), srcDark),
        caption: alt === '' ? undefined : alt,
        size,
      }
      return { type: 'inline-image', data: fields, extra: { title, width, height } }
    }
    case 'math':
      return { type: 'inline-math', data: { formula: inline.text } }
    case 'expression':
      return { type: 'expression', data: { expression: inline.source } }
    case 'emoji':
      return { type: 'emoji', data: { code: emojiCode(inline.text) }, extra: { name: inline.name } }
    case 'icon':
      return { type: 'icon', data: { icon: inline.name } }
  }
}

/** A footnote is an annotation of the text before it; if no text is annotated, its label is used as the text. */
function annotation({ label, inlines }: FootnoteReference, around: Surroundings, within: Marks): DocumentInline {
  const sign = { object: 'mark' as const, type: 'superscript' }
  const nodes = inlines
    ? toNodes(inlines, around, within)
    : toNodes([{ type: 'text', text: label }], around, { ...within, marks: [...within.marks, sign] })
  return inlineNode('annotation', {
    nodes,
    fragments: [fragment('annotation-body', around.note(label))],
    extra: { label },
  })
}

/** Images are files or URLs, whatever else their address could refer to. */
export function fileReference(ref: ContentReference, href: string): ContentReference {
  return ref.kind === 'file' || ref.kind === 'url' ? ref : { kind: 'url', url: href }
}

const colors: ReadonlySet<string> = new Set(
  'green blue red orange yellow purple $primary $info $success $warning $danger'.split(' '),
)

/**
 * The format has a few named colours; others are stored in `extra`. So is a mark without any, which would otherwise say
 * that its text has no colour.
 */
function colorMark({ color, background }: Color): DocumentMark {
  const known = (name: string | undefined) => (name !== undefined && colors.has(name) ? name : 'default')
  const other = (name: string | undefined) => (name !== undefined && colors.has(name) ? undefined : name)
  const isPlain = color === undefined && background === undefined
  const extra = data({ text: other(color), background: other(background), plain: isPlain || undefined })
  return {
    object: 'mark',
    type: 'color',
    data: { text: known(color), background: known(background) },
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  }
}

/** Returns the size of an image: values that are not lengths are stored in `extra`. */
export function sizeFields({ width, height }: { readonly width?: string; readonly height?: string }) {
  const [wide, high] = [readLength(width), readLength(height)]
  return {
    data: { width: wide, height: high },
    extra: { width: wide === undefined ? width : undefined, height: high === undefined ? height : undefined },
  }
}
