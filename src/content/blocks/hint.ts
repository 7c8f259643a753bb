import type * as mdast from 'mdast'
import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import {
  otherFields,
  othersFrom,
  textFields,
  type BlockFromDocument,
  type MarkdownReader,
  type TagContent,
} from './reading.ts'

const styles = ['info', 'warning', 'danger', 'success'] as const

export interface Hint extends BlockBase {
  readonly type: 'hint'
  readonly style: (typeof styles)[number]
  readonly icon?: string
  readonly title?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export function readHint({ attributes, blocks }: TagContent): Hint {
  return {
    type: 'hint',
    style: styleOf(attributes['style']),
    ...textAttributes(attributes, ['icon', 'title']),
    ...otherAttributes(attributes, ['style', 'icon', 'title']),
    blocks,
  }
}

/** The alerts of GitHub: a quote whose first line is `[!NOTE]`. */
const alerts = new Map<string, Hint['style']>([
  ['note', 'info'],
  ['tip', 'success'],
  ['important', 'info'],
  ['warning', 'warning'],
  ['caution', 'danger'],
])

const alertMark = /^\[!([A-Za-z]+)\][ \t]*(?:$|(?:\r\n|\r|\n)[ \t>]*)/

/** Reads a quote that is an alert as a hint. An alert with nothing but its mark stays a quote. */
export function readAlert({ children: [first, ...others] }: mdast.Blockquote, read: MarkdownReader): Hint | undefined {
  if (first?.type !== 'paragraph') return undefined
  const [mark, name = ''] = alertMark.exec(read.source(first)) ?? []
  const style = alerts.get(name.toLowerCase())
  const text = mark === undefined ? undefined : withoutMark(first, mark.length)
  const nodes = text ? [text, ...others] : others
  return style && nodes.length > 0 ? { type: 'hint', style, blocks: read.blocks(nodes) } : undefined
}

/** Returns the paragraph without its first line. */
function withoutMark(paragraph: mdast.Paragraph, length: number): mdast.Paragraph | undefined {
  const [first, next, ...others] = paragraph.children
  if (first?.type !== 'text') return undefined
  const [, value] = /^[^\r\n]*(?:\r\n|\r|\n)([^]*)$/.exec(first.value) ?? []
  const rest = value === undefined || value === '' ? [] : [movedTo({ ...first, value }, first, length)]
  const children = [...rest, ...(next && next.type !== 'break' ? [next] : []), ...others]
  return children.length > 0 ? movedTo({ ...paragraph, children }, paragraph, length) : undefined
}

function movedTo<Node extends mdast.Nodes>(node: Node, { position }: mdast.Nodes, length: number): Node {
  if (!position) return node
  const start = { ...position.start, offset: (position.start.offset ?? 0) + length }
  return { ...node, position: { ...position, start } }
}

const styleOf = (value: unknown): Hint['style'] =>
  styles.find((style) => style === value) ?? olderStyles.get(value) ?? 'info'

/** The names of styles in early versions of GitBook. */
const olderStyles = new Map<unknown, Hint['style']>([
  ['tip', 'success'],
  ['working', 'warning'],
])

export const hint: BlockKind<Hint> = {
  toMarkdown: ({ style, icon, title, others, blocks }, write) =>
    writeTagBlock('hint', { style, icon, title, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<aside class="hint hint-${block.style}" role="note">
      ${block.title && html`<p><strong>${block.title}</strong></p>`}${draw.blocks(block.blocks)}
    </aside>`,
  toDocument: ({ style, icon, title, others, blocks }, to) =>
    node('hint', { data: { style, icon, title }, nodes: to.blocks(blocks), extra: otherFields(others).extra }),
}

export const hintFromDocument: BlockFromDocument = (node, read) => ({
  type: 'hint',
  style: styleOf(node.data?.['style']),
  ...textFields(node, ['icon', 'title']),
  ...othersFrom(node),
  blocks: read.blocks(node.nodes),
})
