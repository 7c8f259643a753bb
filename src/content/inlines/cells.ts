import type { Block } from '../blocks.ts'
import type { List } from '../blocks/list.ts'
import type { Inline, InlineElement } from '../inlines.ts'
import { isList, plainText } from './text.ts'

/** What a cell holds, as blocks: paragraphs, and the lists and code between them. */
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

/** Where the first link or picture of a cell leads: what a card opens, and its cover. */
export function addressIn(cell: readonly Inline[]): string | undefined {
  for (const inline of cell) {
    if (inline.type === 'image') return inline.src
    if ('href' in inline) return inline.href
    const inside = 'inlines' in inline && inline.inlines ? addressIn(inline.inlines) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

/** Code as a cell holds it: several lines are preformatted. */
export function codeInCell(text: string): Inline {
  const code: Inline = { type: 'code', text }
  return text.includes('\n') ? { type: 'element', name: 'pre', attributes: {}, inlines: [code] } : code
}

/** A list as a cell holds it; `content` is what a cell holds of the blocks of an item. */
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
