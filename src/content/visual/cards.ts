import type * as hast from 'hast'
import { everyBlock, type Block } from '../blocks.ts'
import type { Images } from '../blocks/images.ts'
import type { HtmlWriter } from '../blocks/kind.ts'
import type { Table, TableCell, TableColumn } from '../blocks/table.ts'
import { findElements } from '../html/find.ts'
import { attributes, html, type Html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import { drawImage } from '../inlines/image.ts'
import { plainText } from '../inlines/text.ts'
import { limits } from '../limits.ts'
import { saidAnew } from './pieces.ts'

/** Whether a table is shown as cards, one per row. */
export const isCards = ({ view, columns }: Table): boolean => view === 'cards' && columns.length > 0

/**
 * Returns what each column of cards is for: the target of a card, its picture, or words. Other columns are not shown
 * here.
 */
function partsOf(columns: readonly TableColumn[]) {
  const at = (name: string) => columns.findIndex(({ attributes: of }) => of?.[name] !== undefined)
  const [target, cover] = [at('data-card-target'), at('data-card-cover')]
  const isWords = ({ attributes: of }: TableColumn, number: number) =>
    of?.['data-hidden'] === undefined &&
    of?.['data-card-cover-dark'] === undefined &&
    number !== target &&
    number !== cover
  return { target, cover, words: columns.flatMap((column, number) => (isWords(column, number) ? [number] : [])) }
}

export function drawCards({ columns, rows }: Table, draw: HtmlWriter, words: (inlines: TableCell) => Html): Html {
  const parts = partsOf(columns)
  const field = (row: readonly TableCell[], number: number) => {
    const name = plainText(columns[number]?.inlines ?? []).trim()
    return html`<div${attributes({ 'data-words': number, 'data-called': name || undefined })}>${words(row[number] ?? [])}</div>`
  }
  const card = (row: readonly TableCell[], number: number) => {
    const [target, cover] = [addressIn(row[parts.target]), addressIn(row[parts.cover])]
    const picture = cover !== '' && drawImage({ type: 'image', src: cover, alt: '' }, draw)
    const place = { 'data-card': number, 'data-target': target, 'data-cover': cover }
    return html`<article${attributes(place)}>${picture}${parts.words.map((each) => field(row, each))}</article>`
  }
  return html`<section class="cards">${rows.map(card)}</section>`
}

/** Returns the pictures of all cards, because their addresses are not part of any text. */
export function picturesOfCards(blocks: readonly Block[]): Images {
  const covers = [...everyBlock(blocks)].flatMap((block) => {
    if (block.type !== 'table' || !isCards(block)) return []
    const { cover } = partsOf(block.columns)
    return block.rows.map((row) => addressIn(row[cover])).filter((address) => address !== '')
  })
  return { type: 'images', images: covers.map((src) => ({ type: 'image', src, alt: '' })) }
}

/** Reads the words of a cell after editing. If they were not touched, the result is `before` itself. */
type ReadWords = (nodes: readonly hast.Nodes[], before: TableCell) => TableCell

/** Reads the cards of a table. Cards may be new, gone or moved. An untouched card results in the same row object. */
export function readCards(element: hast.Element, block: Table, words: ReadWords): Table {
  const cards = [...findElements(element, ['article'])].filter(({ properties }) => properties['dataCard'] !== undefined)
  const columns = withColumns(block.columns, cards)
  if (cards.length === 0 || cards.length * columns.length > limits.tableCells) return block
  const parts = partsOf(columns)
  const isWords = new Set(parts.words)
  const rows = cards.map((card) => {
    const before = rowOf(card, block)
    const fields = fieldsOf(card)
    const now = columns.map((_, number): TableCell => {
      const was = before?.[number] ?? []
      if (number === parts.target) return leading(card, 'dataTarget', was)
      if (number === parts.cover) return leading(card, 'dataCover', was)
      const field = fields.get(String(number))
      return field && isWords.has(number) ? words(field.children, was) : was
    })
    const isKept = (cell: TableCell, number: number) =>
      cell === before?.[number] || (!before?.[number] && cell.length === 0)
    return before && now.every(isKept) ? before : now
  })
  const isSame = rows.length === block.rows.length && rows.every((row, number) => row === block.rows[number])
  return isSame ? block : { ...block, columns, rows }
}

/** The fields of a card by the numbers of their columns. If a number occurs twice, the first field counts. */
function fieldsOf(card: hast.Element): ReadonlyMap<string, hast.Element> {
  const fields = [...findElements(card, ['div'])].map(
    (field) => [String(field.properties['dataWords']), field] as const,
  )
  return new Map(fields.toReversed())
}

const rowOf = ({ properties }: hast.Element, { rows }: Table): readonly TableCell[] | undefined =>
  /^\d{1,6}$/.test(String(properties['dataCard'])) ? rows[Number(properties['dataCard'])] : undefined

/**
 * Adds the columns for targets and pictures if cards need them. Cards without a target or picture have no column for
 * it.
 */
function withColumns(columns: readonly TableColumn[], cards: readonly hast.Element[]): readonly TableColumn[] {
  const parts = partsOf(columns)
  const isSaid = (name: string) => cards.some(({ properties }) => String(properties[name] ?? '').trim() !== '')
  const hidden = (name: string, type: string): TableColumn => ({
    inlines: [],
    attributes: { 'data-hidden': true, [name]: true, 'data-type': type },
  })
  return [
    ...columns,
    ...(parts.target === -1 && isSaid('dataTarget') ? [hidden('data-card-target', 'content-ref')] : []),
    ...(parts.cover === -1 && isSaid('dataCover') ? [hidden('data-card-cover', 'files')] : []),
  ]
}

/** Reads a cell that holds an address. It is written as a link to it. */
function leading(card: hast.Element, name: 'dataTarget' | 'dataCover', before: TableCell): TableCell {
  const said = saidAnew(card, name, addressIn(before))?.trim()
  if (said === undefined) return before
  const text =
    said
      .replace(/[?#][^]*$/, '')
      .split('/')
      .findLast((part) => part !== '') ?? said
  return said === '' ? [] : [{ type: 'link', href: said, inlines: [{ type: 'text', text }] }]
}

/** Returns the first address in a cell, or '' if there is none. */
function addressIn(cell: TableCell = []): string {
  for (const inline of cell) {
    const own = 'href' in inline ? inline.href : inline.type === 'image' ? inline.src : addressIn(insideOf(inline))
    if (own !== '') return own
  }
  return ''
}

const insideOf = (inline: Inline): readonly Inline[] => ('inlines' in inline ? (inline.inlines ?? []) : [])
