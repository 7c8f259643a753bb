import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, textFields, type BlockFromDocument, type TagContent } from './reading.ts'

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

const styleOf = (value: unknown): Hint['style'] => styles.find((style) => style === value) ?? 'info'

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
