import type * as mdast from 'mdast'
import { attributes, html, trusted } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument, type MarkdownReader } from './reading.ts'

export interface Heading extends BlockBase {
  readonly type: 'heading'
  readonly level: 1 | 2 | 3 | 4 | 5 | 6
  /** An anchor that the author chose: `## Title {#id}` or `## Title <a id="id"></a>`. */
  readonly id?: string
  readonly inlines: readonly Inline[]
}

export function readHeading(node: mdast.Heading, read: MarkdownReader): Heading {
  const { id, inlines } = takeId(read.inlines(node.children), read.source(node))
  return { type: 'heading', level: node.depth, ...(id === undefined ? {} : { id }), inlines }
}

const chosenId = /[ \t]*\{#([^\s{}#]+)\}[ \t]*$/

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
    const text = write.inlines(block.inlines, 'line')
    const anchored = block.inlines.some((inline) => inline.type === 'anchor')
    const id = block.id !== undefined && !anchored ? ` {#${block.id}}` : ''
    // A closing run of `#` would be taken for decoration.
    return `${'#'.repeat(block.level)} ${text.replace(/(^|[ \t])(#+)$/, '$1\\$2')}${id}`.trimEnd()
  },
  toHtml(block, draw) {
    const tag = trusted(`h${block.level}`)
    return html`<${tag}${attributes({ id: draw.anchor(block) })}>${draw.inlines(block.inlines)}</${tag}>`
  },
  // The API knows three levels; the true one is kept beside it.
  toDocument: (block, to) => ({
    object: 'block',
    type: `heading-${Math.min(block.level, 3)}`,
    ...(block.level > 3 || block.id !== undefined
      ? { data: { ...(block.level > 3 ? { level: block.level } : {}), ...(block.id ? { id: block.id } : {}) } }
      : {}),
    nodes: to.nodes(block.inlines),
  }),
}

export const headingFromDocument: BlockFromDocument = (node, read) => {
  const id = textField(node, 'id')?.replace(/[\s{}#]+/g, '-')
  return {
    type: 'heading',
    level: levelOf(node.data?.['level']) ?? levelOf(Number(node.type.at(-1))) ?? 1,
    ...(id === undefined ? {} : { id }),
    inlines: read.inlines(node.nodes),
  }
}

function levelOf(value: unknown): Heading['level'] | undefined {
  return ([1, 2, 3, 4, 5, 6] as const).find((level) => level === value)
}
