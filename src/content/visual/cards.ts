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

/** A table that is seen as cards, one a row. */
export const isCards = ({ view, columns }: Table): boolean => view === 'cards' && columns.length > 0

/** What each column of cards is for: where a card leads, its picture, or words. Others say nothing here. */
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

/** The pictures of all cards: their addresses stand in no text. */
export function picturesOfCards(blocks: readonly Block[]): Images {
  const covers = [...everyBlock(blocks)].flatMap((block) => {
    if (block.type !== 'table' || !isCards(block)) return []
    const { cover } = partsOf(block.columns)
    return block.rows.map((row) => addressIn(row[cover])).filter((address) => address !== '')
  })
  return { type: 'images', images: covers.map((src) => ({ type: 'image', src, alt: '' })) }
}

/** Words of a cell, as somebody left them; what they did not touch is `before` itself. */
type ReadWords = (nodes: readonly hast.Nodes[], before: TableCell) => TableCell

/** Cards may be new, gone or elsewhere. One that was not touched is the very same row. */
export function readCards(element: hast.Element, block: Table, words: ReadWords): Table {
  const cards = [...findElements(element, ['article'])].filter(({ properties }) => properties['dataCard'] !== undefined)
  const columns = withColumns(block.columns, cards)
  if (cards.length === 0 || cards.length * columns.length > limits.tableCells) return block
  const parts = partsOf(columns)
  const rows = cards.map((card) => {
    const before = rowOf(card, block)
    const fields = [...findElements(card, ['div'])]
    const now = columns.map((_, number): TableCell => {
      const was = before?.[number] ?? []
      if (number === parts.target) return leading(card, 'dataTarget', was)
      if (number === parts.cover) return leading(card, 'dataCover', was)
      const field = fields.find(({ properties }) => String(properties['dataWords']) === String(number))
      return field && parts.words.includes(number) ? words(field.children, was) : was
    })
    const isKept = (cell: TableCell, number: number) =>
      cell === before?.[number] || (!before?.[number] && cell.length === 0)
    return before && now.every(isKept) ? before : now
  })
  const isSame = rows.length === block.rows.length && rows.every((row, number) => row === block.rows[number])
  return isSame ? block : { ...block, columns, rows }
}

const rowOf = ({ properties }: hast.Element, { rows }: Table): readonly TableCell[] | undefined =>
  /^\d{1,6}$/.test(String(properties['dataCard'])) ? rows[Number(properties['dataCard'])] : undefined

/** Cards that lead nowhere yet, or have no picture, have no column for that. */
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

/** A cell that holds an address is a link to it. */
function leading(card: hast.Element, name: 'dataTarget' | 'dataCover', before: TableCell): TableCell {
  const said = saidAnew(card, name, addressIn(before))?.trim()
  if (said === undefined) return before
  const text =
    said
      .replace(/[?#].*$/, '')
      .split('/')
      .findLast((part) => part !== '') ?? said
  return said === '' ? [] : [{ type: 'link', href: said, inlines: [{ type: 'text', text }] }]
}

/** The first one in a cell; nothing where there is none. */
function addressIn(cell: TableCell = []): string {
  for (const inline of cell) {
    const own = 'href' in inline ? inline.href : inline.type === 'image' ? inline.src : addressIn(insideOf(inline))
    if (own !== '') return own
  }
  return ''
}

const insideOf = (inline: Inline): readonly Inline[] => ('inlines' in inline ? (inline.inlines ?? []) : [])
