import { everyBlock } from '../../content/blocks.ts'
import type { Hunk } from '../../content/diff.ts'
import { writeInlines } from '../../content/markdown/write-inlines.ts'
import type { Document } from '../../content/parse.ts'
import { shortened } from '../../shortened.ts'

/** A line of a page that changed, as it is chosen to be commented on. */
export interface ChangedLine {
  /** Of the text there is now; else of the one before. */
  isNew: boolean
  number: number
  text: string
}

/** In a longer list nobody finds a line. */
const mostLines = 100

const longestLine = 200

/** Those of a page that somebody can comment on. Empty ones say nothing. */
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
 * How a form names a line: with its words. Whoever writes may move it meanwhile, and what was commented on is what somebody
 * read.
 */
export const nameOfLine = ({ isNew, number, text }: ChangedLine) => `${isNew ? '+' : '-'}${number} ${text}`

export function lineNamed(name: string): ChangedLine | undefined {
  // A line ends with a line feed alone: to a dot, there are others.
  const [, sign, number, text] = /^([+-])(\d{1,7}) ([^\n]+)$/.exec(name) ?? []
  return text === undefined ? undefined : { isNew: sign === '+', number: Number(number), text: wordsIn(text) }
}

/** As it was written, above what is said about it: so it is also in mails, and stays when the line is gone. */
export const quoteOf = ({ text }: Pick<ChangedLine, 'text'>) => `> ${writeInlines([{ type: 'code', text }], 'line')}`

/** The block that the line stands in; where several lines read like it, in the nearest of them. */
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
