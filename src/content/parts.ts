import { lineBreakOf } from './markdown/lines.ts'
import { changedRegions, numberLines, type Region } from './merge/alignment.ts'
import type { Document } from './parse.ts'

/** A block of a document. */
export interface Part {
  readonly document: Document
  readonly index: number
}

/** Aligns the blocks of two texts like lines. The strings that identify the blocks must not contain a line break. */
export function alignBlocks(before: readonly string[], now: readonly string[]): Region[] {
  const asLines = (names: readonly string[]) => names.map((name) => `${name}\n`).join('')
  const [old, current] = numberLines(asLines(before), asLines(now))
  return changedRegions(old, current)
}

/**
 * Joins blocks to a text. The text between two neighbours is kept; other blocks are separated by a blank line. The text
 * around all blocks is that of the given document.
 */
export function joinParts(parts: readonly Part[], { source, blocks }: Document): string {
  const [first, last] = [blocks[0]?.range, blocks.at(-1)?.range]
  const lineBreak = lineBreakOf(source)
  let text = first ? source.slice(0, first.start) : ''
  parts.forEach((part, at) => {
    const left = parts[at - 1]
    if (left) text += areNeighbours(left, part) ? textBetween(left, part) : lineBreak.repeat(2)
    const { start, end } = rangeOf(part)
    text += part.document.source.slice(start, end)
  })
  const tail = last ? source.slice(last.end) : ''
  return text + (tail || (parts.length > 0 ? lineBreak : ''))
}

const areNeighbours = (left: Part, right: Part) => left.document === right.document && left.index + 1 === right.index

const textBetween = (left: Part, right: Part) => left.document.source.slice(rangeOf(left).end, rangeOf(right).start)

const rangeOf = ({ document, index }: Part) => document.blocks[index]!.range!
