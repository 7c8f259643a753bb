import type { Block } from '../blocks.ts'
import type { List } from '../blocks/list.ts'
import type { Inline, InlineElement } from '../inlines.ts'
import { isList, plainText } from './text.ts'

/** Returns the content of a cell as blocks: paragraphs, and the lists and code between them. */
export function blocksOfCell(cell: readonly Inline[]): Block[] {
  const blocks: Block[] = []
  let line: Inline[] = []
  const endLine = () => {
    if (line.length > 0) blocks.push({ type: 'paragraph', inlines: line })
    line = []
  }
  for (const inline of cell) {
    const block = inline.type === 'element' ? (listFrom(inline) ?? codeFrom(inline)) : undefined
    if (block) {
      endLine()
      blocks.push(block)
    } else line.push(inline)
  }
  endLine()
  return blocks
}

function listFrom({ name, attributes, inlines }: InlineElement): List | undefined {
  const items = inlines.filter((inline): inline is InlineElement => inline.type === 'element' && inline.name === 'li')
  if (!isList(name) || items.length === 0 || items.length < inlines.length) return undefined
  const start = Number(attributes['start'] ?? 1)
  return {
    type: 'list',
    kind: name === 'ol' ? 'ordered' : 'unordered',
    ...(name === 'ol' && Number.isSafeInteger(start) && start >= 0 && start !== 1 ? { start } : {}),
    loose: false,
    blocks: items.map((item) => ({ type: 'list-item', blocks: blocksOfCell(item.inlines) })),
  }
}

const codeFrom = ({ name, inlines }: InlineElement): Block | undefined =>
  name === 'pre' ? { type: 'code', text: plainText(inlines).replace(/\n$/, '') } : undefined

/** Returns the address of the first link or picture of a cell: what a card opens, or its cover. */
export function addressIn(cell: readonly Inline[]): string | undefined {
  for (const inline of cell) {
    if (inline.type === 'image') return inline.src
    if ('href' in inline) return inline.href
    const inside = 'inlines' in inline && inline.inlines ? addressIn(inline.inlines) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

/** Returns code for a cell: several lines become preformatted. */
export function codeInCell(text: string): Inline {
  const code: Inline = { type: 'code', text }
  return text.includes('\n') ? { type: 'element', name: 'pre', attributes: {}, inlines: [code] } : code
}

/** Returns a list for a cell; `content` converts the blocks of an item. */
export function listInCell(
  { kind, start, blocks }: List,
  content: (blocks: readonly Block[]) => Inline[],
): InlineElement {
  return {
    type: 'element',
    name: kind === 'ordered' ? 'ol' : 'ul',
    attributes: start === undefined ? {} : { start: String(start) },
    inlines: blocks.map((item) => ({
      type: 'element',
      name: 'li',
      attributes: {},
      inlines: content(item.type === 'list-item' ? item.blocks : [item]),
    })),
  }
}
