import type { Inline, Mark } from '../inlines.ts'
import { plainText } from '../inlines/text.ts'
import {
  data,
  type ContentReference,
  type DocumentInline,
  type DocumentLeaf,
  type DocumentMark,
  type DocumentNode,
} from './shape.ts'

const markNames: Record<Mark['type'], string> = {
  strong: 'bold',
  emphasis: 'italic',
  strikethrough: 'strikethrough',
  underline: 'underline',
  keyboard: 'keyboard',
  superscript: 'superscript',
  subscript: 'subscript',
}

/** Inlines as text leaves, each with the marks that apply to it, and inline nodes between them. */
export function toNodes(inlines: readonly Inline[], ref: (href: string) => ContentReference): DocumentNode[] {
  const nodes: DocumentNode[] = []
  const addLeaf = (text: string, marks: readonly DocumentMark[]) => {
    const leaf: DocumentLeaf = { object: 'leaf', text, marks: [...marks] }
    const last = nodes.at(-1)
    if (last?.object === 'text') last.leaves.push(leaf)
    else nodes.push({ object: 'text', leaves: [leaf] })
  }
  const visit = (list: readonly Inline[], marks: readonly DocumentMark[]): void => {
    for (const inline of list) {
      switch (inline.type) {
        case 'text':
          // A line break in the source is a blank; in a document it would be a real one.
          addLeaf(inline.text.replace(/(?:\r\n|\r|\n)/g, ' '), marks)
          break
        case 'break':
          addLeaf('\n', marks)
          break
        case 'code':
          addLeaf(inline.text, [...marks, { object: 'mark', type: 'code' }])
          break
        case 'html':
          break
        case 'color': {
          const color = data({ textColor: inline.color, backgroundColor: inline.background })
          visit(inline.inlines, [...marks, { object: 'mark', type: 'color', data: color }])
          break
        }
        case 'element':
          visit(inline.inlines, marks)
          break
        case 'strong':
        case 'emphasis':
        case 'strikethrough':
        case 'underline':
        case 'keyboard':
        case 'superscript':
        case 'subscript':
          visit(inline.inlines, [...marks, { object: 'mark', type: markNames[inline.type] }])
          break
        default:
          nodes.push(inlineNode(inline, ref))
      }
    }
  }
  visit(inlines, [])
  return nodes.length > 0 ? nodes : [{ object: 'text', leaves: [{ object: 'leaf', text: '', marks: [] }] }]
}

type NodeInline = Exclude<Inline, Mark | { type: 'text' | 'break' | 'code' | 'html' | 'color' | 'element' }>

function inlineNode(inline: NodeInline, ref: (href: string) => ContentReference): DocumentInline {
  switch (inline.type) {
    case 'link':
      return {
        object: 'inline',
        type: 'link',
        data: data({ ref: ref(inline.href), title: inline.title }),
        nodes: toNodes(inline.inlines, ref),
      }
    case 'mention':
      return node('mention', { ref: ref(inline.href), text: plainText(inline.inlines) })
    case 'button': {
      const { kind, icon } = inline
      return node('button', { label: plainText(inline.inlines), ref: ref(inline.href), kind, icon })
    }
    case 'image': {
      const { src, srcDark, alt, title, width, height } = inline
      const refDark = srcDark === undefined ? undefined : ref(srcDark)
      return node('inline-image', { ref: ref(src), refDark, alt: alt === '' ? undefined : alt, title, width, height })
    }
    case 'math':
      return node('inline-math', { formula: inline.text })
    case 'expression':
      return node('expression', { expression: inline.source })
    case 'emoji':
      return node('emoji', { code: codePoints(inline.text), name: inline.name })
    case 'icon':
      return node('icon', { icon: inline.name })
    case 'anchor':
      return node('anchor', { id: inline.id })
    case 'footnote-reference':
      return node('annotation', { label: inline.label })
  }
}

function node(type: string, fields: Record<string, unknown>): DocumentInline {
  return { object: 'inline', type, isVoid: true, data: data(fields) }
}

/** `1f468-200d-1f4bb`: how the API writes emoji. */
function codePoints(emoji: string): string {
  return [...emoji].map((character) => character.codePointAt(0)?.toString(16)).join('-')
}
