import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, saysExtra, textFields, type BlockFromDocument, type TagContent } from './reading.ts'

export interface Tabs extends BlockBase {
  readonly type: 'tabs'
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export interface Tab extends BlockBase {
  readonly type: 'tab'
  readonly title: string
  readonly icon?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export const readTabs = ({ attributes, blocks }: TagContent): Tabs => ({
  type: 'tabs',
  ...otherAttributes(attributes, []),
  blocks,
})

export const readTab = ({ attributes, blocks }: TagContent): Tab => ({
  type: 'tab',
  title: '',
  ...textAttributes(attributes, ['title', 'icon']),
  ...otherAttributes(attributes, ['title', 'icon']),
  blocks,
})

export const tabs: BlockKind<Tabs> = {
  toMarkdown: (block, write) => writeTagBlock('tabs', { ...block.others }, write.blocks(block.blocks)),
  toHtml: (block, draw) => html`<div class="tabs">${draw.blocks(block.blocks)}</div>`,
  toDocument({ others, blocks }, to) {
    const { data, extra } = otherFields(others, ['fullWidth'])
    return node('tabs', { data, nodes: to.parts(blocks, 'tab'), extra })
  },
}

export const tab: BlockKind<Tab> = {
  toMarkdown: ({ title, icon, others, blocks }, write) =>
    writeTagBlock('tab', { title, icon, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<section class="tab">
      <p><strong>${block.title}</strong></p>
      ${draw.blocks(block.blocks)}
    </section>`,
  toDocument: ({ title, icon, others, blocks }, to) =>
    node('tabs-item', { data: { title, icon }, nodes: to.blocks(blocks), extra: otherFields(others).extra }),
}

export const tabsFromDocument: BlockFromDocument = (node, read) => {
  const blocks = read.blocks(node.nodes)
  return saysExtra(node, 'bare') ? blocks : { type: 'tabs', ...othersFrom(node, ['fullWidth']), blocks }
}

export const tabFromDocument: BlockFromDocument = (node, read) => {
  const blocks = read.blocks(node.nodes)
  if (saysExtra(node, 'stray')) return blocks
  return { type: 'tab', title: '', ...textFields(node, ['title', 'icon']), ...othersFrom(node), blocks }
}
