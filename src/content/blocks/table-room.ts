import { plainText } from '../inlines/text.ts'
import type { TableCell } from './table.ts'

type Rows = readonly (readonly TableCell[])[]

/**
 * Returns which columns of a table contain words that are too long to fit beside those of the others, in a line of
 * `room` letters. If a sheet of paper must hold all columns, these words are broken, and those of the other columns are
 * not.
 */
export function crowdedColumns(rows: Rows, columns: number, room: number): boolean[] {
  const longest = longestIn(rows, columns, endsWord)
  const most = mostForEach(longest, room)
  return longest.map((word) => word > most)
}

/**
 * Returns the width of each column in letters, if the columns do not fit into a sheet with room for `room` letters as
 * they are: each gets the width of its longest word, and the rest is distributed by the amount of text in the columns.
 * Undefined if all lines fit as they are. If columns state widths, in any unit, the rest is distributed by those.
 */
export function columnWidths(
  rows: Rows,
  columns: number,
  room: number,
  said: readonly (number | undefined)[] = [],
): number[] | undefined {
  const lines = longestIn(rows, columns, endsLine).map((line) => Math.min(line, room))
  const longest = longestIn(rows, columns, endsWord)
  const most = mostForEach(longest, room)
  const known = said.filter((width) => width !== undefined)
  if (known.length > 0) {
    const shares = lines.map((_, column) => said[column] ?? sum(known) / known.length)
    const needed = longest.map((word) => Math.max(1, Math.min(word, most)))
    const wanted = needed.map((width, column) => Math.max(0, (room * shares[column]!) / sum(shares) - width))
    return shareOut(room, needed, needed.map(() => room), wanted) // prettier-ignore
  }
  if (sum(lines) <= room) return undefined
  // A word that is broken anyway does not take room from the lines of other columns.
  const broken = Math.min(most, mostForEach(lines, room))
  const least = longest.map((word) => Math.max(1, word > most ? broken : word))
  // By all of the text in a column: one long line among many short ones may as well be broken.
  const wanted = least.map((width, column) =>
    sum(rows.map((row) => Math.max(0, longestPart(textOf(row[column] ?? []), endsLine) - width))),
  )
  return shareOut(room, least, lines, wanted)
}

/** Gives each column its minimum, and distributes the rest by what they want; none gets more than it can use. */
function shareOut(
  room: number,
  least: readonly number[],
  most: readonly number[],
  wanted: readonly number[],
): number[] {
  const full = new Set<number>()
  for (;;) {
    const given = (column: number) => (full.has(column) ? Math.max(most[column]!, least[column]!) : least[column]!)
    const left = Math.max(0, room - sum(least.map((_, column) => given(column))))
    const all = sum(wanted.filter((_, column) => !full.has(column)))
    const widths = least.map((_, column) =>
      full.has(column) || all === 0 ? given(column) : given(column) + (left * wanted[column]!) / all,
    )
    const over = widths.flatMap((width, column) => (!full.has(column) && width > most[column]! ? [column] : []))
    if (over.length === 0 || all === 0) return widths
    for (const column of over) full.add(column)
  }
}

/**
 * Returns the number of lines of the highest cell of a row, in columns of these widths in letters; `Infinity` if it has
 * a picture.
 */
export function linesIn(row: readonly TableCell[], widths: readonly number[] | undefined): number {
  return row.reduce((most, cell, column) => {
    if (hasPicture(cell)) return Infinity
    const width = Math.max(1, widths?.[column] ?? Infinity)
    const lines = plainText(cell).trim().split('\n')
    return Math.max(most, sum(lines.map((line) => Math.max(1, Math.ceil(longestPart(line, endsLine) / width)))))
  }, 1)
}

/**
 * Returns how many letters a column may have at most for its words: room that narrow columns do not need is left to the
 * others.
 */
function mostForEach(wanted: readonly number[], room: number): number {
  let [left, many] = [room, wanted.length]
  for (const width of wanted.toSorted((a, b) => a - b)) {
    if (width > left / many) return left / many
    left -= width
    many -= 1
  }
  return room
}

const longestIn = (rows: Rows, columns: number, ends: (code: number) => boolean): number[] =>
  Array.from({ length: columns }, (_, column) =>
    rows.reduce((most, row) => Math.max(most, longestPart(textOf(row[column] ?? []), ends)), 0),
  )

/** A picture takes as much room as a long word. */
const textOf = (cell: TableCell): string => plainText(cell).trim() + (hasPicture(cell) ? ` ${'x'.repeat(16)}` : '')

const hasPicture = (cell: TableCell): boolean =>
  cell.some((inline) => inline.type === 'image' || ('inlines' in inline && hasPicture(inline.inlines ?? [])))

/** Scans letter by letter, since a page may have thousands of cells. */
function longestPart(text: string, ends: (code: number) => boolean): number {
  let [longest, letters] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    letters = ends(code) ? 0 : letters + widthOf(code)
    if (letters > longest) longest = letters
  }
  return longest
}

const endsLine = (code: number): boolean => code === newline

/** Blanks, hyphens and slashes end a word, and so does every Chinese, Japanese and Korean character. */
const endsWord = (code: number): boolean => code <= blank || code === hyphen || code === slash || isWide(code)

const [newline, blank, hyphen, slash] = [10, 32, 45, 47]

const isWide = (code: number): boolean => code >= 0x2e80 && code < 0xd800

/** Returns the width in letters. Three capitals, as in the names of settings, take the room of four other letters. */
export const widthOf = (code: number): number => (isWide(code) ? 2 : isCapital(code) ? 4 / 3 : 1)

const isCapital = (code: number): boolean => code >= 65 && code <= 90

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
