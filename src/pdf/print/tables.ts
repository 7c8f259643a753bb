import type { BlockOf } from '../../content/blocks.ts'
import type { TableCell } from '../../content/blocks/table.ts'
import type { Inline } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import type { Inside } from './blocks.ts'
import type { Node, Words } from './nodes.ts'
import { linkTo } from './words.ts'

type Table = BlockOf<'table'>

export function printTable(block: Table, inside: Inside): Node[] {
  return block.view === 'cards' ? printCards(block, inside) : printCells(block, inside)
}

function printCells({ columns, rows, others }: Table, { words }: Inside): Node[] {
  const shown = columns.flatMap(({ attributes }, index) => (attributes?.['data-hidden'] === undefined ? [index] : []))
  if (shown.length === 0) return []
  const cells = (row: readonly TableCell[]): Words[] => shown.map((index) => words(row[index] ?? []))
  const titles = columns.map(({ inlines }) => inlines)
  const isHeadless =
    others?.['data-header-hidden'] !== undefined || titles.every((title) => plainText(title).trim() === '')
  return [
    {
      t: 'table',
      columns: shown.length,
      align: shown.map((index) => columns[index]?.align ?? 'start'),
      head: isHeadless ? null : cells(titles),
      rows: rows.map(cells),
    },
  ]
}

/** A card a row: the first column that is shown is its title, and leads where the card leads. */
function printCards({ columns, rows }: Table, { words, printing }: Inside): Node[] {
  const has = (index: number, name: string) => columns[index]?.attributes?.[name] !== undefined
  const target = columns.findIndex((_, index) => has(index, 'data-card-target'))
  const texts = columns.flatMap((_, index) =>
    ['data-hidden', 'data-card-target', 'data-card-cover', 'data-card-cover-dark'].some((name) => has(index, name))
      ? []
      : [index],
  )
  return rows.map((row) => {
    const [first = [], ...others] = texts.map((index) => row[index] ?? []).filter((cell) => cell.length > 0)
    const href = addressIn(row[target] ?? [])
    const title = words(first)
    return { t: 'card', title: href === undefined ? title : [linkTo(href, title, printing)], texts: others.map(words) }
  })
}

function addressIn(cell: readonly Inline[]): string | undefined {
  for (const inline of cell) {
    if ('href' in inline) return inline.href
    const inside = 'inlines' in inline && inline.inlines ? addressIn(inline.inlines) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}
