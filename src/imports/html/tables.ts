import type { Block } from '../../content/blocks.ts'
import type { TableCell, TableColumn } from '../../content/blocks/table.ts'
import type { Inline } from '../../content/inlines.ts'
import { limits } from '../../content/limits.ts'
import type { BlockReader, Context } from './context.ts'
import { type Element, attribute, elementsIn, wordsOf } from './elements.ts'

/** Reads tables. Their caption goes above them. */
export const readTable: BlockReader = (element, context) => {
  if (element.tagName !== 'table') return undefined
  const caption = elementsIn(element).find(({ tagName }) => tagName === 'caption')
  const blocks = blocksOf(element, context)
  if (!caption || wordsOf(caption) === '') return blocks
  return [{ type: 'paragraph', inlines: [{ type: 'strong', inlines: context.inlines(caption.children) }] }, ...blocks]
}

/** Cell content other than running text is converted to lines. */
function blocksOf(element: Element, context: Context): Block[] {
  const rows = rowsOf(element)
  if (rows.every((row) => cellsOf(row).length === 0)) return []
  const grid = gridOf(element, rows)
  if (!grid) return rows.map((row) => asLine(row, context))
  const { width, lines } = grid
  // A table that is only a frame around something: it has no columns to compare.
  if (width === 1 && rows.every((row) => cellsOf(row).every(({ tagName }) => tagName === 'td'))) {
    return rows.flatMap((row) => cellsOf(row).flatMap((cell) => context.blocks(cell.children)))
  }
  const [first] = rows
  const hasHead = cellsOf(first!).every(({ tagName }) => tagName === 'th') || parentIsHead(element, first!)
  const head = hasHead ? cells(lines[0]!, width, context) : Array.from({ length: width }, (): TableCell => [])
  const columns = head.map((inlines, index): TableColumn => {
    const align = lines
      .slice(0, 2)
      .reduce<TableColumn['align']>((known, line) => known ?? alignOf(line[index]), undefined)
    return { inlines, ...(align && { align }) }
  })
  const body = lines.slice(hasHead ? 1 : 0).map((line) => cells(line, width, context))
  return [{ type: 'table', columns, rows: body }]
}

/** Returns the rows of the table itself, without those of nested tables. */
export function rowsOf(table: Element): Element[] {
  return elementsIn(table).flatMap((part) => {
    if (part.tagName === 'tr') return [part]
    return ['thead', 'tbody', 'tfoot'].includes(part.tagName)
      ? elementsIn(part).filter(({ tagName }) => tagName === 'tr')
      : []
  })
}

const parentIsHead = (table: Element, row: Element) =>
  elementsIn(table).some((part) => part.tagName === 'thead' && elementsIn(part).includes(row))

const cellsOf = (row: Element) => elementsIn(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th')

const spanOf = (cell: Element) => Math.min(Math.max(Number(attribute(cell, 'colSpan') ?? 1) || 1, 1), 100)

/** A row span of 0 covers all rows that follow. */
const heightOf = (cell: Element) => Number(attribute(cell, 'rowSpan') ?? 1) || Infinity

/** The cells of a row, by column. */
type Line = (Element | undefined)[]

/**
 * Places a cell that spans several columns or rows in the first of them, and leaves the others empty, so that all other
 * cells stay in their columns. Returns undefined if there are more cells than a table may have.
 */
function gridOf(table: Element, rows: readonly Element[]): { width: number; lines: Line[] } | undefined {
  const partOf = new Map(elementsIn(table).flatMap((part) => elementsIn(part).map((row) => [row, part] as const)))
  const takenUntil: number[] = []
  const lines: Line[] = []
  for (const [at, row] of rows.entries()) {
    // No cell spans rows of both the head and the body.
    if (partOf.get(row) !== partOf.get(rows[at - 1] ?? row)) takenUntil.fill(0)
    const line: Line = []
    let column = 0
    for (const cell of cellsOf(row)) {
      while ((takenUntil[column] ?? 0) > at) column++
      line[column] = cell
      for (const end = column + spanOf(cell); column < end; column++) takenUntil[column] = at + heightOf(cell)
    }
    if (rows.length * takenUntil.length > limits.tableCells) return undefined
    lines.push(line)
  }
  return { width: takenUntil.length, lines }
}

const cells = (line: Line, width: number, context: Context): TableCell[] =>
  Array.from({ length: width }, (_, column): TableCell => {
    const cell = line[column]
    return cell ? cellOf(context.blocks(cell.children)) : []
  })

/** Joins blocks by line breaks, because a cell is a single line. */
function cellOf(blocks: readonly Block[], indent = ''): Inline[] {
  const parts = blocks.map((block) => lineOf(block, indent)).filter((part) => part.length > 0)
  return parts.flatMap((part, index): Inline[] => (index === 0 ? part : [{ type: 'break' }, ...part]))
}

function lineOf(block: Block, indent: string): Inline[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return [...block.inlines]
    case 'images':
      return block.images.map((image): Inline => ({ ...image, type: 'image' }))
    case 'code': {
      const lines = block.text.split('\n').filter((line) => line.trim() !== '')
      return lines.flatMap((text, index): Inline[] => [
        ...(index > 0 ? [{ type: 'break' } as const] : []),
        { type: 'code', text },
      ])
    }
    case 'math':
      return [{ type: 'math', text: block.text }]
    case 'embed':
      return [{ type: 'link', href: block.url, inlines: [{ type: 'text', text: block.url }] }]
    case 'list':
      return cellOf(
        block.blocks.map((item, index) => {
          const mark = block.kind === 'ordered' ? `${index + (block.start ?? 1)}. ` : '• '
          const inner = cellOf('blocks' in item ? item.blocks : [], `${indent}  `)
          return { type: 'paragraph', inlines: [{ type: 'text', text: indent + mark }, ...inner] }
        }),
        indent,
      )
    default:
      return 'blocks' in block ? cellOf(block.blocks, indent) : []
  }
}

function alignOf(cell: Element | undefined): TableColumn['align'] {
  if (!cell) return undefined
  const said = attribute(cell, 'align') ?? /text-align:\s*(\w+)/.exec(attribute(cell, 'style') ?? '')?.[1]
  return said === 'center' || said === 'right' ? said : undefined
}

/** Writes a row of a table that is too large for a table as a paragraph, so that it stays readable. */
const asLine = (row: Element, context: Context): Block => ({
  type: 'paragraph',
  inlines: cellsOf(row).flatMap((cell): Inline[] => [...context.inlines(cell.children), { type: 'text', text: ' ' }]),
})
