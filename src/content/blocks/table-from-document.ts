import { childBlocks, type Block } from '../blocks.ts'
import type { DocumentFragment, DocumentNode } from '../document/shape.ts'
import type { Inline } from '../inlines.ts'
import { codeInCell, listInCell } from '../inlines/cells.ts'
import { isList, plainText } from '../inlines/text.ts'
import { limits } from '../limits.ts'
import type { Attributes } from '../tree.ts'
import { attributesFrom, type BlockFromDocument, type DocumentReader } from './reading.ts'
import type { TableColumn } from './table.ts'

type Fields = Record<string, unknown>

export const tableFromDocument: BlockFromDocument = (node, read) => {
  const view = fieldsOf(node.data?.['view'])
  const definitions = inOrder(entriesOf(node.data?.['definition']), view)
  const records = entriesOf(node.data?.['records']).toSorted(([, a], [, b]) =>
    compare(a['orderIndex'], b['orderIndex']),
  )
  if (definitions.length === 0 || definitions.length * (records.length + 1) > limits.tableCells) return []
  const fragments = new Map((node.fragments ?? []).map((part) => [part.fragment, part]))
  const cells = records.map(([key, record]) => {
    const values = fieldsOf(record['values'])
    return definitions.map(([id, definition]) =>
      cellFrom(values[id], definition, fragments, `cell-${numberOf(key)}-${numberOf(id)}`, read),
    )
  })
  const others = tableAttributes(node.data ?? {}, view)
  return {
    type: 'table',
    ...(view['type'] === 'cards' ? { view: 'cards' } : otherView(view)),
    ...(others ? { others } : {}),
    columns: definitions.map(([id, definition]) => columnFrom(id, definition, view, fragments, read)),
    rows: cells,
  }
}

/** Returns the columns in the order of the view if that is different. Columns that the view does not show come last. */
function inOrder(definitions: [string, Fields][], view: Fields): [string, Fields][] {
  const wanted = Array.isArray(view['columns']) ? (view['columns'] as unknown[]) : []
  const place = new Map(wanted.map((id, index) => [id, index]))
  const shown = definitions.filter(([id]) => place.has(id))
  const isInOrder = shown.every(([id], index) => index === 0 || place.get(shown[index - 1]![0])! < place.get(id)!)
  if (isInOrder) return definitions
  const sorted = shown.toSorted(([a], [b]) => place.get(a)! - place.get(b)!)
  return [...sorted, ...definitions.filter(([id]) => !place.has(id))]
}

/** Returns the number in `column-3` or `record-5`: in our own documents, cells are named after both. */
const numberOf = (id: string): string => /^(?:column|record)-(\d+)$/.exec(id)?.[1] ?? ''

type Fragments = ReadonlyMap<string | undefined, DocumentFragment>

function cellFrom(
  value: unknown,
  definition: Fields,
  fragments: Fragments,
  name: string,
  read: DocumentReader,
): Inline[] {
  switch (definition['type']) {
    case 'content-ref':
    case 'image':
      return linked(value === null || value === undefined ? [] : [value], fragments.get(name), read)
    case 'files':
      return linked(
        (Array.isArray(value) ? value : []).map((file: unknown) => ({ kind: 'file', file })),
        fragments.get(name),
        read,
      )
    case 'select':
      return words(selected(value, definition))
    case 'text':
    case undefined: {
      const found = typeof value === 'string' ? fragments.get(value) : undefined
      return found ? flat(read.blocks(found.nodes)) : words(value)
    }
    default:
      return words(value)
  }
}

function words(value: unknown): Inline[] {
  const text = Array.isArray(value) ? value.map(String).join(', ') : isPrimitive(value) ? String(value) : ''
  return text === '' ? [] : [{ type: 'text', text }]
}

const isPrimitive = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

function selected(value: unknown, definition: Fields): unknown[] {
  const options = Array.isArray(definition['options']) ? definition['options'].map(fieldsOf) : []
  const labels = new Map(options.map(({ value, label }) => [value, label]))
  return (Array.isArray(value) ? value : [value]).flatMap((each: unknown) => labels.get(each) ?? each ?? [])
}

/** Returns links to what the values name. The text in the fragment is kept as long as it has the same targets. */
function linked(references: unknown[], kept: DocumentFragment | undefined, read: DocumentReader): Inline[] {
  if (kept && JSON.stringify(referencesOf(kept.nodes)) === JSON.stringify(references))
    return flat(read.blocks(kept.nodes))
  return references.flatMap((reference, index): Inline[] => {
    const href = read.href(reference)
    const link: Inline = { type: 'link', href, inlines: [{ type: 'text', text: href }] }
    return href === '' ? [] : index > 0 ? [{ type: 'text', text: ' ' }, link] : [link]
  })
}

function referencesOf(nodes: readonly DocumentNode[]): unknown[] {
  return nodes.flatMap((node) => {
    if (node.object === 'text') return []
    return node.object === 'inline' && node.data?.['ref'] ? [node.data['ref']] : referencesOf(node.nodes ?? [])
  })
}

function columnFrom(
  id: string,
  definition: Fields,
  view: Fields,
  fragments: Fragments,
  read: DocumentReader,
): TableColumn {
  const extra = fieldsOf(definition['extra'])
  const said = definition['textAlignment'] ?? extra['align']
  const align = (['center', 'right'] as const).find((value) => value === said)
  const shown = !Array.isArray(view['columns']) || (view['columns'] as unknown[]).includes(id)
  const width = fieldsOf(view['columnWidths'])[id]
  const type = definition['type']
  const typed = typeof type === 'string' && type !== 'text'
  const attributes: Attributes = {
    ...(typeof width === 'number' ? { width: String(width) } : {}),
    ...(shown ? {} : { 'data-hidden': '' }),
    ...(view['targetDefinition'] === id ? { 'data-card-target': '' } : {}),
    ...(view['coverDefinition'] === id ? { 'data-card-cover': '' } : {}),
    ...(view['coverDefinitionDark'] === id ? { 'data-card-cover-dark': '' } : {}),
    ...(typed ? { 'data-type': type } : {}),
    ...(type === 'rating' && typeof definition['max'] === 'number' ? { 'data-max': String(definition['max']) } : {}),
    ...attributesFrom(extra['attributes']),
  }
  return {
    inlines: titleFrom(definition['title'], fragments.get(id), read),
    ...(align ? { align } : {}),
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
  }
}

/** Keeps the marks of the title as long as its text is the same. */
function titleFrom(title: unknown, kept: DocumentFragment | undefined, read: DocumentReader): Inline[] {
  const inlines = kept ? flat(read.blocks(kept.nodes)) : []
  return kept && (title === undefined || plainText(inlines) === title) ? inlines : words(title)
}

function tableAttributes(data: Fields, view: Fields): Attributes | undefined {
  const { 'data-view': _, ...others } = attributesFrom(fieldsOf(view['extra'])['attributes']) ?? {}
  const attributes: Attributes = {
    ...(view['cardSize'] === 'large' ? { 'data-card-size': 'large' } : {}),
    ...(view['hideColumnTitle'] === true ? { 'data-column-title-hidden': '' } : {}),
    ...(view['hideHeader'] === true ? { 'data-header-hidden': '' } : {}),
    ...(typeof data['fullWidth'] === 'boolean' ? { 'data-full-width': String(data['fullWidth']) } : {}),
    ...others,
  }
  return Object.keys(attributes).length > 0 ? attributes : undefined
}

function otherView(view: Fields): { view?: string } {
  const named = attributesFrom(fieldsOf(view['extra'])['attributes'])?.['data-view']
  return typeof named === 'string' ? { view: named } : {}
}

/** Flattens the blocks of a cell. Running text, lists and code are kept: other blocks become lines. */
function flat(blocks: readonly Block[]): Inline[] {
  return blocks
    .map((block): readonly Inline[] => {
      if ('inlines' in block) return block.inlines
      if (block.type === 'list') return [listInCell(block, flat)]
      if (block.type === 'images') return block.images
      return block.type === 'code' ? [codeInCell(block.text)] : flat(childBlocks(block))
    })
    .filter((line) => line.length > 0)
    .flatMap((line, index, lines): Inline[] => {
      const isBroken = index > 0 && !isApart(line) && !isApart(lines[index - 1]!)
      return [...(isBroken ? [{ type: 'break' } as const] : []), ...line]
    })
}

/** It is on separate lines anyway. */
const isApart = ([only]: readonly Inline[]): boolean =>
  only?.type === 'element' && (isList(only.name) || only.name === 'pre')

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const entriesOf = (value: unknown): [string, Fields][] =>
  Object.entries(fieldsOf(value)).map(([id, entry]) => [id, fieldsOf(entry)])

const orderKey = (value: unknown) => (isPrimitive(value) ? String(value) : '')

function compare(a: unknown, b: unknown): number {
  const [left, right] = [orderKey(a), orderKey(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
