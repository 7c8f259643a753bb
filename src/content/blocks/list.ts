import type * as mdast from 'mdast'
import { block as node, type DocumentBlock, type DocumentNode } from '../document/shape.ts'
import { attributes, html, trusted } from '../html/template.ts'
import { prefixLines, withoutBlanksAtEnd } from '../markdown/lines.ts'
import type { BlockBase } from '../tree.ts'
import type { Block } from '../blocks.ts'
import type { BlockKind } from './kind.ts'
import { booleanField, saysExtra, type BlockFromDocument, type MarkdownReader } from './reading.ts'

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
        return withoutBlanksAtEnd(prefixLines(box + content, marker, ' '.repeat(marker.length)))
      })
      .join(block.loose ? '\n\n' : '\n')
  },
  toHtml(block, draw) {
    const tag = trusted(block.kind === 'ordered' ? 'ol' : 'ul')
    return html`<${tag}${attributes({ start: block.start })}>${draw.blocks(block.blocks)}</${tag}>`
  },
  toDocument: ({ kind, start, loose, blocks }, to) =>
    node(`list-${kind}`, {
      data: kind === 'ordered' ? { start } : {},
      nodes: kind === 'tasks' ? to.parts(blocks, 'list-item').map(withBox) : to.parts(blocks, 'list-item'),
      extra: { loose: loose || undefined },
    }),
}

/** Every task has a box: an item without one says so. */
function withBox(item: DocumentBlock): DocumentBlock {
  return item.data?.['checked'] === undefined ? { ...item, extra: { ...item.extra, plain: true } } : item
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
  toDocument: ({ checked, blocks }, to) => node('list-item', { data: { checked }, nodes: to.blocks(blocks) }),
}

export const listFromDocument: BlockFromDocument = (node, read) => {
  const kind = node.type === 'list-ordered' ? 'ordered' : node.type === 'list-tasks' ? 'tasks' : 'unordered'
  const nodes = kind === 'tasks' ? node.nodes?.map(asTask) : node.nodes
  const blocks = read.blocks(nodes)
  if (saysExtra(node, 'bare')) return blocks
  const start = node.data?.['start']
  const numbered = kind === 'ordered' && Number.isSafeInteger(start) && Number(start) >= 0 && Number(start) < 1e9
  return {
    type: 'list',
    kind,
    ...(numbered && start !== 1 ? { start: Number(start) } : {}),
    loose: saysExtra(node, 'loose'),
    blocks: blocks.map((item): Block => (item.type === 'list-item' ? item : { type: 'list-item', blocks: [item] })),
  }
}

function asTask(node: DocumentNode): DocumentNode {
  const isOpen = node.object === 'block' && node.data?.['checked'] === undefined && !saysExtra(node, 'plain')
  return isOpen ? { ...node, data: { ...node.data, checked: false } } : node
}

export const listItemFromDocument: BlockFromDocument = (node, read) => {
  const checked = booleanField(node, 'checked')
  return { type: 'list-item', ...(checked === undefined ? {} : { checked }), blocks: read.blocks(node.nodes) }
}
