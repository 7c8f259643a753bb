import type { Block } from '../blocks.ts'
import { data } from '../document/shape.ts'
import { attributes, html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textFields, type BlockFromDocument, type TagContent } from './reading.ts'

/** A change log: one `update` a release. */
export interface Updates extends BlockBase {
  readonly type: 'updates'
  readonly format?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export interface Update extends BlockBase {
  readonly type: 'update'
  readonly date?: string
  /** Names separated by commas, as written. */
  readonly tags?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export const readUpdates = ({ attributes, blocks }: TagContent): Updates => ({
  type: 'updates',
  ...textAttributes(attributes, ['format']),
  ...otherAttributes(attributes, ['format']),
  blocks,
})

export const readUpdate = ({ attributes, blocks }: TagContent): Update => ({
  type: 'update',
  ...textAttributes(attributes, ['date', 'tags']),
  ...otherAttributes(attributes, ['date', 'tags']),
  blocks,
})

export const updates: BlockKind<Updates> = {
  toMarkdown: ({ format, others, blocks }, write) =>
    writeTagBlock('updates', { format, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => html`<div class="updates">${draw.blocks(block.blocks)}</div>`,
  toDocument: ({ format, blocks }, to) => ({
    object: 'block',
    type: 'updates',
    data: data({ format }),
    nodes: to.blocks(blocks),
  }),
}

export const update: BlockKind<Update> = {
  toMarkdown: ({ date, tags, others, blocks }, write) =>
    writeTagBlock('update', { date, tags, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<section class="update">
      ${block.date && html`<p><time${attributes({ datetime: block.date })}>${block.date}</time></p>`}${draw.blocks(block.blocks)}
    </section>`,
  toDocument: ({ date, tags, blocks }, to) => ({
    object: 'block',
    type: 'update',
    data: data({ date, tags: tags?.split(',').map((name) => name.trim()) }),
    nodes: to.blocks(blocks),
  }),
}

export const updatesFromDocument: BlockFromDocument = (node, read) => ({
  type: 'updates',
  ...textFields(node, ['format']),
  blocks: read.blocks(node.nodes),
})

export const updateFromDocument: BlockFromDocument = (node, read) => {
  const tags = node.data?.['tags']
  const names = Array.isArray(tags) ? tags.filter((name) => typeof name === 'string') : []
  return {
    type: 'update',
    ...textFields(node, ['date']),
    ...(names.length > 0 ? { tags: names.join(', ') } : {}),
    blocks: read.blocks(node.nodes),
  }
}
