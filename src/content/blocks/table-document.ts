import { data, type DocumentBlock } from '../document/shape.ts'
import type { Inline } from '../inlines.ts'
import { plainText } from '../inlines/text.ts'
import { limits } from '../limits.ts'
import type { Attributes } from '../tree.ts'
import type { DocumentWriter } from './kind.ts'
import type { BlockFromDocument, DocumentReader } from './reading.ts'
import type { Table, TableColumn } from './table.ts'

/**
 * A table in a document: what the columns are, what the records hold, which columns the view shows. A cell's text is
 * a fragment of the block that the record names.
 */
export function tableToDocument(table: Table, to: DocumentWriter): Pick<DocumentBlock, 'data' | 'fragments'> {
  const ids = table.columns.map((_, index) => `column-${index}`)
  const definition = table.columns.map((column, index) => [
    ids[index],
    data({
      id: ids[index],
      title: plainText(column.inlines),
      type: 'text',
      textAlignment: column.align,
      attributes: column.attributes,
    }),
  ])
  const records = table.rows.map((row, rowIndex) => [
    `record-${rowIndex}`,
    {
      orderIndex: String(rowIndex).padStart(6, '0'),
      values: Object.fromEntries(row.map((_, index) => [ids[index], `cell-${rowIndex}-${index}`])),
    },
  ])
  const hidden = (column: TableColumn) => column.attributes?.['data-hidden'] !== undefined
  return {
    data: {
      definition: Object.fromEntries(definition),
      records: Object.fromEntries(records),
      view: data({
        type: table.view ?? 'grid',
        columns: ids.filter((_, index) => !hidden(table.columns[index] as TableColumn)),
        attributes: table.others,
      }),
    },
    fragments: [
      ...table.columns.map((column, index) => to.fragment('table-column', column.inlines, ids[index])),
      ...table.rows.flatMap((row, rowIndex) =>
        row.map((cell, index) => to.fragment('table-cell', cell, `cell-${rowIndex}-${index}`)),
      ),
    ],
  }
}

export const tableFromDocument: BlockFromDocument = (node, read) => {
  const fragments = new Map((node.fragments ?? []).map((fragment) => [fragment.fragment, fragment.nodes]))
  const cell = (name: unknown): Inline[] => {
    if (typeof name !== 'string') return []
    const nodes = fragments.get(name)
    return nodes ? fragmentInlines(nodes, read) : [{ type: 'text', text: name }]
  }
  const columns = entriesOf(node.data?.['definition'])
  const records = entriesOf(node.data?.['records']).toSorted(([, a], [, b]) =>
    compare(a['orderIndex'], b['orderIndex']),
  )
  const view = recordOf(node.data?.['view'])
  const shown = Array.isArray(view['columns']) ? new Set<unknown>(view['columns']) : undefined
  if (columns.length === 0 || columns.length * (records.length + 1) > limits.tableCells) return []
  const others = attributesOf(view['attributes'])
  return {
    type: 'table',
    ...(typeof view['type'] === 'string' && view['type'] !== 'grid' ? { view: view['type'] } : {}),
    ...(others ? { others } : {}),
    columns: columns.map(([id, column]) => {
      const align = (['left', 'center', 'right'] as const).find((value) => value === column['textAlignment'])
      const hidden = shown !== undefined && !shown.has(id) ? { 'data-hidden': '' } : undefined
      const attributes = attributesOf(column['attributes']) ?? hidden
      const title = fragments.has(id) ? cell(id) : cell(column['title'] ?? '')
      return { inlines: title, ...(align ? { align } : {}), ...(attributes ? { attributes } : {}) }
    }),
    rows: records.map(([, record]) => columns.map(([id]) => cell(recordOf(record['values'])[id]))),
  }
}

function fragmentInlines(nodes: Parameters<DocumentReader['blocks']>[0], read: DocumentReader): Inline[] {
  return read
    .blocks(nodes)
    .flatMap((block, index): Inline[] => [
      ...(index > 0 ? [{ type: 'break' } as const] : []),
      ...('inlines' in block ? block.inlines : []),
    ])
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function entriesOf(value: unknown): [string, Record<string, unknown>][] {
  return Object.entries(recordOf(value)).map(([id, entry]) => [id, recordOf(entry)])
}

function attributesOf(value: unknown): Attributes | undefined {
  const usable = Object.entries(recordOf(value)).filter(
    (entry): entry is [string, string | true] =>
      /^[a-z][a-z0-9-]*$/.test(entry[0]) && (typeof entry[1] === 'string' || entry[1] === true),
  )
  return typeof value === 'object' && value !== null ? Object.fromEntries(usable) : undefined
}

const orderKey = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function compare(a: unknown, b: unknown): number {
  const [left, right] = [orderKey(a), orderKey(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
