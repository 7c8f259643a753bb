import { fileReference } from '../document/nodes.ts'
import {
  data,
  fragment,
  type ContentReference,
  type DocumentBlock,
  type DocumentFragment,
  type WrittenBlock,
} from '../document/shape.ts'
import { blocksOfCell } from '../inlines/cells.ts'
import { plainText } from '../inlines/text.ts'
import type { Attributes } from '../tree.ts'
import type { DocumentWriter } from './kind.ts'
import type { Table, TableCell, TableColumn } from './table.ts'

/**
 * Writes a table as a document: the definition of its columns, its records, and a view with the columns that it shows.
 * A text cell is a fragment of the block, which the record names; cells of other types are values.
 */
export function tableToDocument(table: Table, to: DocumentWriter): Pick<DocumentBlock, 'data' | 'fragments'> {
  const columns = table.columns.map((column, index) => {
    const cells = table.rows.map((row) => row[index] ?? [])
    return { id: `column-${index}`, column, ...valuesOf(column, cells, to) }
  })
  const names = (row: number) => (column: number) => `cell-${row}-${column}`
  const records = table.rows.map((_, row) => {
    const values = columns.map(({ id, values }, index) => [id, values ? values[row] : names(row)(index)])
    return [`record-${row}`, { orderIndex: String(row).padStart(6, '0'), values: Object.fromEntries(values) }]
  })
  const cells = table.rows.flatMap((cellsOfRow, row) =>
    columns.flatMap(({ type }, index): DocumentFragment[] =>
      type === 'number' || type === 'rating' || type === 'checkbox'
        ? []
        : [fragment('table-cell', cellToDocument(cellsOfRow[index] ?? [], to), names(row)(index))],
    ),
  )
  return {
    data: {
      definition: Object.fromEntries(columns.map(({ id, column, type }) => [id, definition(id, column, type)])),
      records: Object.fromEntries(records),
      view: viewOf(table),
      ...fullWidth(table),
    },
    fragments: [
      ...columns.map(({ id, column }) => fragment('table-column', [to.paragraph(column.inlines)], id)),
      ...cells,
    ],
  }
}

function cellToDocument(cell: TableCell, to: DocumentWriter): WrittenBlock[] {
  const blocks = blocksOfCell(cell)
  return blocks.length > 0 ? to.blocks(blocks) : [to.paragraph(cell)]
}

type ColumnType = 'text' | 'number' | 'rating' | 'checkbox' | 'content-ref' | 'files' | 'image'

interface Values {
  readonly type: ColumnType
  /** One per record. Text columns contain fragments. */
  readonly values?: readonly unknown[]
}

/**
 * Returns the values of a column in its declared type if all of its cells fit that type; otherwise it is a text column.
 */
function valuesOf(column: TableColumn, cells: readonly TableCell[], to: DocumentWriter): Values {
  const all = <Value>(type: ColumnType, read: (cell: TableCell) => Value | undefined): Values | undefined => {
    const values = cells.map(read)
    return values.includes(undefined) ? undefined : { type, values }
  }
  switch (column.attributes?.['data-type']) {
    case 'number':
      return all('number', numberIn) ?? text
    case 'rating':
      return all('rating', numberIn) ?? text
    case 'checkbox':
      return all('checkbox', flagIn) ?? text
    case 'content-ref':
      return all('content-ref', (cell) => oneOrNone(referencesIn(cell, to))) ?? text
    case 'files':
      return all('files', (cell) => filesIn(cell, to)) ?? (isCover(column) ? images() : undefined) ?? text
    case 'image':
      return images() ?? text
    default:
      return text
  }
  function images(): Values | undefined {
    return all('image', (cell) =>
      oneOrNone(referencesIn(cell, to)?.map(({ ref, href }) => ({ ref: fileReference(ref, href), href }))),
    )
  }
}

const text: Values = { type: 'text' }

/** In the format, files are files of the space; a cover may be any image. */
const isCover = ({ attributes = {} }: TableColumn): boolean =>
  attributes['data-card-cover'] !== undefined || attributes['data-card-cover-dark'] !== undefined

function numberIn(cell: TableCell): number | null | undefined {
  const words = plainText(cell).trim()
  if (words === '') return null
  const number = Number(words)
  return Number.isFinite(number) && String(number) === words ? number : undefined
}

function flagIn(cell: TableCell): boolean | null | undefined {
  const words = plainText(cell).trim()
  return words === '' ? null : words === 'true' ? true : words === 'false' ? false : undefined
}

interface Reference {
  readonly ref: ContentReference
  readonly href: string
}

/** Returns the targets of the links and images of a cell; undefined if it contains anything else. */
function referencesIn(cell: TableCell, to: DocumentWriter): Reference[] | undefined {
  const found: Reference[] = []
  for (const inline of cell) {
    if (inline.type === 'link' || inline.type === 'mention') found.push({ ref: to.ref(inline.href), href: inline.href })
    else if (inline.type === 'image') found.push({ ref: to.ref(inline.src), href: inline.src })
    else if (inline.type !== 'break' && (inline.type !== 'text' || inline.text.trim() !== '')) return undefined
  }
  return found
}

function oneOrNone(found: Reference[] | undefined): ContentReference | null | undefined {
  if (!found || found.length > 1) return undefined
  return found[0]?.ref ?? null
}

function filesIn(cell: TableCell, to: DocumentWriter): unknown[] | undefined {
  const found = referencesIn(cell, to)
  return found?.every(({ ref }) => ref.kind === 'file') ? found.map(({ ref }) => ref['file']) : undefined
}

function definition(id: string, column: TableColumn, type: ColumnType): Record<string, unknown> {
  const { 'data-type': said, 'data-max': max, ...others } = column.attributes ?? {}
  const rest = without(
    { ...others, ...(said === undefined || said === type ? {} : { 'data-type': said }) },
    shownByView,
  )
  // The format aligns only columns of text.
  const align = type === 'text' ? undefined : column.align
  return data({
    id,
    title: plainText(column.inlines),
    type,
    textAlignment: type === 'text' ? (column.align ?? 'left') : undefined,
    max: type === 'rating' ? Number(max) || 5 : undefined,
    extra: rest || align ? data({ attributes: rest, align }) : undefined,
  })
}

/** The attributes of columns that belong to the view. */
const shownByView = ['data-hidden', 'data-card-target', 'data-card-cover', 'data-card-cover-dark', 'width']

function viewOf(table: Table): Record<string, unknown> {
  const ids = (wanted: (column: TableColumn) => boolean) =>
    table.columns.flatMap((column, index) => (wanted(column) ? [`column-${index}`] : []))
  const has = (name: string) => (column: TableColumn) => column.attributes?.[name] !== undefined
  const columns = ids((column) => !has('data-hidden')(column))
  const others = table.others ?? {}
  if (table.view === 'cards') {
    const rest = without(others, ['data-full-width', 'data-card-size', 'data-column-title-hidden'])
    return data({
      type: 'cards',
      cardSize: others['data-card-size'] === 'large' ? 'large' : 'medium',
      columns,
      targetDefinition: ids(has('data-card-target'))[0],
      coverDefinition: ids(has('data-card-cover'))[0],
      coverDefinitionDark: ids(has('data-card-cover-dark'))[0],
      hideColumnTitle: others['data-column-title-hidden'] === undefined ? undefined : true,
      extra: rest && { attributes: rest },
    })
  }
  const widths = table.columns.flatMap(({ attributes }, index) => {
    const width = Number(attributes?.['width'])
    return Number.isFinite(width) && width > 0 ? [[`column-${index}`, width]] : []
  })
  const named: Attributes = table.view === undefined ? {} : { 'data-view': table.view }
  const rest = without({ ...named, ...others }, ['data-full-width', 'data-header-hidden'])
  return data({
    type: 'grid',
    columns,
    hideHeader: others['data-header-hidden'] !== undefined,
    columnWidths: widths.length > 0 ? Object.fromEntries(widths) : undefined,
    useNewSizing: widths.length > 0 ? true : undefined,
    extra: rest && { attributes: rest },
  })
}

function fullWidth({ others }: Table): { fullWidth?: boolean } {
  const said = others?.['data-full-width']
  return said === undefined ? {} : { fullWidth: said !== 'false' }
}

function without(attributes: Attributes, names: readonly string[]): Attributes | undefined {
  const rest = Object.entries(attributes).filter(([name]) => !names.includes(name))
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}
