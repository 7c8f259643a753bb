import type * as mdast from 'mdast'
import { block as node } from '../document/shape.ts'
import { attributes, html, type Html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import { drawImage } from '../inlines/image.ts'
import { limits } from '../limits.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind, HtmlWriter } from './kind.ts'
import type { MarkdownReader } from './reading.ts'
import { writeHtmlTable } from './table-html.ts'
import { tableToDocument } from './table-document.ts'
import { chosenWidth, isHeadless, valueOf } from './table-values.ts'

/** A GFM table, or an HTML one; `view: 'cards'` shows one card per row. */
export interface Table extends BlockBase {
  readonly type: 'table'
  readonly view?: string
  /** Attributes of `<table>`, except the view: `data-full-width`, `data-card-size`… */
  readonly others?: Attributes
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly TableCell[])[]
}

export interface TableColumn {
  readonly inlines: readonly Inline[]
  readonly align?: 'left' | 'center' | 'right'
  /** Attributes of `<th>`: `data-hidden`, `data-card-target`, `data-type`, `width`… */
  readonly attributes?: Attributes
}

export type TableCell = readonly Inline[]

/** Returns undefined if there are too many cells: the caller keeps such a table as text. */
export function readTable(node: mdast.Table, read: MarkdownReader): Table | undefined {
  const [head, ...rows] = node.children
  if (!head || node.children.length * head.children.length > limits.tableCells) return undefined
  const width = head.children.length
  return {
    type: 'table',
    columns: head.children.map((cell, index) => {
      const align = node.align?.[index]
      return { inlines: read.inlines(cell.children), ...(align ? { align } : {}) }
    }),
    rows: rows.map((row) =>
      Array.from({ length: width }, (_, index) => read.inlines(row.children[index]?.children ?? [])),
    ),
  }
}

export const table: BlockKind<Table> = {
  toMarkdown(block, write) {
    const plain = !block.view && !block.others && block.columns.every((column) => !column.attributes)
    if (!plain || block.columns.length === 0) return writeHtmlTable(block, write)
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    return [
      line(block.columns.map((column) => write.inlines(column.inlines, 'cell'))),
      line(block.columns.map((column) => delimiters[column.align ?? 'none'])),
      ...block.rows.map((row) => line(block.columns.map((_, index) => write.inlines(row[index] ?? [], 'cell')))),
    ].join('\n')
  },
  // A card is a link, so the column with its target is shown even if it is hidden.
  toHtml(block, draw) {
    const shown = block.columns.map(
      ({ attributes: of }) => of?.['data-hidden'] === undefined || of['data-card-target'] !== undefined,
    )
    const cells = (row: readonly TableCell[], tag: 'th' | 'td') =>
      row.flatMap((cell, index) => {
        if (!shown[index]) return []
        const align = attributes({ align: block.columns[index]?.align })
        return tag === 'th'
          ? [html`<th${align}>${draw.inlines(cell)}</th>`]
          : [html`<td${align}>${drawValue(cell, block.columns[index], draw)}</td>`]
      })
    const titles = block.columns.map((column) => column.inlines)
    const look = { 'data-view': block.view, 'data-header-hidden': isHeadless(block) }
    const widths = drawWidths(block.columns.filter((_, index) => shown[index]))
    return html`<table${attributes(look)}>${widths}<thead><tr>${cells(titles, 'th')}</tr></thead><tbody>${block.rows.map(
      (row) =>
        html`<tr>
          ${cells(row, 'td')}
        </tr>`,
    )}</tbody></table>`
  },
  toDocument: (block, to) => node('table', tableToDocument(block, to)),
}

/** Sets the column widths that the author chose, as far as there is room. */
export function drawWidths(columns: readonly TableColumn[]): Html | undefined {
  const widths = columns.map(chosenWidth)
  if (widths.every((width) => width === undefined)) return undefined
  return html`<colgroup>
    ${widths.map((width) => html`<col${attributes({ width })}>`)}
  </colgroup>`
}

function drawValue(cell: TableCell, column: TableColumn | undefined, draw: HtmlWriter): Html {
  const value = valueOf(cell, column)
  switch (value.shows) {
    case 'checkbox':
      return html`<input${attributes({ type: 'checkbox', disabled: true, checked: value.isDone })}>`
    case 'rating':
      return html`<span role="img" aria-label="${value.label}">${value.stars}</span>`
    case 'picture':
      return drawImage({ type: 'image', src: value.src, alt: value.alt }, draw)
    default:
      return draw.inlines(cell)
  }
}

const delimiters = { none: '---', left: ':---', center: ':---:', right: '---:' } as const
