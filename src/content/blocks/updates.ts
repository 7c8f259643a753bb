import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { attributes, html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { otherFields, othersFrom, saysExtra, textFields, type BlockFromDocument, type TagContent } from './reading.ts'

/** A change log: one `update` per release. */
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
  toDocument: ({ format, others, blocks }, to) =>
    node('updates', { data: { format }, nodes: to.parts(blocks, 'update'), extra: otherFields(others).extra }),
}

export const update: BlockKind<Update> = {
  toMarkdown: ({ date, tags, others, blocks }, write) =>
    writeTagBlock('update', { date, tags, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) =>
    html`<section class="update">
      ${block.date && html`<p><time${attributes({ datetime: block.date })}>${block.date}</time></p>`}${draw.blocks(block.blocks)}
    </section>`,
  toDocument: ({ date, tags, others, blocks }, to) =>
    node('update', {
      data: { date: date ?? '', tags: tags?.split(',').map((tag) => ({ kind: 'tag', tag: tag.trim() })) },
      nodes: to.blocks(blocks),
      extra: otherFields(others).extra,
    }),
}

export const updatesFromDocument: BlockFromDocument = (node, read) => {
  const blocks = read.blocks(node.nodes)
  if (saysExtra(node, 'bare')) return blocks
  return { type: 'updates', ...textFields(node, ['format']), ...othersFrom(node), blocks }
}

export const updateFromDocument: BlockFromDocument = (node, read) => {
  const blocks = read.blocks(node.nodes)
  if (saysExtra(node, 'stray')) return blocks
  const tags = node.data?.['tags']
  const names = (Array.isArray(tags) ? tags : []).map(tagName).filter((name) => name !== '')
  return {
    type: 'update',
    ...textFields(node, ['date']),
    ...(names.length > 0 ? { tags: names.join(',') } : {}),
    ...othersFrom(node),
    blocks,
  }
}

function tagName(tag: unknown): string {
  const name = typeof tag === 'object' && tag !== null && 'tag' in tag ? tag.tag : tag
  return typeof name === 'string' ? name.replaceAll(',', ' ').trim() : ''
}
