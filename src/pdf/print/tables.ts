import type { BlockOf } from '../../content/blocks.ts'
import type { TableCell, TableColumn } from '../../content/blocks/table.ts'
import { columnWidths, linesIn } from '../../content/blocks/table-room.ts'
import { chosenWidth, isHeadless, valueOf } from '../../content/blocks/table-values.ts'
import { addressIn } from '../../content/inlines/cells.ts'
import { plainText } from '../../content/inlines/text.ts'
import type { Inside } from './blocks.ts'
import type { Node, Words } from './nodes.ts'
import { breakIn, fileNamed, fitPictures, linkTo } from './words.ts'

type Table = BlockOf<'table'>

export function printTable(block: Table, inside: Inside): Node[] {
  return block.view === 'cards' ? printCards(block, inside) : printCells(block, inside)
}

function printCells(block: Table, inside: Inside): Node[] {
  const { columns, rows } = block
  const all = columns.flatMap(({ attributes }, index) => (attributes?.['data-hidden'] === undefined ? [index] : []))
  const titles = columns.map(({ inlines }) => inlines)
  const hasHead = !isHeadless(block)
  return onSheets(all).map((shown): Node => {
    const texts = [...(hasHead ? [titles] : []), ...rows].map((row) => shown.map((index) => row[index] ?? []))
    const said = shown.map((index) => saidWidth(columns[index]))
    const { widths, narrow, isShort } = fitColumns(texts, shown.length, inside, said)
    const cells = (row: readonly TableCell[]) =>
      shown.map((index, at) => narrow(printValue(row[index], columns[index], inside), at))
    return {
      t: 'table',
      columns: shown.length,
      widths,
      align: shown.map((index) => columns[index]?.align ?? 'start'),
      head: hasHead ? shown.map((index, at) => narrow(inside.words(titles[index]!), at)) : null,
      rows: rows.map(cells),
      whole: rows.map((row) => isShort(shown.map((index) => row[index] ?? []))),
    }
  })
}

/** More columns than this cannot be read side by side. */
const mostBeside = 16
const mostInPart = 12

/**
 * Splits a table that is too wide for a sheet into parts that are printed one below the other. Each part starts with
 * the first column, which identifies the rows.
 */
function onSheets(columns: readonly number[]): (readonly number[])[] {
  if (columns.length <= mostBeside) return columns.length === 0 ? [] : [columns]
  const [first, ...others] = columns as [number, ...number[]]
  const parts = Math.ceil(others.length / (mostInPart - 1))
  const size = Math.ceil(others.length / parts)
  return Array.from({ length: parts }, (_, part) => [first, ...others.slice(part * size, (part + 1) * size)])
}

/** Calculates how wide columns are, and returns what breaks the words that are wider. */
export function fitColumns(
  rows: readonly (readonly TableCell[])[],
  columns: number,
  { depth }: Pick<Inside, 'depth'>,
  said: readonly (number | undefined)[] = [],
) {
  // In points: the width of a letter of code, and the free room in a cell, at the sizes that the template uses for this
  // many columns.
  const [letter, free] = columns > 10 ? [3.2, 5] : columns > 6 ? [4, 8] : [4.95, 12]
  const room = Math.max(columns * leastLetters, (sheetWidth - depth * indent - columns * free) / letter)
  const letters = columnWidths(rows, columns, room, said)
  const narrow = (words: Words, column: number, span = 1): Words => {
    const width = letters?.slice(column, column + span).reduce((all, each) => all + each, 0)
    const fitted = fitPictures(words)
    return width === undefined ? fitted : breakIn(fitted, Math.max(leastLetters, Math.floor(width)))
  }
  const isShort = (row: readonly TableCell[]) => linesIn(row, letters) <= fewLines
  return { widths: letters?.map((width) => width * letter + free) ?? null, narrow, isShort }
}

/** The width that the margins leave of a sheet, in points. */
const sheetWidth = 459
/** Roughly how much of that width each enclosing block takes. */
const indent = 24
const leastLetters = 3
/** A row of at most this many lines is kept on one sheet, however deeply the table is nested. */
const fewLines = 12

/** The column width that the author chose: only the proportions matter here. */
function saidWidth(column: TableColumn | undefined): number | undefined {
  const width = Number(chosenWidth(column))
  return width > 0 ? width : undefined
}

/** Prints a cell according to the type of its column. */
function printValue(cell: TableCell = [], column: TableColumn | undefined, { words }: Inside): Words {
  const value = valueOf(cell, column)
  switch (value.shows) {
    case 'checkbox':
      return [sign(value.isDone ? '☑' : '☐')]
    case 'rating':
      return [sign(value.stars)]
    case 'picture':
      return words([{ type: 'image', src: value.src, alt: value.alt, width: '64' }])
    case 'options':
      return words(cell)
    case 'words':
      return words(value.inlines)
  }
}

/** The font for code has these characters. */
const sign = (text: string) => ({ t: 'mono', text }) as const

/** Prints one card per row: the first visible column is its title, which links to the target of the card. */
function printCards({ columns, rows }: Table, inside: Inside): Node[] {
  const has = (index: number, name: string) => columns[index]?.attributes?.[name] !== undefined
  const [target, cover] = ['data-card-target', 'data-card-cover'].map((name) =>
    columns.findIndex((_, index) => has(index, name)),
  )
  const texts = columns.flatMap((_, index) =>
    ['data-hidden', 'data-card-target', 'data-card-cover', 'data-card-cover-dark'].some((name) => has(index, name))
      ? []
      : [index],
  )
  return rows.map((row) => {
    const filled = texts.filter((index) => (row[index] ?? []).length > 0)
    // A first cell without words is an icon or a picture: it is put before the title.
    const sign = filled.length > 1 && plainText(row[filled[0]!]!).trim() === '' ? filled[0] : undefined
    const [first = texts[0]!, ...others] = filled.filter((index) => index !== sign)
    const href = addressIn(row[target!] ?? [])
    const picture = addressIn(row[cover!] ?? [])
    const before = sign === undefined ? [] : [...inside.words(row[sign]!), ' ']
    const title = [...before, ...inside.words(row[first] ?? [])]
    return {
      t: 'card',
      cover: (picture !== undefined && fileNamed(picture, inside.printing)) || null,
      title: href === undefined ? title : [linkTo(href, title, inside.printing)],
      texts: others.map((index) => printValue(row[index], columns[index], inside)),
    }
  })
}
