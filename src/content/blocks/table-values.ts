import type { Inline } from '../inlines.ts'
import { addressIn } from '../inlines/cells.ts'
import { plainText } from '../inlines/text.ts'
import type { Table, TableCell, TableColumn } from './table.ts'

/** What readers see in a cell. */
export type CellValue =
  | { shows: 'words'; inlines: readonly Inline[] }
  | { shows: 'checkbox'; isDone: boolean }
  | { shows: 'rating'; stars: string; label: string }
  | { shows: 'options'; options: readonly string[] }
  | { shows: 'picture'; src: string; alt: string }

/** Reads a cell according to the type of its column. A value that does not match the type is shown as it was written. */
export function valueOf(cell: TableCell, column: TableColumn | undefined): CellValue {
  const { 'data-type': type, 'data-max': max } = column?.attributes ?? {}
  const said = plainText(cell).trim()
  const words: CellValue = { shows: 'words', inlines: cell }
  switch (type) {
    case 'checkbox':
      return said === 'true' || said === 'false' ? { shows: 'checkbox', isDone: said === 'true' } : words
    case 'rating':
      return ratingIn(said, max) ?? words
    case 'content-ref':
      // The cell shows the title of the page that it leads to, not the words of the link.
      return {
        shows: 'words',
        inlines: cell.map((inline) => (inline.type === 'link' ? { ...inline, type: 'mention' } : inline)),
      }
    case 'select':
      return { shows: 'options', options: optionsIn(said) }
    case 'image': {
      const src = addressIn(cell)
      return src === undefined ? words : { shows: 'picture', src, alt: said }
    }
    default:
      return words
  }
}

/** The highest number of stars that a column shows. */
const mostStars = 10

function ratingIn(said: string, max: string | boolean | undefined): CellValue | undefined {
  const most = Math.min(Number(max) || 5, mostStars)
  if (!/^\d+$/.test(said) || Number(said) > most) return undefined
  return {
    shows: 'rating',
    stars: '★'.repeat(Number(said)) + '☆'.repeat(most - Number(said)),
    label: `${Number(said)}/${most}`,
  }
}

const optionsIn = (said: string): string[] =>
  said
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '')

/** Returns the width in pixels that the author chose for a column. */
export const chosenWidth = (column: TableColumn | undefined): string | undefined =>
  /^\d{1,4}(?=\.\d+$|$)/.exec(String(column?.attributes?.['width']))?.[0]

/** Whether readers see no header: the author hid it, or there is nothing in it. */
export const isHeadless = ({ columns, others }: Table): boolean =>
  others?.['data-header-hidden'] !== undefined || columns.every(({ inlines }) => plainText(inlines).trim() === '')
