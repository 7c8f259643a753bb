import type * as hast from 'hast'
import { elementAttributes, writeOpenTag } from '../html/attributes.ts'
import { childElements, findElements } from '../html/find.ts'
import { htmlToInlines } from '../html/to-inlines.ts'
import { plainText } from '../inlines/text.ts'
import { limits } from '../limits.ts'
import { readFragment } from '../html/fragment.ts'
import type { Attributes } from '../tree.ts'
import type { MarkdownWriter } from './kind.ts'
import type { Table, TableCell, TableColumn } from './table.ts'

/** Reads `<table>` as GitBook writes it, including cards. Anything less regular stays plain HTML. */
export function tableFromHtml(source: string): Table | undefined {
  if (!/^\s*<table[\s>]/i.test(source) || !/<\/table>\s*$/i.test(source)) return undefined
  const root = readFragment(source)
  const [table, ...more] = childElements(root)
  if (table?.tagName !== 'table' || more.length > 0) return undefined
  // The parser moves text out of the table that is in none of its cells. Tables of ours have no caption.
  const hasText = root.children.some((child) => child.type === 'text' && child.value.trim() !== '')
  if (hasText || childElements(table).some(({ tagName }) => tagName === 'caption')) return undefined
  const rows = [...findElements(table, ['tr'])].map(childElements)
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width === 0 || rows.length * width > limits.tableCells || rows.some(hasSpan)) return undefined

  const headed = rows[0]?.every((cell) => cell.tagName === 'th') === true
  const head = headed ? (rows[0] ?? []) : []
  const { 'data-view': view, ...others } = elementAttributes(table)
  const columns = Array.from({ length: width }, (_, index) => readColumn(head[index]))
  return {
    type: 'table',
    ...(typeof view === 'string' ? { view } : {}),
    ...(Object.keys(others).length > 0 ? { others } : {}),
    columns,
    rows: rows.slice(headed ? 1 : 0).map((row) => columns.map((column, index) => readCell(row[index], column))),
  }
}

/** GitBook writes `null` into the empty cells of columns with numbers and ratings. */
function readCell(cell: hast.Element | undefined, { attributes }: TableColumn): TableCell {
  const inlines = htmlToInlines(cell?.children ?? [])
  const type = attributes?.['data-type']
  return (type === 'number' || type === 'rating') && plainText(inlines).trim() === 'null' ? [] : inlines
}

const hasSpan = (row: readonly hast.Element[]): boolean =>
  row.some((cell) => cell.properties['colSpan'] !== undefined || cell.properties['rowSpan'] !== undefined)

function readColumn(cell: hast.Element | undefined): TableColumn {
  // Because of the empty set of attributes, the table is written as HTML again.
  if (!cell) return { inlines: [], attributes: {} }
  const { align, ...attributes } = elementAttributes(cell)
  const known = (['left', 'center', 'right'] as const).find((value) => value === align)
  return { inlines: htmlToInlines(cell.children), ...(known ? { align: known } : {}), attributes }
}

export function writeHtmlTable(table: Table, write: MarkdownWriter): string {
  const open = writeOpenTag('table', { ...(table.view ? { 'data-view': table.view } : {}), ...table.others })
  const head = table.columns.map((column) => {
    const attributes: Attributes = { ...(column.align ? { align: column.align } : {}), ...column.attributes }
    return `${writeOpenTag('th', attributes)}${write.inlines(column.inlines, 'html')}</th>`
  })
  const rows = table.rows.map((row) => {
    const cells = table.columns.map((column, index) => {
      const tag = writeOpenTag('td', column.align ? { align: column.align } : {})
      return `${tag}${write.inlines(row[index] ?? [], 'html')}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  return `${open}<thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}
