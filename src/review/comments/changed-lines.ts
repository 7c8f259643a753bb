import { everyBlock } from '../../content/blocks.ts'
import type { Hunk } from '../../content/diff.ts'
import { writeInlines } from '../../content/markdown/write-inlines.ts'
import type { Document } from '../../content/parse.ts'
import { shortened } from '../../shortened.ts'

/** A changed line of a page, as it is chosen for a comment. */
export interface ChangedLine {
  /** Whether the number refers to the current text. Otherwise it refers to the former one. */
  isNew: boolean
  number: number
  text: string
}

/** Nobody finds a line in a longer list. */
const mostLines = 100

const longestLine = 200

/** Returns the lines of a page that can be commented on. Empty lines are left out. */
export function linesToChoose(hunks: readonly Hunk[] = []): ChangedLine[] {
  const changed = hunks.flatMap(({ lines }) =>
    lines.flatMap((line): ChangedLine[] => {
      if (line.type === 'kept') return []
      const isNew = line.type === 'added'
      return [{ isNew, number: isNew ? line.after : line.before, text: wordsIn(line.text) }]
    }),
  )
  return changed.filter(({ text }) => text !== '').slice(0, mostLines)
}

export const wordsIn = (line: string) => shortened(line.trim(), longestLine)

/**
 * The name of a line in a form includes its words. An author may move the line in the meantime, and the comment is
 * about what its author read.
 */
export const nameOfLine = ({ isNew, number, text }: ChangedLine) => `${isNew ? '+' : '-'}${number} ${text}`

export function lineNamed(name: string): ChangedLine | undefined {
  // Only a line feed ends a line. The dot would also stop at other characters.
  const [, sign, number, text] = /^([+-])(\d{1,7}) ([^\n]+)$/.exec(name) ?? []
  return text === undefined ? undefined : { isNew: sign === '+', number: Number(number), text: wordsIn(text) }
}

/**
 * Quotes the line as it was written, above the comment: so the quote is also in mails, and stays when the line is
 * deleted.
 */
export const quoteOf = ({ text }: Pick<ChangedLine, 'text'>) => `> ${writeInlines([{ type: 'code', text }], 'line')}`

/** Returns the block that contains the line. If several lines read the same, the nearest one. */
export function blockWith({ source, blocks }: Document, line: ChangedLine): string | undefined {
  if (!line.isNew) return undefined
  let at = 0
  const places = source.split('\n').flatMap((text, index) => {
    const start = at
    at += text.length + 1
    return wordsIn(text) === line.text
      ? [{ start: start + text.search(/\S/), far: Math.abs(index + 1 - line.number) }]
      : []
  })
  const [nearest] = places.toSorted((one, other) => one.far - other.far)
  if (!nearest) return undefined
  const around = [...everyBlock(blocks)].filter(
    ({ range }) => range && range.start <= nearest.start && nearest.start < range.end,
  )
  return around.at(-1)?.key
}
