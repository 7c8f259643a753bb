import type { Block } from '../blocks.ts'
import { data } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textFields, type BlockFromDocument, type TagContent } from './reading.ts'

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
  toDocument: (block, to) => ({ object: 'block', type: 'tabs', nodes: to.blocks(block.blocks) }),
}

export const tab: BlockKind<Tab> = {
  toMarkdown: ({ title, icon, others, blocks }, write) =>
    writeTagBlock('tab', { title, icon, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<section class="tab">
      <p><strong>${block.title}</strong></p>
      ${draw.blocks(block.blocks)}
    </section>`,
  toDocument: ({ title, icon, blocks }, to) => ({
    object: 'block',
    type: 'tabs-item',
    data: data({ title, icon }),
    nodes: to.blocks(blocks),
  }),
}

export const tabsFromDocument: BlockFromDocument = (node, read) => ({ type: 'tabs', blocks: read.blocks(node.nodes) })

export const tabFromDocument: BlockFromDocument = (node, read) => ({
  type: 'tab',
  title: '',
  ...textFields(node, ['title', 'icon']),
  blocks: read.blocks(node.nodes),
})
