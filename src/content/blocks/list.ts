import type * as mdast from 'mdast'
import { block as node, type DocumentBlock, type DocumentNode } from '../document/shape.ts'
import { attributes, html, trusted } from '../html/template.ts'
import { prefixLines, withoutBlanksAtEnd } from '../markdown/lines.ts'
import type { BlockBase } from '../tree.ts'
import type { Block } from '../blocks.ts'
import type { BlockKind, MarkdownWriter } from './kind.ts'
import { booleanField, saysExtra, type BlockFromDocument, type MarkdownReader } from './reading.ts'

export interface List extends BlockBase {
  readonly type: 'list'
  readonly kind: 'ordered' | 'unordered' | 'tasks'
  /** The number of the first item, if it is not 1. */
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
  const tasks = node.children.some((item) => boxOf(item, read) !== undefined)
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
  const checked = boxOf(node, read)
  const isEmptyTask = checked !== undefined && typeof node.checked !== 'boolean'
  return {
    type: 'list-item',
    ...(checked === undefined ? {} : { checked }),
    blocks: read.blocks(isEmptyTask ? node.children.slice(1) : node.children),
  }
}

/** Recognizes a task without text as a task: to the parser, an empty box is text. */
function boxOf({ checked, children: [first] }: mdast.ListItem, read: MarkdownReader): boolean | undefined {
  if (typeof checked === 'boolean') return checked
  if (first?.type !== 'paragraph' || first.children.length !== 1 || first.children[0]!.type !== 'text') return undefined
  const box = /^\[([ xX])\]$/.exec(read.source(first).trim())?.[1]
  return box === undefined ? undefined : box !== ' '
}

export const list: BlockKind<List> = {
  toMarkdown(block, write) {
    const spacing = block.loose ? 'loose' : 'tight'
    return block.blocks
      .map((item, index) => {
        const marker = block.kind === 'ordered' ? `${(block.start ?? 1) + index}. ` : '- '
        const content = write.blocks(item.type === 'list-item' ? item.blocks : [item], spacing)
        return withoutBlanksAtEnd(prefixLines(boxBefore(item, write) + content, marker, ' '.repeat(marker.length)))
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

/**
 * Returns the box of a task. It precedes text on the same line. Any other block would become text there, so it goes
 * below the box.
 */
function boxBefore(item: Block, write: MarkdownWriter): string {
  if (item.type !== 'list-item' || item.checked === undefined) return ''
  const box = item.checked ? '[x]' : '[ ]'
  const first = item.blocks.find((block) => block.type !== 'paragraph' || write.blocks([block]) !== '')
  if (!first || first.type === 'paragraph') return `${box} `
  return first.type === 'list' && (first.start ?? 1) === 1 ? `${box}\n` : `${box}\n\n`
}

/** Every task has a box: an item without one is marked as such. */
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
