import type * as mdast from 'mdast'
import { attributes, html, trusted } from '../html/template.ts'
import { prefixLines } from '../markdown/lines.ts'
import type { BlockBase } from '../tree.ts'
import type { Block } from '../blocks.ts'
import type { BlockKind } from './kind.ts'
import { booleanField, type BlockFromDocument, type MarkdownReader } from './reading.ts'

export interface List extends BlockBase {
  readonly type: 'list'
  readonly kind: 'ordered' | 'unordered' | 'tasks'
  /** The number of the first item, where it is not 1. */
  readonly start?: number
  /** Whether blank lines separate the items. */
  readonly loose: boolean
  readonly blocks: readonly Block[]
}

export interface ListItem extends BlockBase {
  readonly type: 'list-item'
  readonly checked?: boolean
  readonly blocks: readonly Block[]
}

export function readList(node: mdast.List, read: MarkdownReader): List {
  const tasks = node.children.some((item) => typeof item.checked === 'boolean')
  const start = node.ordered ? (node.start ?? 1) : 1
  return {
    type: 'list',
    kind: node.ordered ? 'ordered' : tasks ? 'tasks' : 'unordered',
    ...(start === 1 ? {} : { start }),
    loose: node.spread === true || node.children.some((item) => item.spread === true),
    blocks: read.blocks(node.children),
  }
}

export function readListItem(node: mdast.ListItem, read: MarkdownReader): ListItem {
  return {
    type: 'list-item',
    ...(typeof node.checked === 'boolean' ? { checked: node.checked } : {}),
    blocks: read.blocks(node.children),
  }
}

export const list: BlockKind<List> = {
  toMarkdown(block, write) {
    const spacing = block.loose ? 'loose' : 'tight'
    return block.blocks
      .map((item, index) => {
        const marker = block.kind === 'ordered' ? `${(block.start ?? 1) + index}. ` : '- '
        const box = item.type === 'list-item' && item.checked !== undefined ? (item.checked ? '[x] ' : '[ ] ') : ''
        const content = write.blocks(item.type === 'list-item' ? item.blocks : [item], spacing)
        return prefixLines(box + content, marker, ' '.repeat(marker.length)).trimEnd()
      })
      .join(block.loose ? '\n\n' : '\n')
  },
  toHtml(block, draw) {
    const tag = trusted(block.kind === 'ordered' ? 'ol' : 'ul')
    return html`<${tag}${attributes({ start: block.start })}>${draw.blocks(block.blocks)}</${tag}>`
  },
  toDocument: (block, to) => ({
    object: 'block',
    type: `list-${block.kind}`,
    ...(block.start === undefined ? {} : { data: { start: block.start } }),
    nodes: to.blocks(block.blocks),
  }),
}

export const listItem: BlockKind<ListItem> = {
  toMarkdown: (block, write) => write.blocks(block.blocks),
  toHtml(block, draw) {
    const box =
      block.checked === undefined
        ? ''
        : html`<input${attributes({ type: 'checkbox', disabled: true, checked: block.checked })}>`
    const [only, ...more] = block.blocks
    // A single paragraph needs no element of its own.
    const content =
      only?.type === 'paragraph' && more.length === 0 ? draw.inlines(only.inlines) : draw.blocks(block.blocks)
    return html`<li>${box}${box && ' '}${content}</li>`
  },
  toDocument: (block, to) => ({
    object: 'block',
    type: 'list-item',
    ...(block.checked === undefined ? {} : { data: { checked: block.checked } }),
    nodes: to.blocks(block.blocks),
  }),
}

export const listFromDocument: BlockFromDocument = (node, read) => {
  const start = node.data?.['start']
  const kind = node.type === 'list-ordered' ? 'ordered' : node.type === 'list-tasks' ? 'tasks' : 'unordered'
  const items = read.blocks(node.nodes).map((item): Block => {
    if (item.type !== 'list-item') return { type: 'list-item', blocks: [item] }
    return kind === 'tasks' ? { ...item, checked: item.checked ?? false } : item
  })
  const numbered = kind === 'ordered' && Number.isSafeInteger(start) && Number(start) >= 0 && Number(start) < 1e9
  return {
    type: 'list',
    kind,
    ...(numbered && start !== 1 ? { start: Number(start) } : {}),
    loose: false,
    blocks: items,
  }
}

export const listItemFromDocument: BlockFromDocument = (node, read) => {
  const checked = booleanField(node, 'checked')
  return { type: 'list-item', ...(checked === undefined ? {} : { checked }), blocks: read.blocks(node.nodes) }
}
