import type { BlockOf } from '../../content/blocks.ts'
import type { TableCell, TableColumn } from '../../content/blocks/table.ts'
import type { Inline } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { ratingIn } from '../../content/rating.ts'
import type { Inside } from './blocks.ts'
import type { Node, Words } from './nodes.ts'
import { breakIn, linkTo } from './words.ts'

type Table = BlockOf<'table'>

export function printTable(block: Table, inside: Inside): Node[] {
  return block.view === 'cards' ? printCards(block, inside) : printCells(block, inside)
}

function printCells({ columns, rows, others }: Table, inside: Inside): Node[] {
  const shown = columns.flatMap(({ attributes }, index) => (attributes?.['data-hidden'] === undefined ? [index] : []))
  if (shown.length === 0) return []
  const narrow = (words: Words) => breakIn(words, lettersIn(shown.length))
  const cells = (row: readonly TableCell[]) => shown.map((index) => narrow(valueOf(row[index], columns[index], inside)))
  const titles = columns.map(({ inlines }) => inlines)
  const isHeadless =
    others?.['data-header-hidden'] !== undefined || titles.every((title) => plainText(title).trim() === '')
  return [
    {
      t: 'table',
      columns: shown.length,
      align: shown.map((index) => columns[index]?.align ?? 'start'),
      head: isHeadless ? null : shown.map((index) => narrow(inside.words(titles[index]!))),
      rows: rows.map(cells),
    },
  ]
}

/** How many letters a column is wide where all have the same width, in the letters that so many columns are set in. */
export const lettersIn = (columns: number) => Math.max(6, Math.floor((columns > 6 ? 112 : 88) / columns - 2.5))

/** A column can say what its cells are. */
function valueOf(cell: TableCell = [], column: TableColumn | undefined, { words }: Inside): Words {
  const { 'data-type': type, 'data-max': max } = column?.attributes ?? {}
  const said = plainText(cell).trim()
  if (type === 'checkbox' && (said === 'true' || said === 'false')) return [sign(said === 'true' ? '☑' : '☐')]
  const rating = type === 'rating' ? ratingIn(said, max) : undefined
  if (rating) return [sign(rating.stars)]
  // It leads to a page, whatever the file is called.
  if (type === 'content-ref')
    return words(cell.map((inline) => (inline.type === 'link' ? { ...inline, type: 'mention' } : inline)))
  return words(cell)
}

/** The font for code has such signs. */
const sign = (text: string) => ({ t: 'mono', text }) as const

/** A card a row: the first column that is shown is its title, and leads where the card leads. */
function printCards({ columns, rows }: Table, inside: Inside): Node[] {
  const has = (index: number, name: string) => columns[index]?.attributes?.[name] !== undefined
  const target = columns.findIndex((_, index) => has(index, 'data-card-target'))
  const texts = columns.flatMap((_, index) =>
    ['data-hidden', 'data-card-target', 'data-card-cover', 'data-card-cover-dark'].some((name) => has(index, name))
      ? []
      : [index],
  )
  return rows.map((row) => {
    const [first = texts[0]!, ...others] = texts.filter((index) => (row[index] ?? []).length > 0)
    const href = addressIn(row[target] ?? [])
    const title = inside.words(row[first] ?? [])
    return {
      t: 'card',
      title: href === undefined ? title : [linkTo(href, title, inside.printing)],
      texts: others.map((index) => valueOf(row[index], columns[index], inside)),
    }
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
