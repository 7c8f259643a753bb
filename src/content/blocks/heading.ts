import type * as mdast from 'mdast'
import { fromAlignment, toAlignment, type Align } from '../document/alignment.ts'
import { block as node } from '../document/shape.ts'
import { writeOpenTag } from '../html/attributes.ts'
import { attributes, html, trusted } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import { withoutBlanksAtEnd } from '../markdown/lines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument, type MarkdownReader } from './reading.ts'

export interface Heading extends BlockBase {
  readonly type: 'heading'
  readonly level: 1 | 2 | 3 | 4 | 5 | 6
  /** An anchor that the author chose: `## Title {#id}` or `## Title <a id="id"></a>`. */
  readonly id?: string
  /** Only possible in HTML: `<h2 align="center">`. */
  readonly align?: Align
  readonly inlines: readonly Inline[]
}

export function readHeading(node: mdast.Heading, read: MarkdownReader): Heading {
  const { id, inlines } = takeId(read.inlines(node.children), read.source(node))
  return { type: 'heading', level: node.depth, ...(id === undefined ? {} : { id }), inlines }
}

/**
 * Matches only from the start of a run of blanks: otherwise a long run would be scanned again from each of its blanks.
 */
const chosenId = /(?<![ \t])[ \t]*\{#([^\s{}#]+)\}[ \t]*$/

function takeId(inlines: readonly Inline[], source: string): { id?: string; inlines: readonly Inline[] } {
  const last = inlines.at(-1)
  const escaped = source.includes('\\{#')
  const id = last?.type === 'text' && !escaped ? chosenId.exec(last.text)?.[1] : undefined
  if (last?.type === 'text' && id !== undefined) {
    const text = last.text.replace(chosenId, '')
    return { id, inlines: text === '' ? inlines.slice(0, -1) : [...inlines.slice(0, -1), { type: 'text', text }] }
  }
  const anchor = inlines.find((inline) => inline.type === 'anchor')
  return anchor ? { id: anchor.id, inlines } : { inlines }
}

export const heading: BlockKind<Heading> = {
  toMarkdown(block, write) {
    const { level, align, id, inlines } = block
    const anchored = inlines.some((inline) => inline.type === 'anchor')
    const named = id !== undefined && !anchored
    if (align) {
      return `${writeOpenTag(`h${level}`, { align, ...(named ? { id } : {}) })}${write.inlines(inlines, 'html')}</h${level}>`
    }
    // A closing run of `#` would be parsed as decoration.
    const text = write.inlines(inlines, 'line').replace(/(^|[ \t])(#+)$/, '$1\\$2')
    return withoutBlanksAtEnd(`${'#'.repeat(level)} ${text}${named ? ` {#${id}}` : ''}`)
  },
  toHtml(block, draw) {
    const tag = trusted(`h${block.level}`)
    const { align } = block
    return html`<${tag}${attributes({ id: draw.anchor(block), align })}>${draw.inlines(block.inlines)}</${tag}>`
  },
  toDocument(block, to) {
    const { level, id, align, inlines } = block
    const type = typeOf(level)
    const isPlain = id !== undefined && /^[-a-z0-9.+_]+$/.test(id)
    const anchor = to.anchor(block)
    return node(type, {
      data: { id: isPlain ? id : undefined, align: toAlignment(align) },
      nodes: to.nodes(id === undefined ? inlines : withoutAnchor(inlines, id)),
      ...(anchor === undefined ? {} : { meta: { id: anchor } }),
      extra: { level: levels[type][0] === level ? undefined : level, id: isPlain ? undefined : id },
    })
  },
}

/**
 * The format has three levels below the title of the page, and the title is the `#` of its Markdown: so `##` is the
 * first of them. The other levels of Markdown are stored along with the nearest one.
 */
const levels = { 'heading-1': [2, 1], 'heading-2': [3], 'heading-3': [4, 5, 6] } as const

type HeadingType = keyof typeof levels

const typeOf = (level: Heading['level']): HeadingType =>
  level <= 2 ? 'heading-1' : level === 3 ? 'heading-2' : 'heading-3'

/** Removes the anchor that the id came from, and the blank in front of it. */
function withoutAnchor(inlines: readonly Inline[], id: string): Inline[] {
  const at = inlines.findIndex((inline) => inline.type === 'anchor' && inline.id === id)
  if (at === -1) return [...inlines]
  const rest = inlines.toSpliced(at, 1)
  const [first, last] = [rest[0], rest.at(-1)]
  if (at === rest.length && last?.type === 'text') rest[rest.length - 1] = { type: 'text', text: last.text.trimEnd() }
  if (at === 0 && first?.type === 'text') rest[0] = { type: 'text', text: first.text.trimStart() }
  return rest.filter((inline) => inline.type !== 'text' || inline.text !== '')
}

export const headingFromDocument: BlockFromDocument = (node, read) => {
  const id = textField(node, 'id')?.replace(/[\s{}#<>"]+/g, '-')
  const inlines = read.inlines(node.nodes)
  return {
    type: 'heading',
    level: levelOf(node.type, node.extra?.['level']),
    ...fromAlignment(node.data?.['align']),
    ...(id === undefined ? {} : { id }),
    // This form is also understood by other readers of the Markdown.
    inlines: id === undefined ? inlines : [...inlines, { type: 'text', text: ' ' }, { type: 'anchor', id }],
  }
}

function levelOf(type: string, wanted: unknown): Heading['level'] {
  const possible: readonly Heading['level'][] = levels[type as HeadingType] ?? levels['heading-1']
  return possible.find((level) => level === wanted) ?? possible[0] ?? 2
}
