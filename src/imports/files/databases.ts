import { escapeText } from '../../content/markdown/escape.ts'
import { titleOf } from '../names.ts'

/** Whether the file is a database exported by Notion: a table, beside the folder with the pages of its rows. */
export const isDatabase = (path: string) => /[ _-][0-9a-f]{32}\.csv$/i.test(path)

/** The file with the whole table. Notion exports it beside the file with the part that was shown. */
export const wholeOf = (path: string) => path.replace(/\.csv$/i, '_all.csv')

/** Readers who need more rows can open the file. */
const mostRows = 2_000
const mostCells = 20_000

/**
 * Returns the table as Markdown, or undefined if it is not a table or too large to read. Rows link to their pages,
 * which are found in `paths`. The shown part has the columns that people want to see. It is used unless it hides rows.
 */
export function tableOf(shown: string, whole: string | undefined, paths: readonly string[]): string | undefined {
  const all = whole === undefined ? [] : readCsv(whole)
  const table = readCsv(shown)
  const [head, ...rows] = all.length > table.length ? all : table
  if (!head || rows.length > mostRows || head.length * rows.length > mostCells) return undefined
  const pages = new Map(paths.map((path) => [alike(titleOf(path.split('/').at(-1)!)), path]))
  const line = (cells: readonly string[]) => `| ${head.map((_, column) => cells[column] ?? '').join(' | ')} |`
  const written = rows.map(([name = '', ...others]) => {
    const path = pages.get(alike(name))
    const first = path === undefined ? cellOf(name) : `[${cellOf(name)}](<${encodeURI(path)}>)`
    return line([first, ...others.map(cellOf)])
  })
  return `${[line(head.map(cellOf)), line(head.map(() => '---')), ...written].join('\n')}\n`
}

/** File names lack some characters of titles, and are truncated. */
const alike = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '').slice(0, 40) // prettier-ignore

const cellOf = (text: string) =>
  escapeText(text.trim())
    .replaceAll('|', '\\|')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('<br>')

function readCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r', '')
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < source.length;) {
    const { cell, end } = source[at] === '"' ? readQuoted(source, at + 1) : readPlain(source, at)
    row.push(cell)
    if (source[end] !== ',') {
      rows.push(row)
      row = []
    }
    at = end + 1
  }
  return rows
}

function readPlain(source: string, from: number): { cell: string; end: number } {
  let end = from
  while (end < source.length && source[end] !== ',' && source[end] !== '\n') end += 1
  return { cell: source.slice(from, end), end }
}

/** Reads up to a quote that no other quote follows: two quotes stand for one. */
function readQuoted(source: string, from: number): { cell: string; end: number } {
  let quote = source.indexOf('"', from)
  while (quote !== -1 && source[quote + 1] === '"') quote = source.indexOf('"', quote + 2)
  const last = quote === -1 ? source.length : quote
  const { end } = readPlain(source, Math.min(last + 1, source.length))
  return { cell: source.slice(from, last).replaceAll('""', '"'), end }
}
